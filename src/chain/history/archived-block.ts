// Archived blocks: old sealed blocks with packed transactions and no tries, or no state at all.
// They read like any other block, except that reading a state that is not kept throws.

import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { memoizeLast } from '../../primitives/memoize-last.ts'
import type { Rules } from '../../rollup/rules.ts'
import { type CommittedState, commitState } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from '../block/block.ts'
import type { BlockBody } from '../block/body.ts'
import type { Header } from '../block/header.ts'
import { isLazy, withCommitted } from '../runs/runs.ts'
import { packTransactions, unpackTransactions } from './packed-transactions.ts'

/** The state of a block, and an earlier committed state from whose tries its own are computed. */
interface KeptState {
  readonly world: WorldState
  readonly anchor: CommittedState
}

/** A client usually reads the same block several times: by hash, by transaction, receipt by receipt. */
const REMEMBERED_BLOCKS = 32
/** Tries of archived blocks are needed for proofs, and to build on such a block. */
const REMEMBERED_STATES = 8

const transactionsIn = memoizeLast(REMEMBERED_BLOCKS, unpackTransactions)
const committedOf = memoizeLast(REMEMBERED_STATES, ({ anchor, world }: KeptState) =>
  commitState(anchor, world),
)

function commitLazily(kept: KeptState): CommittedState {
  return {
    state: kept.world,
    get accountTrie() {
      return committedOf(kept).accountTrie
    },
    get storageTries() {
      return committedOf(kept).storageTries
    },
  }
}

/** Stands for a state that is not kept: reading it throws `stateNotAvailable`. */
function notAvailable(number: number): CommittedState {
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
  readonly header: Header
  readonly body: BlockBody
  readonly hash: Hash
  readonly totalDifficulty: bigint
  readonly packed: Uint8Array
  readonly kept: KeptState | undefined

  constructor(block: Omit<SealedBlock, 'executed' | 'committed'>, packed: Uint8Array, kept?: KeptState) {
    this.rules = block.rules
    this.header = block.header
    this.body = block.body
    this.hash = block.hash
    this.totalDifficulty = block.totalDifficulty
    this.packed = packed
    this.kept = kept
  }

  get executed(): readonly ExecutedTransaction[] {
    return transactionsIn(this.packed)
  }

  get committed(): CommittedState {
    return this.kept === undefined ? notAvailable(this.header.number) : commitLazily(this.kept)
  }
}

/** Archives a block. Its tries are recomputed from those of `anchor` when they are needed. */
export function archiveBlock(block: SealedBlock, anchor: CommittedState): SealedBlock {
  if (block instanceof ArchivedBlock || isLazy(block)) return block
  const packed = packTransactions(block.executed)
  const kept = { world: block.committed.state, anchor }
  return packed === undefined ? block : new ArchivedBlock(block, packed, kept)
}

/** Archives a block without its state. */
export function forgetState(block: SealedBlock): SealedBlock {
  const packed =
    block instanceof ArchivedBlock || isLazy(block) ? block : archiveBlock(block, block.committed)
  return packed instanceof ArchivedBlock
    ? new ArchivedBlock(packed, packed.packed)
    : withCommitted(packed, notAvailable(packed.header.number))
}
