// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What hardhat's console.sol does with each of its calls.
function sendLogPayload(bytes memory payload) view {
    assembly {
        pop(staticcall(gas(), 0x000000000000000000636F6e736F6c652e6c6f67, add(payload, 32), mload(payload), 0, 0))
    }
}

function log(string memory text) view {
    sendLogPayload(abi.encodeWithSignature("log(string)", text));
}

/// Says that it is made.
contract Constructed {
    constructor() payable {
        log("constructed");
    }
}

/// Says things from wherever code can run.
contract Console {
    error InsufficientBalance(uint256 available, uint256 required);

    uint256 public stored;

    function say(string calldata text) external {
        log(text);
        stored++;
    }

    function sayInView(string calldata text) external view returns (uint256) {
        log(text);
        return stored;
    }

    /// Any payload at all.
    function send(bytes[] calldata payloads) external {
        for (uint256 i = 0; i < payloads.length; i++) sendLogPayload(payloads[i]);
        stored++;
    }

    function sayAndRevert(string calldata text) public {
        stored++;
        log(text);
        revert InsufficientBalance(1, 2);
    }

    /// The inner call is undone, and what it said is not.
    function sayInRevertedCall(string calldata text) external {
        log("before");
        try this.sayAndRevert(text) {} catch {}
        log("after");
    }

    /// Runs itself by proxy: the code of `implementation` on the storage of this.
    function sayInDelegateCall(address implementation, string calldata text) external {
        (bool isDone, ) = implementation.delegatecall(abi.encodeCall(this.say, (text)));
        require(isDone);
    }

    function sayInCreation() external {
        new Constructed();
    }

    function sayTwiceAround(string calldata text) external {
        log(text);
        this.say(text);
        log(text);
    }

    function sayUntilOutOfGas() external {
        log("begun");
        while (true) stored++;
    }

    /// Calls an address five times, in every way, and says what each took: gas, success, size of what was returned.
    function measure(address target, bytes memory data) external payable returns (uint256[15] memory taken) {
        for (uint256 i = 0; i < 5; i++) {
            assembly {
                let start := add(data, 32)
                let size := mload(data)
                let done
                let before := gas()
                switch i
                case 0 { done := staticcall(100000, target, start, size, 0, 0) }
                case 1 { done := call(100000, target, 0, start, size, 0, 0) }
                case 2 { done := delegatecall(100000, target, start, size, 0, 0) }
                case 3 { done := callcode(100000, target, 0, start, size, 0, 0) }
                default { done := call(100000, target, callvalue(), start, size, 0, 0) }
                let used := sub(before, gas())
                mstore(add(taken, mul(i, 96)), used)
                mstore(add(add(taken, mul(i, 96)), 32), done)
                mstore(add(add(taken, mul(i, 96)), 64), returndatasize())
            }
        }
    }
}

/// Custom errors of all kinds.
contract Errors {
    struct Point {
        int128 x;
        int128 y;
    }

    error InsufficientBalance(uint256 available, uint256 required);
    error Unauthorized(address account, string role);
    error Complex(Point center, uint8[2][] pairs, bytes data, bytes4 selector, bool isFinal);
    error Nothing();

    function insufficient(uint256 available, uint256 required) external pure {
        revert InsufficientBalance(available, required);
    }

    function unauthorized(address account, string calldata role) external pure {
        revert Unauthorized(account, role);
    }

    function complex() external pure {
        uint8[2][] memory pairs = new uint8[2][](2);
        pairs[0] = [1, 2];
        pairs[1] = [3, 4];
        revert Complex(Point(-1, 2), pairs, hex"c0ffee", 0x12345678, true);
    }

    function nothing() external pure {
        revert Nothing();
    }

    /// What is no encoding of the error that it begins like.
    function returnRaw(bytes calldata data) external pure {
        assembly {
            calldatacopy(0, data.offset, data.length)
            revert(0, data.length)
        }
    }
}
