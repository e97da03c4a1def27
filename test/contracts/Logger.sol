// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Logger {
    event Event1(uint256 indexed i, address indexed by);

    function emitMany(uint256 n) external {
        for (uint256 i = 0; i < n; i++) emit Event1(i, msg.sender);
    }

    function log0(bytes memory data) external {
        assembly {
            log0(add(data, 0x20), mload(data))
        }
    }

    function log1(bytes memory data, bytes32 topic0) external {
        assembly {
            log1(add(data, 0x20), mload(data), topic0)
        }
    }

    function log2(bytes memory data, bytes32 topic0, bytes32 topic1) external {
        assembly {
            log2(add(data, 0x20), mload(data), topic0, topic1)
        }
    }

    function log3(bytes memory data, bytes32 topic0, bytes32 topic1, bytes32 topic2) external {
        assembly {
            log3(add(data, 0x20), mload(data), topic0, topic1, topic2)
        }
    }

    function log4(bytes memory data, bytes32 topic0, bytes32 topic1, bytes32 topic2, bytes32 topic3) external {
        assembly {
            log4(add(data, 0x20), mload(data), topic0, topic1, topic2, topic3)
        }
    }
}
