// Bounds of integers, and the order of the curve secp256k1.

export const MAX_UINT64 = 2n ** 64n - 1n
/** The most that a header's gas limit may be, 2^63 - 1 (geth, params.MaxGasLimit). */
export const MAX_GAS_LIMIT = 2n ** 63n - 1n
export const MAX_UINT256 = 2n ** 256n - 1n
/** The last second of the year 9999, where the clock stops. */
export const LATEST_TIMESTAMP = 253_402_300_799

/** The number of points on secp256k1: what private keys, r and s are below (SEC 2, 2.4.1). */
export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The most that s may be where a signature must not be malleable (EIP-2). */
export const HALF_CURVE_ORDER = CURVE_ORDER / 2n

/** The number of leading indexes below `count` for which a condition holds; it must hold for no index after them. */
export function countWhile(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
