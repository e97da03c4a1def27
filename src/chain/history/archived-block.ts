// A sealed block that has grown old: its transactions are packed, and its tries are gone or, with its state, all of it.
// It reads like any other block, but for a state that the chain does not keep.

import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { rememberLast } from '../../primitives/remember.ts'
import type { Rules } from '../../rollup/rules.ts'
import { type CommittedState, commitState } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from '../block/block.ts'
import type { BlockBody } from '../block/body.ts'
import type { Header } from '../block/header.ts'
import { isLazy, withCommitted } from '../runs/runs.ts'
import { packTransactions, unpackTransactions } from './packed-transactions.ts'

/** The state of a block, and the tries from which those of the state are made again. */
interface KeptState {
  readonly world: WorldState
  readonly anchor: CommittedState
}

/** Blocks that are read once are mostly read again: by hash, by transaction, receipt by receipt. */
const REMEMBERED_BLOCKS = 32
/** Tries of a past state are made for proofs, and for what is built on it. */
const REMEMBERED_STATES = 8

const transactionsIn = rememberLast(REMEMBERED_BLOCKS, unpackTransactions)
const committedOf = rememberLast(REMEMBERED_STATES, ({ anchor, world }: KeptState) =>
  commitState(anchor, world),
)

function commitWhenAsked(kept: KeptState): CommittedState {
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

/** The state of a block that the chain does not keep: reading it throws `stateNotAvailable`. */
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

/** A class, because accessors of an object of its own would take more than the block. */
class PastBlock implements SealedBlock {
  readonly rules: Rules
  readonly header: Header
  readonly body: BlockBody
  readonly hash: Hash
  readonly packed: Uint8Array
  readonly kept: KeptState | undefined

  constructor(block: Omit<SealedBlock, 'executed' | 'committed'>, packed: Uint8Array, kept?: KeptState) {
    this.rules = block.rules
    this.header = block.header
    this.body = block.body
    this.hash = block.hash
    this.packed = packed
    this.kept = kept
  }

  get executed(): readonly ExecutedTransaction[] {
    return transactionsIn(this.packed)
  }

  get committed(): CommittedState {
    return this.kept === undefined ? notAvailable(this.header.number) : commitWhenAsked(this.kept)
  }
}

/** The block as a past one, its tries to be made again from those of an `anchor`. */
export function packBlock(block: SealedBlock, anchor: CommittedState): SealedBlock {
  if (block instanceof PastBlock || isLazy(block)) return block
  const packed = packTransactions(block.executed)
  const kept = { world: block.committed.state, anchor }
  return packed === undefined ? block : new PastBlock(block, packed, kept)
}

/** The block without its state. */
export function forgetState(block: SealedBlock): SealedBlock {
  const packed = block instanceof PastBlock || isLazy(block) ? block : packBlock(block, block.committed)
  return packed instanceof PastBlock
    ? new PastBlock(packed, packed.packed)
    : withCommitted(packed, notAvailable(packed.header.number))
}
