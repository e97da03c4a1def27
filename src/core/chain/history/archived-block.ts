// Archived blocks, as bytes.

import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { memoizeLast } from '../../primitives/memoize-last.ts'
import type { Header } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import { NO_CHANGES, packChanges, type StateChanges } from '../../state/state-changes.ts'
import type * as tries from '../../state/state-tries.ts'
import type { Code, WorldState } from '../../state/world-state.ts'
import type { SealedBlock, StateEdit } from '../block/block.ts'
import type { BlockBody } from '../block/body.ts'
import { isLazy, withCommitted } from '../runs/runs.ts'
import {
  changedBytesOf,
  commitKeptLater,
  KeptCommitment,
  type KeptState,
  type WholeState,
} from './kept-state.ts'
import { headerIn, logsBloomIn, packBlock, transactionsIn } from './packed-block.ts'

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
