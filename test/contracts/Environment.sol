// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What a contract sees of the block and of the transaction.
contract Environment {
    uint256 public recordedNumber;
    uint256 public recordedTimestamp;
    uint256 public recordedPrevRandao;
    bytes32 public recordedParentHash;

    function number() external view returns (uint256) {
        return block.number;
    }

    function timestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function coinbase() external view returns (address) {
        return block.coinbase;
    }

    function prevRandao() external view returns (uint256) {
        return block.prevrandao;
    }

    function gasLimit() external view returns (uint256) {
        return block.gaslimit;
    }

    function chainId() external view returns (uint256) {
        return block.chainid;
    }

    function blockHash(uint256 n) external view returns (bytes32) {
        return blockhash(n);
    }

    function origin() external view returns (address) {
        return tx.origin;
    }

    function gasPrice() external view returns (uint256) {
        return tx.gasprice;
    }

    function sender() external view returns (address) {
        return msg.sender;
    }

    function record() external {
        recordedNumber = block.number;
        recordedTimestamp = block.timestamp;
        recordedPrevRandao = block.prevrandao;
        recordedParentHash = blockhash(block.number - 1);
    }
}
