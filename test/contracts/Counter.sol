// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Counter {
    uint256 public count;

    event Incremented(address indexed by, uint256 value);

    function increment() external {
        count += 1;
        emit Incremented(msg.sender, count);
    }

    function add(uint256 amount) external {
        count += amount;
        emit Incremented(msg.sender, count);
    }

    /// At zero this is Panic(0x11).
    function decrement() external {
        count -= 1;
    }
}
