// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Asks the precompile who has signed, and remembers it.
contract Recoverer {
    address public signer;

    function recover(bytes32 digest, uint8 v, bytes32 r, bytes32 s) public pure returns (address) {
        return ecrecover(digest, v, r, s);
    }

    function remember(bytes32 digest, uint8 v, bytes32 r, bytes32 s) external {
        signer = recover(digest, v, r, s);
    }
}
