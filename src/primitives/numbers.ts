// Bounds of integers in the EVM and on the wire.

export const MAX_UINT64 = 2n ** 64n - 1n
export const MAX_UINT256 = 2n ** 256n - 1n
