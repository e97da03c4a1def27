// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Work for the comparison of interpreters: loops that compute, and loops that access the state.
contract Work {
    mapping(uint256 => uint256) private values;

    event Counted(uint256 indexed index, uint256 value);

    function hashes(uint256 count) external pure returns (bytes32 hash) {
        for (uint256 i = 0; i < count; i++) {
            assembly ("memory-safe") {
                mstore(0, hash)
                mstore(32, i)
                hash := keccak256(0, 64)
            }
        }
    }

    function arithmetic(uint256 count) external pure returns (uint256 x) {
        x = type(uint256).max / 3;
        for (uint256 i = 1; i <= count; i++) {
            unchecked {
                x = x * 31 + i;
                x = (x / (i | 1)) ^ (x << 7) ^ (x >> 11);
                x = mulmod(x, x + i, type(uint256).max - 188);
                x = x % (type(uint256).max - i) + uint256(int256(x) / -7);
            }
        }
    }

    function fibonacci(uint256 count) external pure returns (uint256 a) {
        uint256 b = 1;
        for (uint256 i = 0; i < count; i++) {
            unchecked {
                (a, b) = (b, a + b);
            }
        }
    }

    function sort(uint256 count) external pure returns (uint256) {
        uint256[] memory list = new uint256[](count);
        for (uint256 i = 0; i < count; i++) list[i] = count - i;
        for (uint256 end = count; end > 1; end--) {
            for (uint256 i = 1; i < end; i++) {
                if (list[i - 1] > list[i]) (list[i - 1], list[i]) = (list[i], list[i - 1]);
            }
        }
        return list[0];
    }

    function write(uint256 count, uint256 value) external {
        for (uint256 i = 0; i < count; i++) values[i] = value + i;
    }

    function read(uint256 count) external view returns (uint256 sum) {
        for (uint256 i = 0; i < count; i++) sum += values[i];
    }

    function emitLogs(uint256 count) external {
        for (uint256 i = 0; i < count; i++) emit Counted(i, i * i);
    }
}
