// What a chain takes back: sealed blocks in a reorganisation, pre-confirmed transactions that were never sealed.

import { addPartial, type OpenBlock, openBlock, type SealedBlock } from '../chain/block.ts'
import { rewindChain } from '../chain/chain.ts'
import { whyNotExecutable } from '../execution/executable.ts'
import { useMachine } from '../execution/machine.ts'
import type { ExecutedTransaction } from '../execution/receipt.ts'
import { runTransaction } from '../execution/run-transaction.ts'
import { blobGasOf, type Transaction } from '../execution/transaction.ts'
import { whyInvalid } from '../execution/validity.ts'
import { type AdmissionContext, checkTransaction } from '../pool/admit.ts'
import { insertTransaction, type Pool, pruneOvertaken, removeTransaction } from '../pool/pool.ts'
import { failure } from '../primitives/errors.ts'
import type { Hash } from '../primitives/hex.ts'
import { mostBlobGas } from '../rollup/blobs.ts'
import { readAccount } from '../state/world-state.ts'
import { type DropReason, Steps, type Transition } from './events.ts'
import {
  currentOpenBlock,
  executionContext,
  leastTimestamp,
  type NodeConfig,
  type NodeState,
} from './node-state.ts'
import { openingOf, seal } from './production.ts'
import { admissionContext } from './submit.ts'

/** Whether what is taken back waits in the pool again. */
export type Returning = 'repool' | 'drop'

/** A transaction of a replacement block: one that was orphaned or waits, by hash, or a new one. */
export type Replacement = Hash | Transaction

export interface Reorganisation {
  readonly depth: number
  /** The transactions of each new block, in order; as many empty ones as were taken back if not given. */
  readonly blocks: readonly (readonly Replacement[])[] | undefined
  readonly returning: Returning
}

interface Rerun {
  readonly open: OpenBlock
  /** What could not execute any more. */
  readonly left: readonly Transaction[]
}

/** Runs transactions one after another in a block; those that cannot execute there are left over. */
async function rerun(
  config: NodeConfig,
  state: NodeState,
  start: OpenBlock,
  batches: readonly { readonly index: number; readonly transactions: readonly Transaction[] }[],
): Promise<Rerun> {
  const context = executionContext(config, state.chain, start.rules)
  const left: Transaction[] = []
  let open = start
  for (const { index, transactions } of batches) {
    open = await useMachine(context, open.state, async (machine) => {
      const executed: ExecutedTransaction[] = []
      let { gasUsed, blobGasUsed, logCount } = open
      for (const transaction of transactions) {
        const isTooLarge =
          gasUsed + transaction.gasLimit > open.environment.gasLimit ||
          blobGasUsed + blobGasOf(transaction) > mostBlobGas(open.rules)
        if (
          isTooLarge ||
          whyInvalid(machine, open.environment, transaction) !== undefined ||
          whyNotExecutable(machine.writer.current, open.environment, transaction) !== undefined
        ) {
          left.push(transaction)
          continue
        }
        const progress = { gasUsed, logCount, transactionCount: open.executed.length + executed.length }
        const result = await runTransaction(machine, open.environment, progress, transaction)
        executed.push(result)
        gasUsed = result.receipt.cumulativeGasUsed
        blobGasUsed += result.receipt.blobGasUsed
        logCount += result.receipt.logs.length
      }
      return addPartial(open, { index, executed }, machine.writer.current)
    })
  }
  return { open, left }
}

function unincluded(transaction: Transaction, reason: DropReason, returning: Returning) {
  return { type: 'transactionUnincluded', transaction, reason, isPooled: returning === 'repool' } as const
}

function insertAll(pool: Pool, transactions: readonly Transaction[]): Pool {
  return transactions.reduce(insertTransaction, pool)
}

function prune(state: NodeState): NodeState {
  const worldState = state.chain.open?.state ?? state.chain.head.committed.state
  return { ...state, pool: pruneOvertaken(state.pool, (sender) => readAccount(worldState, sender).nonce) }
}

