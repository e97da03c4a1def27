// What `pending` shows under `pendingContents: 'pool'`: the block being built with what it would take from the pool if
// it were sealed now. A function of the state, computed when a read asks for it.

import { addPartial, type OpenBlock } from '../chain/block/block.ts'
import { freeSelection } from './faults/scheduling.ts'
import { currentOpenBlock, type NodeState } from './node-state.ts'
import { executeBatch } from './production/block-production.ts'

/** The next block, if it were sealed now. A scheduler is not asked: it is a function of the test, which may count its calls. */
export async function blockWithPool(state: NodeState): Promise<OpenBlock> {
  const open = currentOpenBlock(state)
  const allowance = { cumulativeGas: open.environment.gasLimit }
  const select = () => freeSelection(state, open)
  const { executed, state: world } = await executeBatch(state, open, allowance, select)
  return addPartial(open, { index: state.partialsClosed + 1, executed }, world)
}

const shown = new WeakMap<NodeState, Promise<NodeState>>()

/** The state for a read that may name `pending`. A command must not return it. */
export function withPoolShown(state: NodeState): Promise<NodeState> {
  if (state.config.pendingContents !== 'pool' || state.pool.bySender.size === 0) return Promise.resolve(state)
  const known = shown.get(state)
  if (known !== undefined) return known
  const showing = blockWithPool(state).then((shownPending) => ({ ...state, shownPending }))
  // On a fork, an execution may stop at what is not known yet: the read is tried again, and the execution with it.
  showing.catch(() => shown.delete(state))
  shown.set(state, showing)
  return showing
}

/** True if a decoded parameter names `pending`: a block, or a bound of a filter. */
function namesPending(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === 'pending'
  return Object.values(value).includes('pending')
}

/** True if a read with these parameters shows transactions of the pool as `pending`. */
export function showsPool({ config, pool }: NodeState, values: readonly unknown[]): boolean {
  return config.pendingContents === 'pool' && pool.bySender.size > 0 && values.some(namesPending)
}
