// A block's environment as somebody wants it to be for one call, in the fields that geth and the execution-apis name.

import type { Address, Hash } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { BlockEnvironment } from '../evm/environment.ts'

/** What a block has instead of its own; `undefined` leaves a field as it is. */
export interface BlockOverrides {
  readonly number: number | undefined
  /** Seconds. */
  readonly timestamp: number | undefined
  readonly coinbase: Address | undefined
  readonly gasLimit: bigint | undefined
  readonly prevRandao: Hash | undefined
  readonly baseFeePerGas: bigint | undefined
  readonly blobBaseFee: bigint | undefined
  /** Without effect since the merge. */
  readonly difficulty: bigint | undefined
}

/** The environment under overrides; `rules` are those of the number and time that it has then. */
export function overrideEnvironment(
  rules: Rules,
  environment: BlockEnvironment,
  overrides: BlockOverrides,
): BlockEnvironment {
  const difficulty = isForkActive(rules, 'paris') ? 0n : (overrides.difficulty ?? environment.difficulty)
  return {
    ...environment,
    number: overrides.number ?? environment.number,
    timestamp: overrides.timestamp ?? environment.timestamp,
    coinbase: overrides.coinbase ?? environment.coinbase,
    gasLimit: overrides.gasLimit ?? environment.gasLimit,
    prevRandao: overrides.prevRandao ?? environment.prevRandao,
    baseFeePerGas: overrides.baseFeePerGas ?? environment.baseFeePerGas,
    blobBaseFee: overrides.blobBaseFee ?? environment.blobBaseFee,
    difficulty,
  }
}
