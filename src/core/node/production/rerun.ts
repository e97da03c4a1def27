// Transactions executed again: in a block rebuilt without some of them, or in another block.

import { addPartial, type OpenBlock } from '../../chain/block/block.ts'
import { BlockRun } from '../../chain/block/execute-block.ts'
import { withEvm } from '../../execution/evm/evm-pool.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { pruneOvertaken } from '../../pool/pool.ts'
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
      const run = new BlockRun(open, instance)
      for (const transaction of transactions) {
        const obstacle = run.obstacleTo(transaction)
        if (obstacle === undefined) await run.execute(transaction)
        else left.push({ transaction, reason: obstacle.reason })
      }
      return addPartial(open, { index, executed: run.executed }, instance.writer.current)
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
