// Options of simulated rollups, from their seeds.

import { createRandom, type Random } from '../../scripts/fuzz/random.js'
import { OP_FORKS, type OpFork, opForksUpTo } from '../../src/core/rollup/op/forks.ts'
import type { EmulatorOptions } from '../../src/index.ts'

type RollupOptions = NonNullable<EmulatorOptions['rollup']>

/** Seeds from here on are rollups. */
export const FIRST_ROLLUP_SEED = 10_000

export function isRollup(seed: number): boolean {
  return seed >= FIRST_ROLLUP_SEED
}

/** Where a chain starts, in seconds. */
export const START_S = 1_704_067_200

/** Karst cannot activate in a running chain. */
const TIMED = opForksUpTo('denim').slice(1)

/** Forks that a chain may begin with. */
export const FIRST_FORKS = OP_FORKS

/** Forks that activate one after another or several at once, up to one that is never passed. */
export function randomTimes(random: Random): Partial<Record<OpFork, number>> {
  const last = random.below(TIMED.length + 1)
  const times: Partial<Record<OpFork, number>> = {}
  let time = 0
  for (const fork of TIMED.slice(0, random.oneIn(3) ? last : TIMED.length)) {
    const gap = random.pick([0, 0, 1, 2, 5, 12, 40])
    if (gap > 0) time = Math.max(time, START_S) + gap
    times[fork] = time
  }
  return times
}

/** Parts of a system configuration that any fork takes. */
export function randomSystem(random: Random) {
  return {
    baseFeeScalar: random.pick([0, 1368, 5_000_000]),
    blobBaseFeeScalar: random.pick([0, 810_949, 4_000_000_000]),
    overhead: random.pick(['0', '188', '2100']),
    scalar: random.pick(['0', '684000', '1000000']),
    operatorFeeScalar: random.pick([0, 0, 7, 2_000_000]),
    operatorFeeConstant: random.pick(['0', '0', '5', '1000000000']),
    minBaseFee: random.pick(['0', '0', '1000000', '3000000000']),
    daFootprintGasScalar: random.pick([0, 1, 400, 5000]),
    eip1559: {
      denominator: random.pick([2, 50, 250]),
      elasticity: random.pick([2, 6, 10]),
    },
  }
}

export function rollupOf(seed: number): RollupOptions {
  const random = createRandom(seed)
  return {
    stack: 'op',
    fork: seed % 3 === 0 ? FIRST_FORKS[(seed / 3) % FIRST_FORKS.length]! : randomTimes(random),
    ...(random.oneIn(2) ? { eip1559: { denominator: 8, elasticity: 2 } } : {}),
    systemConfig: randomSystem(random),
    l1: {
      number: random.pick([0, 19_000_000]),
      timestamp: START_S - random.pick([0, 5, 12]),
      baseFee: random.pick([1n, 1_000_000_000n, 40_000_000_000n]),
      blobBaseFee: random.pick([1n, 3_000_000n]),
      blockTimeS: random.pick([1, 12, 12, 60]),
    },
    // An L1 origin may be older than that, and its blocks take nothing from the pool.
    ...(random.oneIn(3) ? { maxSequencerDriftS: random.pick([10, 20]) } : {}),
  }
}
