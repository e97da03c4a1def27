// Flavor of suggested fees.

import { nextRules } from '../../node/node-state.ts'
import { suggestedTip } from '../../node/production/submit.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { ReadContext } from '../read-context.ts'

/** Hardhat's gas price before london. */
const PRE_LONDON_GAS_PRICE = 8_000_000_000n

/** The suggested tip; before london, the suggested gas price. */
export function suggestedTipIn({ config, state, options }: ReadContext): bigint {
  const isHardhats = options.flavor === 'hardhat' && !isForkActive(nextRules(config, state), 'london')
  if (!isHardhats) return suggestedTip(config, state)
  const least = state.controls.leastGasPrice
  return least > PRE_LONDON_GAS_PRICE ? least : PRE_LONDON_GAS_PRICE
}
