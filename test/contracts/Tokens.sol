// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Everything in storage, one value a slot.
contract PlainToken {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint256 initialSupply) {
        totalSupply = initialSupply;
        balanceOf[msg.sender] = initialSupply;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }
}

/// Has the storage of a token, and the code of another one (EIP-1967).
contract ProxyToken {
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address implementation) {
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
    }

    fallback() external {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(IMPLEMENTATION), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// Keeps its balances in another contract.
contract LedgerToken {
    PlainToken private ledger;

    constructor(PlainToken ledger_) {
        ledger = ledger_;
    }

    function balanceOf(address account) external view returns (uint256) {
        return ledger.balanceOf(account);
    }
}

/// Hashes the slot of a mapping before the key, as Vyper does.
contract VyperToken {
    function balanceOf(address account) external view returns (uint256 value) {
        assembly {
            mstore(0, 5)
            mstore(32, account)
            value := sload(keccak256(0, 64))
        }
    }

    function allowance(address owner, address spender) external view returns (uint256 value) {
        assembly {
            mstore(0, 6)
            mstore(32, owner)
            mstore(0, keccak256(0, 64))
            mstore(32, spender)
            value := sload(keccak256(0, 64))
        }
    }
}

/// A balance shares its slot with something else.
contract PackedToken {
    struct Holder {
        uint128 balance;
        uint128 flags;
    }

    mapping(address => Holder) public holders;

    constructor() {
        holders[msg.sender] = Holder(7, 1);
    }

    function balanceOf(address account) external view returns (uint256) {
        return holders[account].balance;
    }
}

/// A balance is worked out from shares.
contract ScaledToken {
    mapping(address => uint256) private shares;

    function balanceOf(address account) external view returns (uint256) {
        return shares[account] * 2;
    }
}

/// A balance has 96 bits.
contract NarrowToken {
    mapping(address => uint96) private balances;

    function balanceOf(address account) external view returns (uint256) {
        return balances[account];
    }
}
