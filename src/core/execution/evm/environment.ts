// Block values that transactions can read.

import type { Hash } from '../../primitives/hex.ts'
import { memoizeWeak } from '../../primitives/memoize-last.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'

export { type BlockEnvironment, environmentWith } from '../../rollup/header.ts'

/** The environment with a base fee of zero; memoized, because many calls use the same few blocks. */
export const withoutBaseFee = memoizeWeak(
  (environment: BlockEnvironment): BlockEnvironment =>
    // Inherits the other fields, which are read only when they are asked for: some need the hashes of a run of empty blocks.
    Object.create(environment, { baseFeePerGas: { value: 0n, enumerable: true } }),
)

/** The hash of an earlier block; `undefined` if it does not exist. The EVM limits BLOCKHASH to 256 blocks. */
export type BlockHashOf = (blockNumber: number) => Hash | undefined
