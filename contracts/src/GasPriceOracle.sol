// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { LibZip } from "solady/src/utils/LibZip.sol";

interface IL1Block {
    function basefee() external view returns (uint256);
    function blobBaseFee() external view returns (uint256);
    function baseFeeScalar() external view returns (uint32);
    function blobBaseFeeScalar() external view returns (uint32);
    function l1FeeOverhead() external view returns (uint256);
    function l1FeeScalar() external view returns (uint256);
    function operatorFeeScalar() external view returns (uint32);
    function operatorFeeConstant() external view returns (uint64);
}

/// Estimates of fees from isthmus on: the layout and the interface of the protocol's GasPriceOracle, to which each fork
/// adds. The formulas of bedrock, ecotone and fjord are those of GasPriceOracle 1.3.0 in
/// contracts-bedrock 0.17.3 (MIT).
contract GasPriceOracleIsthmus {
    uint256 public constant DECIMALS = 6;

    IL1Block internal constant L1_BLOCK = IL1Block(0x4200000000000000000000000000000000000015);
    address internal constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    /// A transaction's signature and what else is not in its unsigned form, in bytes.
    uint256 private constant SIGNATURE_SIZE = 68;

    bool public isEcotone;
    bool public isFjord;
    bool public isIsthmus;
    /// Of jovian; false before.
    bool internal hasJovian;

    function version() external pure virtual returns (string memory) {
        return "1.4.0+tickchain";
    }

    function setEcotone() external {
        require(
            msg.sender == DEPOSITOR_ACCOUNT,
            "GasPriceOracle: only the depositor account can set isEcotone flag"
        );
        require(!isEcotone, "GasPriceOracle: Ecotone already active");
        isEcotone = true;
    }

    function setFjord() external {
        require(msg.sender == DEPOSITOR_ACCOUNT, "GasPriceOracle: only the depositor account can set isFjord flag");
        require(isEcotone, "GasPriceOracle: Fjord can only be activated after Ecotone");
        require(!isFjord, "GasPriceOracle: Fjord already active");
        isFjord = true;
    }

    function setIsthmus() external {
        require(
            msg.sender == DEPOSITOR_ACCOUNT,
            "GasPriceOracle: only the depositor account can set isIsthmus flag"
        );
        require(isFjord, "GasPriceOracle: Isthmus can only be activated after Fjord");
        require(!isIsthmus, "GasPriceOracle: Isthmus already active");
        isIsthmus = true;
    }

    function getL1Fee(bytes memory _data) external view returns (uint256) {
        if (isFjord) return _fjordFee(LibZip.flzCompress(_data).length + SIGNATURE_SIZE);
        uint256 gasUsed = _calldataGas(_data);
        if (isEcotone) return gasUsed * _feeScaled() / (16 * 10 ** DECIMALS);
        return (gasUsed + L1_BLOCK.l1FeeOverhead()) * l1BaseFee() * L1_BLOCK.l1FeeScalar() / 10 ** DECIMALS;
    }

    /// Assumes that compression adds to the size, by what is enough for 99.99 % of transactions.
    function getL1FeeUpperBound(uint256 _unsignedTxSize) external view returns (uint256) {
        require(isFjord, "GasPriceOracle: getL1FeeUpperBound only supports Fjord");
        uint256 size = _unsignedTxSize + SIGNATURE_SIZE;
        return _fjordFee(size + size / 255 + 16);
    }

    function getL1GasUsed(bytes memory _data) external view returns (uint256) {
        if (isFjord) return _fjordSize(LibZip.flzCompress(_data).length + SIGNATURE_SIZE) * 16 / 1e6;
        uint256 gasUsed = _calldataGas(_data);
        return isEcotone ? gasUsed : gasUsed + L1_BLOCK.l1FeeOverhead();
    }

    function getOperatorFee(uint256 _gasUsed) external view returns (uint256) {
        if (!isIsthmus) return 0;
        uint256 scaled = _saturatingMul(_gasUsed, L1_BLOCK.operatorFeeScalar());
        uint256 fee = hasJovian ? _saturatingMul(scaled, 100) : scaled / 1e6;
        return _saturatingAdd(fee, L1_BLOCK.operatorFeeConstant());
    }

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function overhead() external view returns (uint256) {
        require(!isEcotone, "GasPriceOracle: overhead() is deprecated");
        return L1_BLOCK.l1FeeOverhead();
    }

    function scalar() external view returns (uint256) {
        require(!isEcotone, "GasPriceOracle: scalar() is deprecated");
        return L1_BLOCK.l1FeeScalar();
    }

    function l1BaseFee() public view returns (uint256) {
        return L1_BLOCK.basefee();
    }

    function blobBaseFee() public view returns (uint256) {
        return L1_BLOCK.blobBaseFee();
    }

    function baseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.baseFeeScalar();
    }

    function blobBaseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.blobBaseFeeScalar();
    }

    function decimals() external pure returns (uint256) {
        return DECIMALS;
    }

    function _feeScaled() internal view returns (uint256) {
        return uint256(baseFeeScalar()) * 16 * l1BaseFee() + uint256(blobBaseFeeScalar()) * blobBaseFee();
    }

    function _calldataGas(bytes memory _data) internal pure returns (uint256 total) {
        total = SIGNATURE_SIZE * 16;
        for (uint256 i = 0; i < _data.length; i++) {
            total += _data[i] == 0 ? 4 : 16;
        }
    }

    function _fjordFee(uint256 _fastLzSize) internal view returns (uint256) {
        return _fjordSize(_fastLzSize) * _feeScaled() / 10 ** (DECIMALS * 2);
    }

    /// The estimated size in a batch, in millionths of a byte: a linear regression, and at least 100 bytes.
    function _fjordSize(uint256 _fastLzSize) internal pure returns (uint256) {
        int256 size = int256(_fastLzSize * 836_500) - 42_585_600;
        return size < 100e6 ? 100e6 : uint256(size);
    }

    function _saturatingMul(uint256 _a, uint256 _b) internal pure returns (uint256) {
        unchecked {
            uint256 product = _a * _b;
            return _a == 0 || product / _a == _b ? product : type(uint256).max;
        }
    }

    function _saturatingAdd(uint256 _a, uint256 _b) internal pure returns (uint256) {
        unchecked {
            uint256 sum = _a + _b;
            return sum < _a ? type(uint256).max : sum;
        }
    }
}

contract GasPriceOracleJovian is GasPriceOracleIsthmus {
    function version() external pure override returns (string memory) {
        return "1.6.0+tickchain";
    }

    function isJovian() external view returns (bool) {
        return hasJovian;
    }

    function setJovian() external {
        require(msg.sender == DEPOSITOR_ACCOUNT, "GasPriceOracle: only the depositor account can set isJovian flag");
        require(isIsthmus, "GasPriceOracle: Jovian can only be activated after Isthmus");
        require(!hasJovian, "GasPriceOracle: Jovian already active");
        hasJovian = true;
    }
}
