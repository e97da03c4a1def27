// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The contract of Hardhat's samples: a number that is counted up, with an event for each step.
contract Counter {
    uint256 public x;

    event Increment(uint256 by);

    function inc() external {
        x++;
        emit Increment(1);
    }

    function incBy(uint256 by) external {
        require(by > 0, "by nothing");
        x += by;
        emit Increment(by);
    }
}
