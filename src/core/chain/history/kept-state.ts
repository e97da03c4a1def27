// States of archived blocks: one in a while whole, the others as the changes since the block before.

import { createLruCache } from '../../primitives/lru-cache.ts'
import { applyChanges } from '../../state/state-changes.ts'
import * as tries from '../../state/state-tries.ts'
import type { Code, WorldState } from '../../state/world-state.ts'
import { changesIn } from './packed-block.ts'

export interface WholeState {
  readonly world: WorldState
  /** The chain's first committed state, from whose tries those of later states are computed. */
  readonly origin: tries.CommittedState
}

interface ChangedState {
  readonly before: KeptState
  /** That of the whole state before. */
  readonly origin: tries.CommittedState
  /** The packed block, with the changes. */
  readonly packed: Uint8Array
  readonly codes: readonly Code[]
  /** Bytes of changes since the last whole state, these included. */
  readonly changedBytes: number
}

export type KeptState = WholeState | ChangedState

/**
 * Changes after which a state is kept whole: up to as many are applied to read one. Those of 24 hours of 2 s blocks are
 * twice as many. More frequent whole states would keep more versions of the ring contracts (EIP-4788, EIP-2935) in
 * memory than all else that a block leaves.
 */
const MOST_CHANGED_BYTES = 4_000_000

/** Among the states computed on the way to the one that is read, one in this many is remembered. */
const REMEMBERED_DISTANCE = 256
const REMEMBERED_STATES = 64

const remembered = createLruCache<ChangedState, WorldState>(REMEMBERED_STATES)

function isWhole(kept: KeptState): kept is WholeState {
  return 'world' in kept
}

export function isKeptWhole(changedBytes: number): boolean {
  return changedBytes > MOST_CHANGED_BYTES
}

export function changedBytesOf(kept: KeptState): number {
  return isWhole(kept) ? 0 : kept.changedBytes
}

/** The states from a kept one back to one that need not be computed, and that one. */
function pathTo(wanted: KeptState): { readonly path: readonly ChangedState[]; readonly world: WorldState } {
  const path: ChangedState[] = []
  let kept = wanted
  while (!isWhole(kept)) {
    const world = remembered.get(kept)
    if (world !== undefined) return { path, world }
    path.push(kept)
    kept = kept.before
  }
  return { path, world: kept.world }
}

export function worldOf(kept: KeptState): WorldState {
  const start = pathTo(kept)
  let { world } = start
  for (let index = start.path.length - 1; index >= 0; index--) {
    const state = start.path[index] as ChangedState
    world = applyChanges(world, changesIn(state.packed), state.codes)
    if (index % REMEMBERED_DISTANCE === 0) remembered.set(state, world)
  }
  return world
}

/**
 * The state committed last on each chain, from which the next one is computed: proofs are often asked for at blocks
 * close to each other, or at the same few.
 */
const lastCommitted = new WeakMap<tries.CommittedState, tries.CommittedState>()
const recentlyCommitted = createLruCache<KeptState, tries.CommittedState>(8)

/** The committed state from which to start. */
function nearestTo({ origin }: KeptState): tries.CommittedState {
  // To take a write back, tries that are synthetic need a value of the base, which may not be known.
  if (tries.hasSyntheticTrie(origin.state)) return origin
  return lastCommitted.get(origin) ?? origin
}

/** A kept state as that of a block that is not archived; its tries are computed on first use. */
export function commitKeptLater(kept: KeptState): tries.CommittedState {
  return tries.commitStateLater(nearestTo(kept), worldOf(kept))
}

function rememberCommitted(kept: KeptState, world: WorldState): tries.CommittedState {
  const recent = recentlyCommitted.get(kept)
  if (recent !== undefined) return recent
  const committed = tries.commitState(nearestTo(kept), world)
  lastCommitted.set(kept.origin, committed)
  recentlyCommitted.set(kept, committed)
  return committed
}

/** A kept state with its tries, both computed on first use. A class, because getters in a literal stay in memory. */
export class KeptCommitment implements tries.CommittedState {
  private readonly kept: KeptState
  #world: WorldState | undefined = undefined

  constructor(kept: KeptState) {
    this.kept = kept
  }

  get state(): WorldState {
    this.#world ??= worldOf(this.kept)
    return this.#world
  }

  get accountTrie(): tries.CommittedState['accountTrie'] {
    return rememberCommitted(this.kept, this.state).accountTrie
  }

  get storageTries(): tries.CommittedState['storageTries'] {
    return rememberCommitted(this.kept, this.state).storageTries
  }
}
