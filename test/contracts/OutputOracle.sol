// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The interface of L2OutputOracle, which portals before version 3 prove against, as far as clients read it.
contract OutputOracle {
    struct Output {
        bytes32 outputRoot;
        uint128 timestamp;
        uint128 l2BlockNumber;
    }

    uint256 public constant SUBMISSION_INTERVAL = 30;
    uint256 public constant L2_BLOCK_TIME = 2;
    Output[] private outputs;

    function propose(bytes32 outputRoot, uint128 l2BlockNumber) external {
        outputs.push(Output(outputRoot, uint128(block.timestamp), l2BlockNumber));
    }

    function latestOutputIndex() external view returns (uint256) {
        return outputs.length - 1;
    }

    function getL2Output(uint256 index) external view returns (Output memory) {
        return outputs[index];
    }

    function getL2OutputIndexAfter(uint256 l2BlockNumber) external view returns (uint256 index) {
        while (index < outputs.length && outputs[index].l2BlockNumber < l2BlockNumber) index++;
        require(index < outputs.length, "L2OutputOracle: cannot get output for a block that has not been proposed");
    }
}
