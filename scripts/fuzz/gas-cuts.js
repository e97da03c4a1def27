// @ts-check
// Gas limits that end a run at each of its instructions: exactly enough to reach it, and one less.

import { runCase } from './execute.js'

/**
 * @typedef {import('./execute.js').Runner} Runner
 * @typedef {import('./world.js').Case} Case
 */

/** Gas limits inside each call of the outermost frame. */
const CUTS_IN_A_CALL = 6

/**
 * The limits, from a trace of the reference.
 * @param {Runner} reference
 * @param {Case} that
 * @param {import('./random.js').Random} random
 * @returns {Promise<bigint[]>} in ascending order
 */
export async function gasCuts(reference, that, random) {
  const { gasLimit } = that.message
  /** @type {Set<bigint>} */
  const cuts = new Set()
  /** @type {bigint | undefined} */
  let before
  let wasInside = false
  const spent = (/** @type {bigint} */ gasLeft) => gasLimit - gasLeft
  const { told } = await runCase(reference, that, async ({ evm }, run) => {
    const listener = (/** @type {import('@ethereumjs/evm').InterpreterStep} */ { depth, gasLeft }) => {
      if (depth > 0) {
        wasInside = true
        return
      }
      cuts.add(spent(gasLeft)).add(spent(gasLeft) - 1n)
      if (wasInside && before !== undefined) {
        for (let i = 0; i < CUTS_IN_A_CALL; i++) {
          const share = BigInt(random.below(1_000_001))
          cuts.add(spent(before) + ((before - gasLeft) * share) / 1_000_000n)
        }
      }
      before = gasLeft
      wasInside = false
    }
    evm.events.on('step', listener)
    try {
      return await run()
    } finally {
      evm.events.off('step', listener)
    }
  })
  if (typeof told['peakGas'] === 'bigint') cuts.add(told['peakGas']).add(told['peakGas'] - 1n)
  return [...cuts].filter((cut) => cut < gasLimit).sort((a, b) => (a < b ? -1 : 1))
}

/** @template Item @param {readonly Item[]} items @param {number} most @param {import('./random.js').Random} random */
export function sample(items, most, random) {
  const left = [...items]
  while (left.length > most) left.splice(random.below(left.length), 1)
  return left
}
