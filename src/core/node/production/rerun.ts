// Transactions executed again: in a block rebuilt without some of them, or in another block.

import { addPartial, type OpenBlock } from '../../chain/block/block.ts'
import { withEvm } from '../../execution/evm/evm-pool.ts'
import type { EvmInstance } from '../../execution/evm/pooled-evm.ts'
import { PRECONDITION_ERRORS, unmetPrecondition } from '../../execution/transaction/preconditions.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { blobGasIn } from '../../execution/transaction/rollup-fees.ts'
import { runTransaction } from '../../execution/transaction/run-transaction.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { invalidityIn } from '../../execution/transaction/validity.ts'
import { pruneOvertaken } from '../../pool/pool.ts'
import { maxBlobGas } from '../../rollup/blobs.ts'
import { readAccount } from '../../state/world-state.ts'
import type { DropReason, NodeEvent } from '../events.ts'
import { executionContext, type NodeConfig, type NodeState, pendingWorld } from '../node-state.ts'

/** The fate of transactions that are taken back. */
export type Returning = 'repool' | 'drop'

/** The transactions of a partial block. */
export interface Rebatch {
  readonly index: number
  readonly transactions: readonly Transaction[]
}

/** A transaction that could no longer execute. */
interface Refused {
  readonly transaction: Transaction
  /** In geth's words. */
  readonly reason: string
}

/** True if a transaction was in the pool: deposits never are. */
export function isFromPool({ deposit }: Transaction): boolean {
  return deposit === undefined
}

/** Why a transaction cannot be the next of a block; `undefined` if it can. */
function rejectionReason(
  instance: EvmInstance,
  { rules, environment }: OpenBlock,
  used: { readonly gas: bigint; readonly blobGas: bigint },
  transaction: Transaction,
): string | undefined {
  // Nothing can keep a deposit out.
  if (!isFromPool(transaction)) return undefined
  const { current } = instance.writer
  const invalidity = invalidityIn(instance, environment, transaction)
  if (invalidity !== undefined) return invalidity
  const obstacle = unmetPrecondition(rules, current, environment, transaction)
  if (obstacle !== undefined) return PRECONDITION_ERRORS[obstacle]
  if (used.gas + transaction.gasLimit > environment.gasLimit) return 'exceeds block gas limit'
  const blobGas = blobGasIn(rules, current, transaction)
  const isFull = used.blobGas + blobGas > maxBlobGas(rules, environment.gasLimit)
  return isFull ? 'exceeds maximum blob gas of a block' : undefined
}

/** Executes transactions one after another in a block; returns those that cannot execute there as `left`. */
export async function rerun(
  config: NodeConfig,
  state: NodeState,
  start: OpenBlock,
  batches: readonly Rebatch[],
) {
  const context = executionContext(config, state, start.rules)
  const left: Refused[] = []
  let open = start
  for (const { index, transactions } of batches) {
    open = await withEvm(context, open.state, async (instance) => {
      const executed: ExecutedTransaction[] = []
      let { gasUsed, blobGasUsed, logCount } = open
      for (const transaction of transactions) {
        const reason = rejectionReason(instance, open, { gas: gasUsed, blobGas: blobGasUsed }, transaction)
        if (reason !== undefined) {
          left.push({ transaction, reason })
          continue
        }
        const progress = { gasUsed, logCount, transactionCount: open.executed.length + executed.length }
        const result = await runTransaction(instance, open.environment, progress, transaction)
        executed.push(result)
        gasUsed = result.receipt.cumulativeGasUsed
        blobGasUsed += result.receipt.blobGasUsed
        logCount += result.receipt.logs.length
      }
      return addPartial(open, { index, executed }, instance.writer.current)
    })
  }
  return { open, left }
}

/** The event that a transaction is no longer in a block, with the pool of the state afterwards. */
export function unincluded(transaction: Transaction, reason: DropReason, { pool }: NodeState): NodeEvent {
  return { type: 'transactionUnincluded', transaction, reason, isPooled: pool.byHash.has(transaction.hash) }
}

/** The state with the pool cleared of transactions whose nonces are used. */
export function pruned(state: NodeState): NodeState {
  const world = pendingWorld(state)
  return { ...state, pool: pruneOvertaken(state.pool, (sender) => readAccount(world, sender).nonce) }
}
