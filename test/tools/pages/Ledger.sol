// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Bank {
    error Short(uint256 have, uint256 need);
    event Paid(address indexed to, uint256 amount);

    mapping(address => uint256) public owed;
    uint128 public paid;
    uint128 public count;

    function credit(address to, uint256 amount) external {
        owed[to] += amount;
    }

    function pay(address to, uint256 amount) external returns (uint256) {
        count += 1;
        take(to, amount);
        emit Paid(to, amount);
        return owed[to];
    }

    function take(address from, uint256 amount) internal {
        check(
            owed[from],
            amount
        );
        owed[from] -= amount;
        paid += uint128(amount);
    }

    function check(uint256 have, uint256 need) internal pure {
        if (have < need) {
            revert Short(have, need);
        }
    }
}

contract Ledger {
    Bank public bank = new Bank();
    uint256 public failures;

    function settle(address to, uint256 amount) external {
        bank.credit(to, 5);
        bank.pay(to, amount);
    }

    function trySettle(address to, uint256 amount) external {
        try bank.pay(to, amount) {
            failures = 0;
        } catch {
            failures += 1;
        }
    }

    function settleOrGiveUp(address to, uint256 amount) external {
        try bank.pay(to, amount) {
            failures = 0;
        } catch {
            revert('given up');
        }
    }

    function sum(uint256 rounds) external pure returns (uint256 total) {
        for (uint256 i = 0; i < rounds; i++) total += i;
    }
}
