// Whether what waits in the pool could get into a block as long as nothing else happens.

import type { FeeWalk } from '../../chain/runs/empty-fees.ts'
import { isForChain, maySendInSomeFork } from '../../execution/transaction/preconditions.ts'
import { maximumCost, type Transaction } from '../../execution/transaction/transaction.ts'
import type { Rules } from '../../rollup/rules.ts'
import { readAccount } from '../../state/world-state.ts'
import { type NodeState, pendingWorld } from '../node-state.ts'

/** True where a partial block is no event for what a test has put between pool and block. */
function isUnattended({ pool, controls }: NodeState): boolean {
  if (controls.scheduler !== undefined && pool.bySender.size > 0) return false
  for (const [hash, hold] of controls.holds.entries()) {
    if (hold.until !== 'released' || !pool.byHash.has(hash)) return false
  }
  return true
}

/** The first transactions of their senders that nothing but their price can keep out of a block. */
function* affordable(state: NodeState): IterableIterator<Transaction> {
  const { pool, chain, settings, controls } = state
  const world = pendingWorld(state)
  const gasLimit = chain.open?.environment.gasLimit ?? settings.blockGasLimit
  for (const [address, { transactions }] of pool.bySender.entries()) {
    const transaction = transactions[0]?.transaction
    if (transaction === undefined || controls.holds.has(transaction.hash)) continue
    const sender = readAccount(world, address)
    if (transaction.nonce !== sender.nonce || sender.balance < maximumCost(transaction)) continue
    if (transaction.gasLimit <= gasLimit && maySendInSomeFork(sender, transaction)) yield transaction
  }
}

/** True where nothing that waits can ever execute if nothing else happens. */
export function isPoolStuck(state: NodeState): boolean {
  return isUnattended(state) && affordable(state).next().done === true
}

/** How many of the next `count` empty blocks are sure to stay so, at the prices that they have. */
export function countQuiet(state: NodeState, rules: Rules, fees: FeeWalk, count: number): number {
  if (state.pool.bySender.size === 0 && state.controls.holds.size === 0) return count
  if (!isUnattended(state)) return 0
  const waiting = [...affordable(state)].filter((transaction) => isForChain(rules, transaction))
  if (waiting.length === 0) return count
  return fees.firstWhere(count, ({ baseFeePerGas, blobBaseFee }) =>
    waiting.some(
      ({ type, maxFeePerGas, maxFeePerBlobGas }) =>
        maxFeePerGas >= baseFeePerGas && (type !== 3 || maxFeePerBlobGas >= blobBaseFee),
    ),
  )
}
