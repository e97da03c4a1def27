// A derived block becomes part of the chain of a layer 2: the sequencer's block, if it says the same, or one that
// replaces it.

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import { blockAt } from '../../../core/chain/chain.ts'
import type { Transaction } from '../../../core/execution/transaction/transaction.ts'
import { reorganise } from '../../../core/node/control/reorg.ts'
import type { Transition } from '../../../core/node/events.ts'
import type { NodeState } from '../../../core/node/node-state.ts'
import type { RollupState } from '../../../core/node/rollup/origins.ts'
import { originIdOf } from '../../../core/node/rollup/origins.ts'
import { decodeTransaction } from '../../../core/pool/decode.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import { equalBytes } from '../../../core/primitives/hex.ts'
import type { OriginId } from '../../../core/rollup/stack.ts'
import type { Batch } from '../batches.ts'

export function originIn({ rollup }: NodeState, block: SealedBlock): OriginId {
  return originIdOf(rollup as RollupState, block)
}

export function batchOf(state: NodeState, block: SealedBlock): Batch {
  const { number, hash } = originIn(state, block)
  return {
    parentHash: block.header.parentHash,
    epochNumber: number,
    epochHash: hash,
    timestamp: block.header.timestamp,
    transactions: block.executed.flatMap(({ transaction: { deposit, raw } }) =>
      deposit === undefined ? [raw] : [],
    ),
  }
}

function isSame(a: Batch, b: Batch): boolean {
  return (
    a.parentHash === b.parentHash &&
    a.epochHash === b.epochHash &&
    a.timestamp === b.timestamp &&
    a.transactions.length === b.transactions.length &&
    a.transactions.every((raw, index) => equalBytes(raw, b.transactions[index] as Uint8Array))
  )
}

/** True if the block after number `safe` says what a batch says. */
export function isMade(state: NodeState, safe: number, batch: Batch): boolean {
  const existing = blockAt(state.chain, safe + 1)
  return existing !== undefined && isSame(batchOf(state, existing), batch)
}

/** The transactions of a batch; `undefined` if one cannot be read. */
function decodeAll({ transactions }: Batch): Transaction[] | undefined {
  try {
    return transactions.map((raw) => decodeTransaction(raw))
  } catch (error) {
    if (error instanceof TickchainError) return undefined
    throw error
  }
}

/** Replaces the blocks after number `safe`: the first by the batch's, and with a sequencer the others by empty ones. */
async function rebuild(
  state: NodeState,
  safe: number,
  batch: Batch,
  transactions: readonly Transaction[],
  isSequenced: boolean,
): Promise<Transition> {
  const depth = state.chain.head.header.number - safe
  const later = isSequenced ? Math.max(0, depth - 1) : 0
  return reorganise(state, {
    depth,
    blocks: [transactions, ...Array.from({ length: later }, () => [])],
    timestamps: [batch.timestamp],
    firstOrigin: batch.epochNumber,
    returning: 'repool',
    // A block begun on a head without a sequencer would have a time between those of the protocol's blocks.
    preconfirmed: isSequenced ? 'again' : 'pooled',
  })
}

/** The chain with the batch's block after number `safe`; `isWhole` unless one of its transactions cannot be executed. */
export async function adoptBatch(state: NodeState, safe: number, batch: Batch, isSequenced: boolean) {
  if (isMade(state, safe, batch)) return { state, events: [], result: undefined, isWhole: true }
  const transactions = decodeAll(batch)
  if (transactions !== undefined) {
    try {
      const rebuilt = await rebuild(state, safe, batch, transactions, isSequenced)
      return { ...rebuilt, isWhole: true }
    } catch (error) {
      // Holocene: a block with a transaction that cannot be executed keeps its deposits alone.
      if (!(error instanceof TickchainError) || transactions.length === 0) throw error
    }
  }
  return { ...(await rebuild(state, safe, batch, [], isSequenced)), isWhole: false }
}
