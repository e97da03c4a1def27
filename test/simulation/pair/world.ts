// Options of simulated pairs, from their seeds.

import { createRandom } from '../../../scripts/fuzz/random.js'
import type { CreateRollupOptions, Layer2Options } from '../../../src/tools/pair/options.ts'
import { FIRST_FORKS, randomSystem, randomTimes } from '../rollup-world.ts'

/**
 * Whether a seed's commands are only those that the protocol has, too: no layer 2 block then comes at another time than
 * the protocol's, so that another node derives the same chain from the layer 1.
 */
export function isByProtocol(seed: number): boolean {
  return seed % 2 === 0
}

function l2Of(seed: number, index: number, l1ConfirmationDepth: number): Layer2Options {
  const random = createRandom(1000 * seed + index)
  const fork = random.oneIn(2) ? FIRST_FORKS[(seed + index) % FIRST_FORKS.length]! : randomTimes(random)
  return {
    chainId: 901 + index,
    seed: seed + index,
    ...(isByProtocol(seed) ? {} : { production: random.pick(['interval', 'interval', 'auto', 'manual']) }),
    ...(random.oneIn(4) && fork !== 'denim' ? { blockTimeMs: 1000, partialBlockTimeMs: 250 } : {}),
    rollup: {
      fork,
      systemConfig: randomSystem(random),
      // More than the layer 1's confirmation depth takes.
      ...(random.oneIn(3)
        ? { maxSequencerDriftS: random.pick(l1ConfirmationDepth === 0 ? [14, 30] : [61, 90]) }
        : {}),
    },
  }
}

export function pairOptionsOf(seed: number): CreateRollupOptions {
  const random = createRandom(seed)
  const chains = random.oneIn(3) ? 2 : 1
  const l1ConfirmationDepth = random.pick([0, 0, 1, 3])
  return {
    l1: {
      seed,
      safeLag: random.pick([1, 2]),
      finalizedLag: random.pick([3, 6]),
      ...(isByProtocol(seed) ? {} : { production: random.pick(['interval', 'interval', 'auto']) }),
    },
    l2: Array.from({ length: chains }, (_, index) => l2Of(seed, index, l1ConfirmationDepth)),
    withdrawals: { proofMaturityDelayS: 24, finalityDelayS: 12, maxClockDurationS: 36 },
    batcher: { intervalS: random.pick([12, 24, 60]), maxTransactionBytes: random.pick([120, 400, 120_000]) },
    proposer: { intervalS: random.pick([24, 36]) },
    sequencingWindow: random.pick([5, 8, 3600]),
    channelTimeout: random.pick([2, 50]),
    l1ConfirmationDepth,
  }
}
