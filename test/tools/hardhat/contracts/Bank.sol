// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import "hardhat/console.sol";

/// A contract for Hardhat's assertions: fails in every way that they distinguish, and has the values that they measure.
contract Bank {
    error TooLittle(uint256 wanted, string unit);

    event Paid(address indexed from, uint256 value);

    uint256 public count;
    mapping(address => uint256) public balanceOf;
    uint8[] private list;

    constructor() payable {
        balanceOf[msg.sender] = 1000;
    }

    function pay() external payable {
        count++;
        emit Paid(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        (bool isSent, ) = msg.sender.call{value: value}("");
        require(isSent, "not sent");
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    function say(uint256 value) external {
        console.log("said", value);
        count = value;
    }

    function failWithText() external {
        count++;
        revert("no");
    }

    function failWithError() external {
        count++;
        revert TooLittle(7, "wei");
    }

    function failWithPanic(uint256 by) external {
        count = 1 / by;
    }

    function failWithNothing() external {
        count++;
        revert();
    }

    function failToPop() external {
        list.pop();
    }

    function failToRead() external pure returns (uint256) {
        revert TooLittle(1, "read");
    }
}
