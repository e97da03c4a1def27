// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import { SystemConfig } from "src/L1/SystemConfig.sol";

/// @title SystemConfigJovian
/// @notice The system configuration with the parameters that holocene, isthmus and jovian added to its interface.
contract SystemConfigJovian is SystemConfig {
    /// @dev Values of UpdateType after those of the inherited enumeration, which Solidity cannot extend.
    uint8 internal constant EIP_1559_PARAMS = 4;
    uint8 internal constant OPERATOR_FEE_PARAMS = 5;
    uint8 internal constant MIN_BASE_FEE = 6;
    uint8 internal constant DA_FOOTPRINT_GAS_SCALAR = 7;

    /// @notice Parameters of the base fee; zeros stand for those of the chain.
    uint32 public eip1559Denominator;
    uint32 public eip1559Elasticity;

    /// @notice Parameters of the operator fee.
    uint32 public operatorFeeScalar;
    uint64 public operatorFeeConstant;

    /// @notice The least base fee in wei.
    uint64 public minBaseFee;

    /// @notice Gas per byte of estimated data; zero stands for the protocol's default.
    uint16 public daFootprintGasScalar;

    function version() public pure override returns (string memory) {
        return string.concat(super.version(), "+jovian");
    }

    function setEIP1559Params(uint32 _denominator, uint32 _elasticity) external onlyOwner {
        require(_denominator >= 1, "SystemConfig: denominator must be >= 1");
        require(_elasticity >= 1, "SystemConfig: elasticity must be >= 1");
        eip1559Denominator = _denominator;
        eip1559Elasticity = _elasticity;
        _tell(EIP_1559_PARAMS, (uint256(_denominator) << 32) | _elasticity);
    }

    function setOperatorFeeScalars(uint32 _operatorFeeScalar, uint64 _operatorFeeConstant) external onlyOwner {
        operatorFeeScalar = _operatorFeeScalar;
        operatorFeeConstant = _operatorFeeConstant;
        _tell(OPERATOR_FEE_PARAMS, (uint256(_operatorFeeScalar) << 64) | _operatorFeeConstant);
    }

    function setMinBaseFee(uint64 _minBaseFee) external onlyOwner {
        minBaseFee = _minBaseFee;
        _tell(MIN_BASE_FEE, _minBaseFee);
    }

    function setDAFootprintGasScalar(uint16 _daFootprintGasScalar) external onlyOwner {
        daFootprintGasScalar = _daFootprintGasScalar;
        _tell(DA_FOOTPRINT_GAS_SCALAR, _daFootprintGasScalar);
    }

    /// @dev Emits ConfigUpdate(VERSION, updateType, abi.encode(value)) for types that the enumeration does not have.
    function _tell(uint8 _updateType, uint256 _value) internal {
        bytes32 signature = ConfigUpdate.selector;
        bytes memory data = abi.encode(abi.encode(_value));
        uint256 updateVersion = VERSION;
        assembly {
            log3(add(data, 0x20), mload(data), signature, updateVersion, _updateType)
        }
    }
}
