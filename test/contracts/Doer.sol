// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Does what its input says, and keeps a digest of all that it sees: slots, gas, output, balances, the block.
/// The digest is what it returns, or reverts with. test/differential/scripts.ts writes the input.
contract Doer {
    fallback() external payable {
        assembly {
            // Memory: 0x00 the digest, 0x20 a word, 0x40 the contract that was made last, 0x60 output, 0x100 input.
            function note(value) {
                mstore(0x20, value)
                mstore(0x00, keccak256(0x00, 0x40))
            }
            function operand(at, size) -> value {
                value := shr(sub(256, mul(8, size)), calldataload(at))
            }
            function place(at) -> target {
                target := operand(at, 20)
                if iszero(target) { target := mload(0x40) }
            }

            let at := 0
            for { } lt(at, calldatasize()) { } {
                let action := operand(at, 1)
                at := add(at, 1)
                switch action
                // slot, value
                case 1 {
                    sstore(operand(at, 1), operand(add(at, 1), 1))
                    at := add(at, 2)
                }
                // slot
                case 2 {
                    note(sload(operand(at, 1)))
                    at := add(at, 1)
                }
                // slot, value
                case 3 {
                    tstore(operand(at, 1), operand(add(at, 1), 1))
                    at := add(at, 2)
                }
                // slot
                case 4 {
                    note(tload(operand(at, 1)))
                    at := add(at, 1)
                }
                // kind, target (20), gas (3, the most means all), value, output length, input length (2), input
                case 5 {
                    let kind := operand(at, 1)
                    let target := place(add(at, 1))
                    let limit := operand(add(at, 21), 3)
                    if eq(limit, 0xffffff) { limit := gas() }
                    let value := operand(add(at, 24), 1)
                    let outputSize := operand(add(at, 25), 1)
                    let size := operand(add(at, 26), 2)
                    at := add(at, 28)
                    calldatacopy(0x100, at, size)
                    at := add(at, size)
                    let isDone
                    switch kind
                    case 0 { isDone := call(limit, target, value, 0x100, size, 0x60, outputSize) }
                    case 1 { isDone := callcode(limit, target, value, 0x100, size, 0x60, outputSize) }
                    case 2 { isDone := delegatecall(limit, target, 0x100, size, 0x60, outputSize) }
                    default { isDone := staticcall(limit, target, 0x100, size, 0x60, outputSize) }
                    note(isDone)
                    note(keccak256(0x60, outputSize))
                    note(returndatasize())
                    returndatacopy(0x100, 0, returndatasize())
                    note(keccak256(0x100, returndatasize()))
                }
                // salt (0: none), value, input length (2), input
                case 6 {
                    let salt := operand(at, 1)
                    let value := operand(add(at, 1), 1)
                    let size := operand(add(at, 2), 2)
                    at := add(at, 4)
                    calldatacopy(0x100, at, size)
                    at := add(at, size)
                    let made
                    switch salt
                    case 0 { made := create(value, 0x100, size) }
                    default { made := create2(value, 0x100, size, salt) }
                    mstore(0x40, made)
                    note(made)
                    note(returndatasize())
                    note(extcodehash(made))
                }
                // beneficiary (20)
                case 7 { selfdestruct(place(at)) }
                case 8 { revert(0x00, 0x20) }
                case 9 { invalid() }
                // account (20)
                case 10 {
                    let target := place(at)
                    at := add(at, 20)
                    note(balance(target))
                    note(extcodesize(target))
                    note(extcodehash(target))
                    extcodecopy(target, 0x100, 1, 100)
                    note(keccak256(0x100, 100))
                }
                case 11 { note(gas()) }
                // first slot (2), count (2), value
                case 12 {
                    let slot := operand(at, 2)
                    let end := add(slot, operand(add(at, 2), 2))
                    let value := operand(add(at, 4), 1)
                    at := add(at, 5)
                    for { } lt(slot, end) { slot := add(slot, 1) } { sstore(slot, value) }
                }
                // first slot (2), count (2)
                case 13 {
                    let slot := operand(at, 2)
                    let end := add(slot, operand(add(at, 2), 2))
                    at := add(at, 4)
                    for { } lt(slot, end) { slot := add(slot, 1) } { note(sload(slot)) }
                }
                // length (2)
                case 14 { return(0x00, operand(at, 2)) }
                case 15 { log2(0x00, 0x20, calldatasize(), mload(0x00)) }
                // kind: the same input to itself, until there is no more gas or depth
                case 16 {
                    let kind := operand(at, 1)
                    at := add(at, 1)
                    calldatacopy(0x100, 0, calldatasize())
                    switch kind
                    case 0 { note(call(gas(), address(), 0, 0x100, calldatasize(), 0x60, 0x20)) }
                    case 1 { note(callcode(gas(), address(), 0, 0x100, calldatasize(), 0x60, 0x20)) }
                    case 2 { note(delegatecall(gas(), address(), 0x100, calldatasize(), 0x60, 0x20)) }
                    default { note(staticcall(gas(), address(), 0x100, calldatasize(), 0x60, 0x20)) }
                    note(mload(0x60))
                    note(returndatasize())
                }
                case 17 {
                    note(number())
                    note(timestamp())
                    note(coinbase())
                    note(prevrandao())
                    note(gaslimit())
                    note(basefee())
                    note(chainid())
                    note(blockhash(sub(number(), 1)))
                    note(origin())
                    note(gasprice())
                    note(caller())
                    note(callvalue())
                    note(address())
                    note(selfbalance())
                    note(codesize())
                }
                // first slot (2), count (2)
                case 18 {
                    let slot := operand(at, 2)
                    let end := add(slot, operand(add(at, 2), 2))
                    at := add(at, 4)
                    for { } lt(slot, end) { slot := add(slot, 1) } {
                        tstore(slot, add(tload(slot), 1))
                        note(tload(sub(slot, 1)))
                    }
                }
            }
            return(0x00, 0x20)
        }
    }
}
