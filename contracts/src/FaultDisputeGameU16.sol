// SPDX-License-Identifier: MIT
pragma solidity 0.8.15;

import "src/dispute/FaultDisputeGame.sol";

/// @title FaultDisputeGameU16
/// @notice The game with a function that upgrade 16 of the protocol added, which clients ask to find a game.
contract FaultDisputeGameU16 is FaultDisputeGame {
    constructor(
        GameType _gameType,
        Claim _absolutePrestate,
        uint256 _maxGameDepth,
        uint256 _splitDepth,
        Duration _clockExtension,
        Duration _maxClockDuration,
        IBigStepper _vm,
        IDelayedWETH _weth,
        IAnchorStateRegistry _anchorStateRegistry,
        uint256 _l2ChainId
    )
        FaultDisputeGame(
            _gameType,
            _absolutePrestate,
            _maxGameDepth,
            _splitDepth,
            _clockExtension,
            _maxClockDuration,
            _vm,
            _weth,
            _anchorStateRegistry,
            _l2ChainId
        )
    { }

    function l2SequenceNumber() external pure returns (uint256 l2SequenceNumber_) {
        l2SequenceNumber_ = l2BlockNumber();
    }
}
