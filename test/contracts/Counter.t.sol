// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import { Counter } from "./Counter.sol";

contract CounterTest {
    Counter private counter;

    function setUp() public {
        counter = new Counter();
        counter.add(10);
    }

    function test_increment() public {
        counter.increment();
        require(counter.count() == 11, "not one more");
    }

    /// Adding on top of ten has an overflow.
    function testFuzz_add(uint256 amount) public {
        counter.add(amount);
        require(counter.count() - amount == 10, "not as much more");
    }
}
