// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

/// The milliseconds of the current block's time (denim), with the interface of the protocol's predeploy.
contract BaseTime {
    error BaseTime_NotDepositor();
    error BaseTime_InvalidTimestampMillisPart();

    string public constant version = "1.0.0";
    address internal constant DEPOSITOR = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    uint16 public timestampMillisPart;

    function timestampMs() external view returns (uint64) {
        return uint64(block.timestamp * 1000 + timestampMillisPart);
    }

    function setTimestampMillisPart(uint16 part) external {
        if (msg.sender != DEPOSITOR) revert BaseTime_NotDepositor();
        if (part > 800 || part % 200 != 0) revert BaseTime_InvalidTimestampMillisPart();
        timestampMillisPart = part;
    }
}
