// Archived blocks, as bytes, and their states: one in a while whole, the others as the changes since the block before.

import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { createRecentValues, memoizeLast } from '../../primitives/memoize-last.ts'
import type { Header } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import { applyChanges, NO_CHANGES, packChanges, type StateChanges } from '../../state/state-changes.ts'
import * as tries from '../../state/state-tries.ts'
import type { Code, WorldState } from '../../state/world-state.ts'
import type { SealedBlock, StateEdit } from '../block/block.ts'
import type { BlockBody } from '../block/body.ts'
import { isLazy, withCommitted } from '../runs/runs.ts'
import { changesIn, headerIn, logsBloomIn, packBlock, transactionsIn } from './packed-block.ts'

interface WholeState {
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

const remembered = createRecentValues<ChangedState, WorldState>(REMEMBERED_STATES)

function isWhole(kept: KeptState): kept is WholeState {
  return 'world' in kept
}

/** True if the state after so many bytes of changes is kept whole. */
export function isKeptWhole(changedBytes: number): boolean {
  return changedBytes > MOST_CHANGED_BYTES
}

/** Bytes of changes since the last whole state. */
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
const recentlyCommitted = createRecentValues<KeptState, tries.CommittedState>(8)

/** The committed state from which to start. */
function nearestTo({ origin }: KeptState): tries.CommittedState {
  // To take a write back, tries that are synthetic need a value of the base, which may not be known.
  if (tries.hasSyntheticTrie(origin.state)) return origin
  return lastCommitted.get(origin) ?? origin
}

/** A kept state as that of a block that is not archived; its tries are computed on first use. */
function commitKeptLater(kept: KeptState): tries.CommittedState {
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
class KeptCommitment implements tries.CommittedState {
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

/** A client usually reads the same block several times: by hash, by transaction, receipt by receipt. */
const REMEMBERED_BLOCKS = 32

const executedIn = memoizeLast(REMEMBERED_BLOCKS, transactionsIn)
const headerOf = memoizeLast(REMEMBERED_BLOCKS, headerIn)

/** Stands for a state that is not kept: reading it throws `stateNotAvailable`. */
function notAvailable(number: number): tries.CommittedState {
  const refuse = (): never => {
    throw failure('stateNotAvailable', { block: number })
  }
  return {
    get state() {
      return refuse()
    },
    get accountTrie() {
      return refuse()
    },
    get storageTries() {
      return refuse()
    },
  }
}

/** A class: accessors on each object would take more memory than the block. */
class ArchivedBlock implements SealedBlock {
  readonly rules: Rules
  readonly body: BlockBody
  readonly hash: Hash
  readonly totalDifficulty: bigint
  readonly packed: Uint8Array
  readonly kept: KeptState | undefined
  readonly edits: readonly StateEdit[] | undefined

  constructor(block: BlockBesidesPacked, packed: Uint8Array, kept?: KeptState) {
    this.rules = block.rules
    this.body = block.body
    this.hash = block.hash
    this.totalDifficulty = block.totalDifficulty
    this.packed = packed
    this.kept = kept
    this.edits = kept === undefined ? undefined : block.edits
  }

  get header(): Header {
    return headerOf(this.packed)
  }

  get executed(): readonly ExecutedTransaction[] {
    return executedIn(this.packed)
  }

  get committed(): tries.CommittedState {
    return this.kept === undefined ? notAvailable(this.header.number) : new KeptCommitment(this.kept)
  }
}

/** The state of an archived block, if it is kept. */
export function keptStateOf(block: SealedBlock | undefined): KeptState | undefined {
  return block instanceof ArchivedBlock ? block.kept : undefined
}

/** The bloom filter of a block's logs, without decoding the block. */
export function logsBloomOf(block: SealedBlock): Uint8Array {
  return block instanceof ArchivedBlock ? logsBloomIn(block.packed) : block.header.logsBloom
}

/** The state to archive with a block: whole, or as its changes since the block before. */
export type ArchivedState = WholeState | { readonly before: KeptState; readonly changes: StateChanges }

type BlockBesidesPacked = Omit<SealedBlock, 'header' | 'executed' | 'committed'>

/** The archived block of a packed one, with a state. */
export function archivedBlock(
  block: BlockBesidesPacked,
  packed: Uint8Array,
  state: ArchivedState | undefined,
): SealedBlock {
  if (state === undefined || !('changes' in state)) return new ArchivedBlock(block, packed, state)
  const { before, changes } = state
  const changedBytes = changedBytesOf(before) + changes.bytes.length
  const { origin } = before
  const { codes } = changes
  return new ArchivedBlock(block, packed, { before, origin, packed, codes, changedBytes })
}

/**
 * Archives a block with a state, or with none; `undefined` if a transaction has a blob sidecar, which the packed form
 * cannot hold.
 */
export function archiveBlock(
  block: Omit<SealedBlock, 'committed'>,
  state: ArchivedState | undefined,
): SealedBlock | undefined {
  if (block.executed.some(({ transaction }) => transaction.sidecar !== undefined)) return undefined
  const { bytes } = state !== undefined && 'changes' in state ? state.changes : NO_CHANGES
  return archivedBlock(block, packBlock(block.header, block.executed, bytes), state)
}

/** The packed form of a block with the changes of its state, since the one that `before` computes, and their new code. */
export function packWithChanges(
  block: SealedBlock,
  before: () => WorldState,
): { readonly packed: Uint8Array; readonly codes: readonly Code[] } {
  const kept = keptStateOf(block)
  if (kept !== undefined && 'packed' in kept) return kept
  const { bytes, codes } = packChanges(before(), block.committed.state)
  return { packed: packBlock(block.header, block.executed, bytes), codes }
}

/** True if a block is neither archived nor to be computed. */
export function isArchivable(block: SealedBlock): boolean {
  return !(block instanceof ArchivedBlock || isLazy(block))
}

/** Archives a block without its state. */
export function forgetState(block: SealedBlock): SealedBlock {
  if (block instanceof ArchivedBlock) return new ArchivedBlock(block, block.packed)
  const archived = isLazy(block) ? undefined : archiveBlock(block, undefined)
  return archived ?? withCommitted(block, notAvailable(block.header.number))
}

/** The block as one that is not archived, if its state is kept. */
export function restoreBlock(block: SealedBlock): SealedBlock {
  if (!(block instanceof ArchivedBlock) || block.kept === undefined) return block
  const { rules, header, body, hash, totalDifficulty, executed, kept, edits } = block
  const committed = commitKeptLater(kept)
  return { rules, header, body, hash, totalDifficulty, executed, committed, edits }
}
