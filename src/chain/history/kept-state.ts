// States of archived blocks: one in a while whole, the others as the changes since the block before.

import { memoizeLast } from '../../primitives/memoize-last.ts'
import type { Code } from '../../state/account.ts'
import { applyChanges } from '../../state/state-changes.ts'
import { type CommittedState, commitState } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import { changesIn } from './packed-block.ts'

export interface WholeState {
  readonly world: WorldState
  /** The chain's first committed state, from whose tries those of later states are computed. */
  readonly origin: CommittedState
}

interface ChangedState {
  readonly before: KeptState
  /** The packed block, with the changes. */
  readonly packed: Uint8Array
  readonly codes: readonly Code[]
}

export type KeptState = WholeState | ChangedState

/** Blocks between whole states. Reading a state applies the changes of up to as many blocks. */
const WHOLE_DISTANCE = 128

/** Reads usually ask for the same states again, or for the next ones. */
const REMEMBERED_STATES = 8

function isWhole(kept: KeptState): kept is WholeState {
  return 'world' in kept
}

function applyPacked(world: WorldState, { packed, codes }: ChangedState): WorldState {
  return applyChanges(world, changesIn(packed), codes)
}

const changedWorldOf = memoizeLast<ChangedState, WorldState>(REMEMBERED_STATES, (wanted, recall) => {
  const path = [wanted]
  let kept = wanted.before
  let world = isWhole(kept) ? kept.world : recall(kept)
  while (world === undefined) {
    const changed = kept as ChangedState
    path.push(changed)
    kept = changed.before
    world = isWhole(kept) ? kept.world : recall(kept)
  }
  return path.reduceRight(applyPacked, world)
})

export function worldOf(kept: KeptState): WorldState {
  return isWhole(kept) ? kept.world : changedWorldOf(kept)
}

/** Whether the state of a block is kept whole, whatever is before it. */
export function isKeptWhole(number: number): boolean {
  return number % WHOLE_DISTANCE === 0
}

/** The state committed last on each chain. Reads of proofs usually stay close to each other. */
const lastCommitted = new WeakMap<CommittedState, CommittedState>()

function originOf(start: KeptState): CommittedState {
  let kept = start
  while (!isWhole(kept)) kept = kept.before
  return kept.origin
}

/** Commits a kept state, starting from the one that the chain has committed last. */
export function commitKept(kept: KeptState, world: WorldState): CommittedState {
  const origin = originOf(kept)
  return commitState(lastCommitted.get(origin) ?? origin, world)
}

function rememberCommitted(kept: KeptState, world: WorldState): CommittedState {
  const origin = originOf(kept)
  const last = lastCommitted.get(origin)
  if (last?.state === world) return last
  const committed = commitKept(kept, world)
  lastCommitted.set(origin, committed)
  return committed
}

/** A kept state with its tries, both computed on first use. */
export function commitKeptLazily(kept: KeptState): CommittedState {
  let world: WorldState | undefined
  const state = (): WorldState => {
    world ??= worldOf(kept)
    return world
  }
  return {
    get state() {
      return state()
    },
    get accountTrie() {
      return rememberCommitted(kept, state()).accountTrie
    },
    get storageTries() {
      return rememberCommitted(kept, state()).storageTries
    },
  }
}
