// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Every way a call can fail. Nothing is marked pure or view, so that each is also a transaction.
contract Reverter {
    uint256 public stored;

    error CustomError(uint256 code, string reason);

    function revertWithString(string calldata reason) external {
        revert(reason);
    }

    function revertWithCustomError(uint256 code, string calldata reason) external {
        revert CustomError(code, reason);
    }

    function revertEmpty() external {
        revert();
    }

    /// Panic(0x01).
    function panicAssert() external {
        assert(false);
    }

    /// Panic(0x12) when the divisor is zero.
    function divide(uint256 dividend, uint256 divisor) external returns (uint256) {
        return dividend / divisor;
    }

    /// Consumes all gas and returns no data.
    function invalidOpcode() external {
        assembly {
            invalid()
        }
    }

    /// Runs until it is out of gas.
    function loopForever() external {
        assembly {
            for {} 1 {} {}
        }
    }

    /// The write must not survive the revert.
    function writeThenRevert(uint256 value) external {
        stored = value;
        revert("written");
    }

    function deposit() external payable {
        stored += msg.value;
    }
}