/** Drops pre-confirmed transactions before they are sealed; later ones that depend on them go with them. */
export async function dropPreconfirmed(
  config: NodeConfig,
  state: NodeState,
  hashes: readonly Hash[],
  returning: Returning,
): Promise<Transition> {
  const { open } = state.chain
  const missing = hashes.find((hash) => open?.indexByHash.has(hash) !== true)
  if (open === undefined || missing !== undefined)
    throw failure('notPreconfirmed', { hash: missing ?? 'none' })
  const isDropped = ({ transaction }: ExecutedTransaction): boolean => hashes.includes(transaction.hash)
  const dropped = open.executed.filter(isDropped).map(({ transaction }) => transaction)
  const batches = open.partials.map(({ index, executed }) => ({
    index,
    transactions: executed.filter((each) => !isDropped(each)).map(({ transaction }) => transaction),
  }))
  const fresh = openBlock(open.rules, open.parent, open.environment)
  const { open: rebuilt, left } = await rerun(config, state, fresh, batches)
  // A follower is not itself dropped: it waits in the pool until it can execute again.
  const pool = insertAll(state.pool, returning === 'repool' ? [...dropped, ...left] : left)
  const isEmpty = rebuilt.executed.length === 0
  const next = prune({ ...state, pool, chain: { ...state.chain, open: isEmpty ? undefined : rebuilt } })
  const steps = new Steps(next)
  for (const transaction of dropped) {
    steps.events.push(unincluded(transaction, 'preconfirmationDropped', returning))
  }
  for (const transaction of left) {
    steps.events.push(unincluded(transaction, 'preconfirmationDropped', 'repool'))
  }
  return steps.finish()
}

function resolveReplacement(
  admission: AdmissionContext,
  pool: Pool,
  orphans: ReadonlyMap<Hash, Transaction>,
  replacement: Replacement,
): Transaction {
  if (typeof replacement !== 'string') {
    checkTransaction(admission, replacement)
    return replacement
  }
  const found = orphans.get(replacement) ?? pool.byHash.get(replacement)?.transaction
  if (found === undefined) throw failure('unknownTransaction', { hash: replacement })
  return found
}

/** Builds and seals one replacement block; every transaction that was asked for must be in it. */
async function sealReplacement(
  config: NodeConfig,
  state: NodeState,
  transactions: readonly Transaction[],
  replaced: SealedBlock | undefined,
): Promise<Transition> {
  // The block takes the slot of the one that it replaces, where there is one.
  const slot = replaced === undefined ? state : { ...state, nextTimestamp: replaced.header.timestamp }
  const { open, left } = await rerun(config, slot, currentOpenBlock(config, slot), [
    { index: 1, transactions },
  ])
  const refused = left[0]
  if (refused !== undefined) {
    const words = whyNotExecutable(open.state, open.environment, refused)
    throw failure('replacementNotExecutable', {
      hash: refused.hash,
      reason: words ?? 'exceeds block gas limit',
    })
  }
  const pool = transactions.reduce(removeTransaction, state.pool)
  const sealed = seal(config, { ...slot, pool, chain: { ...slot.chain, open } })
  // The clock and the schedule go on as if the blocks had always been these.
  const { nowMs, openedAtMs, partialsClosed } = state
  const isAhead = sealed.state.nowMs > nowMs
  return isAhead ? sealed : { ...sealed, state: { ...sealed.state, openedAtMs, partialsClosed } }
}

/** A timestamp that was asked for stays, unless a block was begun with it or the new head has overtaken it. */
function keptTimestamp({ chain, nextTimestamp = 0 }: NodeState, after: NodeState): number | undefined {
  return chain.open === undefined && nextTimestamp >= leastTimestamp(after) ? nextTimestamp : undefined
}

/**
 * Replaces the last blocks: they are orphaned with the block being built, their transactions return to the pool
 * in their order (or are dropped), and the new blocks are sealed in the slots of the old ones.
 */
export async function reorganise(
  config: NodeConfig,
  state: NodeState,
  { depth, blocks, returning }: Reorganisation,
): Promise<Transition> {
  const most = state.chain.head.header.number
  if (depth > most) throw failure('reorgTooDeep', { depth, most })
  const { chain, orphaned } = rewindChain(state.chain, depth)
  const oldestFirst = [...orphaned].reverse()
  const preconfirmed = state.chain.open?.executed ?? []
  const taken = [...oldestFirst.flatMap((block) => block.executed), ...preconfirmed]
  const orphans = taken.map(({ transaction }) => transaction)
  const byHash = new Map(orphans.map((transaction) => [transaction.hash, transaction]))
  const pool = returning === 'repool' ? insertAll(state.pool, orphans) : state.pool
  const admission = admissionContext(config, state)
  const steps = new Steps({ ...state, chain, pool, nextTimestamp: undefined })
  steps.events.push({ type: 'blocksOrphaned', blocks: orphaned, atMs: state.nowMs })
  for (const transaction of orphans) steps.events.push(unincluded(transaction, 'reorganised', returning))
  for (const [index, replacements] of (blocks ?? orphaned.map(() => [])).entries()) {
    const transactions = replacements.map((each) => resolveReplacement(admission, state.pool, byHash, each))
    steps.add(await sealReplacement(config, steps.state, transactions, oldestFirst[index]))
  }
  steps.state = prune({ ...steps.state, nextTimestamp: keptTimestamp(state, steps.state) })
  steps.events.push(...openingOf(steps.state))
  return steps.finish()
}
