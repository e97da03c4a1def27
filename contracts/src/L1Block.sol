// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

/// What the layer 2 knows of its layer 1 from isthmus on: the layout and the interface of the protocol's L1Block, to
/// which each fork adds. Nodes read the slots, so their order is consensus.
contract L1BlockIsthmus {
    error NotDepositor();

    uint64 public number;
    uint64 public timestamp;
    uint256 public basefee;
    bytes32 public hash;
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    bytes32 public batcherHash;
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    uint256 public blobBaseFee;
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;
    /// Of jovian; zero before.
    uint16 internal footprintGasScalar;

    function version() external pure virtual returns (string memory) {
        return "1.6.0+tickchain";
    }

    function DEPOSITOR_ACCOUNT() public pure returns (address) {
        return 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;
    }

    function gasPayingToken() external pure returns (address, uint8) {
        return (0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE, 18);
    }

    function gasPayingTokenName() external pure returns (string memory) {
        return "Ether";
    }

    function gasPayingTokenSymbol() external pure returns (string memory) {
        return "ETH";
    }

    function isCustomGasToken() external pure returns (bool) {
        return false;
    }

    /// The form of bedrock, with ABI encoding.
    function setL1BlockValues(
        uint64 _number,
        uint64 _timestamp,
        uint256 _basefee,
        bytes32 _hash,
        uint64 _sequenceNumber,
        bytes32 _batcherHash,
        uint256 _l1FeeOverhead,
        uint256 _l1FeeScalar
    ) external {
        require(
            msg.sender == DEPOSITOR_ACCOUNT(),
            "L1Block: only the depositor account can set L1 block values"
        );
        number = _number;
        timestamp = _timestamp;
        basefee = _basefee;
        hash = _hash;
        sequenceNumber = _sequenceNumber;
        batcherHash = _batcherHash;
        l1FeeOverhead = _l1FeeOverhead;
        l1FeeScalar = _l1FeeScalar;
    }

    function setL1BlockValuesEcotone() public {
        if (msg.sender != DEPOSITOR_ACCOUNT()) revert NotDepositor();
        // Packed arguments: baseFeeScalar, blobBaseFeeScalar, sequenceNumber; timestamp, number; then words.
        assembly {
            sstore(sequenceNumber.slot, shr(128, calldataload(4)))
            sstore(number.slot, shr(128, calldataload(20)))
            sstore(basefee.slot, calldataload(36))
            sstore(blobBaseFee.slot, calldataload(68))
            sstore(hash.slot, calldataload(100))
            sstore(batcherHash.slot, calldataload(132))
        }
    }

    function setL1BlockValuesIsthmus() external {
        setL1BlockValuesEcotone();
        // operatorFeeScalar, operatorFeeConstant.
        assembly {
            sstore(operatorFeeConstant.slot, shr(160, calldataload(164)))
        }
    }
}

contract L1BlockJovian is L1BlockIsthmus {
    function version() external pure override returns (string memory) {
        return "1.7.0+tickchain";
    }

    function daFootprintGasScalar() external view returns (uint16) {
        return footprintGasScalar;
    }

    function setL1BlockValuesJovian() external {
        setL1BlockValuesEcotone();
        // operatorFeeScalar, operatorFeeConstant, and daFootprintGasScalar, which is kept above them.
        assembly {
            let scalar := shr(240, calldataload(176))
            sstore(operatorFeeConstant.slot, or(shl(96, scalar), shr(160, calldataload(164))))
        }
    }
}
