// Whether a waiting transaction can enter a block while nothing else happens.

import { type EmptyBlocks, feesFrom } from '../../chain/runs/runs.ts'
import { isForChain, maySendInSomeFork } from '../../execution/transaction/preconditions.ts'
import { maximumCost, type Transaction } from '../../execution/transaction/transaction.ts'
import { readAccount } from '../../state/world-state.ts'
import { type NodeState, nextGasLimit, pendingWorld } from '../node-state.ts'

/** True if no scheduler and no timed hold must be checked at each partial block. */
function isUnscheduled({ pool, controls }: NodeState): boolean {
  if (controls.scheduler !== undefined && pool.bySender.size > 0) return false
  for (const [hash, hold] of controls.holds.entries()) {
    if (hold.until !== 'released' || !pool.byHash.has(hash)) return false
  }
  return true
}

/** The next transactions of senders that only their price can keep out of a block. */
function* affordable(state: NodeState): IterableIterator<Transaction> {
  const { pool, controls } = state
  const world = pendingWorld(state)
  const gasLimit = nextGasLimit(state)
  for (const [address, { transactions }] of pool.bySender.entries()) {
    const transaction = transactions[0]?.transaction
    if (transaction === undefined || controls.holds.has(transaction.hash)) continue
    const sender = readAccount(world, address)
    if (transaction.maxFeePerGas < controls.leastGasPrice) continue
    if (transaction.nonce !== sender.nonce || sender.balance < maximumCost(transaction)) continue
    if (transaction.gasLimit <= gasLimit && maySendInSomeFork(sender, transaction)) yield transaction
  }
}

/** True if no waiting transaction can ever execute while nothing else happens. */
export function isPoolStuck(state: NodeState): boolean {
  return isUnscheduled(state) && affordable(state).next().done === true
}

/** Number of the next `count` empty blocks that are certain to stay empty at their fees. */
export function countQuiet(state: NodeState, blocks: EmptyBlocks, count: number): number {
  if (state.pool.bySender.size === 0 && state.controls.holds.size === 0) return count
  if (!isUnscheduled(state)) return 0
  const waiting = [...affordable(state)].filter((transaction) => isForChain(blocks.rules, transaction))
  if (waiting.length === 0) return count
  return feesFrom(blocks).firstWhere(count, ({ baseFeePerGas, blobBaseFee }) =>
    waiting.some(
      ({ type, maxFeePerGas, maxFeePerBlobGas }) =>
        maxFeePerGas >= baseFeePerGas && (type !== 3 || maxFeePerBlobGas >= blobBaseFee),
    ),
  )
}
