// Block overrides of eth_call and eth_simulateV1, with the fields of geth and the execution-apis.

import type { Address, Hash } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { type BlockEnvironment, environmentWith } from '../evm/environment.ts'

/** Values in place of the block's own; `undefined` keeps a field. */
export interface BlockOverrides {
  readonly number: number | undefined
  /** Seconds. */
  readonly timestamp: number | undefined
  readonly coinbase: Address | undefined
  readonly gasLimit: bigint | undefined
  readonly prevRandao: Hash | undefined
  readonly baseFeePerGas: bigint | undefined
  readonly blobBaseFee: bigint | undefined
  /** No effect after the merge. */
  readonly difficulty: bigint | undefined
}

/** The environment with overrides applied; `rules` are those for the overridden number and time. */
export function overrideEnvironment(
  rules: Rules,
  environment: BlockEnvironment,
  overrides: BlockOverrides,
): BlockEnvironment {
  const difficulty = isForkActive(rules, 'paris') ? 0n : (overrides.difficulty ?? environment.difficulty)
  return environmentWith(environment, {
    number: overrides.number ?? environment.number,
    timestamp: overrides.timestamp ?? environment.timestamp,
    coinbase: overrides.coinbase ?? environment.coinbase,
    gasLimit: overrides.gasLimit ?? environment.gasLimit,
    prevRandao: overrides.prevRandao ?? environment.prevRandao,
    baseFeePerGas: overrides.baseFeePerGas ?? environment.baseFeePerGas,
    blobBaseFee: overrides.blobBaseFee ?? environment.blobBaseFee,
    difficulty,
  })
}
