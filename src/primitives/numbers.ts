// The most that a word of the EVM holds, and the order of the curve secp256k1.

export const MAX_UINT256 = 2n ** 256n - 1n

/** The number of points on secp256k1: what private keys, r and s are below (SEC 2, 2.4.1). */
export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The most that s may be where a signature must not be malleable (EIP-2). */
export const HALF_CURVE_ORDER = CURVE_ORDER / 2n
