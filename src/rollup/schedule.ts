// Which rules hold at which block: one fork for the whole life of a chain, or the schedule of a genesis file.

import type { Address } from '../primitives/hex.ts'
import type { BombDelay } from './difficulty.ts'
import { type ForkPoints, NO_FORKS } from './fork-id.ts'
import type { Hardfork } from './hardforks.ts'
import { type BlobParameters, makeRules, type Rules } from './rules.ts'

/** A fork that a chain goes through, and when. */
export interface Activation {
  readonly hardfork: Hardfork
  /** What the schedule calls it where it is not the hardfork itself: a blob-parameter fork. */
  readonly name: string
  readonly at: { readonly block: number } | { readonly time: number } | 'merge'
  readonly blobs?: BlobParameters | undefined
}

/** The position of a block among the forks. A difficulty of zero tells that the merge has happened. */
interface ForkPoint {
  readonly number: number
  readonly timestamp: number
  readonly difficulty: bigint
}

export interface Schedule {
  readonly chainId: number
  /** In the order of the forks. */
  readonly activations: readonly Activation[]
  /** What its fork identifier counts, forks that change no rule of execution included. */
  readonly forkPoints: ForkPoints
  /**
   * Where blocks before the merge prove work, by how much the difficulty bomb is set back from which block on.
   * `undefined` where no block does: the chain has one fork, and its difficulty is zero also before the merge.
   */
  readonly bombDelays: readonly BombDelay[] | undefined
  readonly rulesAt: (point: ForkPoint) => Rules
}

type SchedulePlan = Omit<Schedule, 'rulesAt'> & { readonly depositContract: Address | undefined }

function isActive({ at }: Activation, { number, timestamp, difficulty }: ForkPoint): boolean {
  if (at === 'merge') return number > 0 && difficulty === 0n
  return 'block' in at ? number >= at.block : timestamp >= at.time
}

/** A schedule of activations; rules are made once for each. */
export function createSchedule({ depositContract, ...plan }: SchedulePlan): Schedule {
  const { chainId, activations } = plan
  const made = new Map<Activation, Rules>()
  const rulesOf = (activation: Activation): Rules => {
    let rules = made.get(activation)
    if (rules === undefined) {
      rules = makeRules(chainId, activation.hardfork, { blobs: activation.blobs, depositContract })
      made.set(activation, rules)
    }
    return rules
  }
  return {
    ...plan,
    rulesAt(point) {
      // Forks by time come after the merge, and those before it stay active.
      const active = activations.filter((activation) => isActive(activation, point))
      return rulesOf(active.at(-1) ?? (activations[0] as Activation))
    },
  }
}

/** Schedules that differ in their chain id alone, each made once. */
export function perChainId(make: (chainId: number) => Schedule): (chainId: number) => Schedule {
  const made = new Map<number, Schedule>()
  return (chainId) => {
    const schedule = made.get(chainId) ?? make(chainId)
    made.set(chainId, schedule)
    return schedule
  }
}

/** One fork from genesis on. */
export function constantSchedule(chainId: number, hardfork: Hardfork): Schedule {
  return createSchedule({
    chainId,
    activations: [{ hardfork, name: hardfork, at: { block: 0 } }],
    depositContract: undefined,
    forkPoints: NO_FORKS,
    bombDelays: undefined,
  })
}
