// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Counter} from "./Counter.sol";

/// Calls of calls, for the reports and the stack traces of nested calls.
contract Caller {
    Counter public immutable counter = new Counter();

    function countTwice() external {
        counter.inc();
        counter.inc();
    }

    function countByNothing() external {
        _count(0);
    }

    function askNobody() external view returns (uint256) {
        return Counter(address(0xdead)).x();
    }

    function deploy() external returns (address) {
        return address(new Counter());
    }

    /// The inner call runs out of gas, whatever the transaction has.
    function survive() external {
        try counter.inc{gas: 100}() {} catch {}
    }

    function _count(uint256 by) private {
        counter.incBy(by);
    }
}

/// Passes every call on to its implementation.
contract Proxy {
    address private immutable implementation;

    constructor(address code) {
        implementation = code;
    }

    fallback() external payable {
        (bool isDone, bytes memory data) = implementation.delegatecall(msg.data);
        assembly {
            if iszero(isDone) {
                revert(add(data, 32), mload(data))
            }
            return(add(data, 32), mload(data))
        }
    }
}
