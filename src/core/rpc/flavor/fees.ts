// Flavor of fees: suggestions before london, and histories of fees.

import type { BlockView } from '../../chain/view.ts'
import { nextRules } from '../../node/node-state.ts'
import { suggestedTip } from '../../node/production/submit.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { ReadContext } from '../read-context.ts'
import type { Flavor } from './flavor.ts'
import { INVALID_INPUT } from './hardhat-messages.ts'

/** Hardhat's gas price before london. */
const PRE_LONDON_GAS_PRICE = 8_000_000_000n

/** The suggested tip; before london, the suggested gas price. */
export function suggestedTipIn({ config, state, options }: ReadContext): bigint {
  const isHardhats = options.flavor === 'hardhat' && !isForkActive(nextRules(config, state), 'london')
  if (!isHardhats) return suggestedTip(config, state)
  const least = state.controls.leastGasPrice
  return least > PRE_LONDON_GAS_PRICE ? least : PRE_LONDON_GAS_PRICE
}

/** The blob base fee. Hardhat's is zero before cancun. */
export function shownBlobBaseFee({ config, options, state }: ReadContext, fee: bigint): bigint {
  return options.flavor !== 'hardhat' || isForkActive(nextRules(config, state), 'cancun') ? fee : 0n
}

const MAX_BLOCKS = 1024

function refuseHistory(words: string): never {
  throw reworded(failure('feeHistoryPercentile', { reason: '' }), INVALID_INPUT, words)
}

/** Refuses what Hardhat's history does not have: no blocks, more than 1024. */
export function checkHistory(flavor: Flavor, blockCount: number): void {
  if (flavor !== 'hardhat') return
  if (blockCount === 0) refuseHistory('blockCount should be at least 1')
  if (blockCount > MAX_BLOCKS) refuseHistory(`blockCount should be at most ${MAX_BLOCKS}`)
}

/** The gas that a percentile stands for: a part of the gas used; in hardhat, of the block's gas limit. */
export function gasAtPercentile(
  flavor: Flavor,
  { environment, executed }: BlockView,
  percentile: number,
): bigint {
  const whole =
    flavor === 'hardhat' ? environment.gasLimit : (executed.at(-1)?.receipt.cumulativeGasUsed ?? 0n)
  return BigInt(Math.floor((Number(whole) * percentile) / 100))
}

/** The tip beyond the last transaction: none; in hardhat, that of the last. */
export function tipBeyond<Paid extends { readonly tip: bigint }>(
  flavor: Flavor,
  tips: readonly Paid[],
): bigint {
  return flavor === 'hardhat' ? (tips.at(-1)?.tip ?? 0n) : 0n
}
