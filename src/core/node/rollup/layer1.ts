// What a rollup's node is told of its layer 1: deposits and system configurations for a made-up one, or the blocks of a
// real one.

import { depositTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import type { Deposit } from '../../rollup/deposit.ts'
import type { SystemConfig } from '../../rollup/stack.ts'
import { unchanged } from '../events.ts'
import type { NodeState } from '../node-state.ts'
import { sealBlockNow } from '../production/block-production.ts'
import { type L1Block, madeUpSourceHash, originOf, type RollupState } from './origins.ts'

/** Throws `notARollup`. */
export function requireRollup({ rollup }: NodeState, call: string): RollupState {
  if (rollup === undefined) throw failure('notARollup', { call })
  return rollup
}

/** Throws `layer1Decides` where a real layer 1 decides what a made-up one would be told. */
function requireMadeUp(state: NodeState, call: string): RollupState {
  const rollup = requireRollup(state, call)
  if (rollup.config.layer1 === 'told') throw failure('layer1Decides', { call })
  return rollup
}

/** A deposit before its place on the layer 1 is known. */
export type DepositOrder = Omit<Deposit, 'sourceHash' | 'isSystem'>

/** Most gas for the deposits of one L1 block, as ResourceMetering limits it. */
const MOST_L1_BLOCK_GAS = 20_000_000n

/**
 * Adds a deposit to the next made-up L1 block; returns the hash of its transaction. With automine, the block that
 * includes it is sealed at once.
 */
export async function addDeposit(state: NodeState, order: DepositOrder, call: string) {
  const rollup = requireMadeUp(state, call)
  const gas = rollup.waiting.reduce((sum, { gasLimit }) => sum + gasLimit, order.gasLimit)
  const reason = `OutOfGas: an L1 block has ${MOST_L1_BLOCK_GAS} gas for deposits`
  if (gas > MOST_L1_BLOCK_GAS) throw failure('invalidCall', { call, reason })
  const { origin } = originOf(rollup, state.chain.head)
  const number = Math.max(rollup.l1Head, origin.number) + 1
  const sourceHash = madeUpSourceHash(rollup, number, rollup.waiting.length)
  const deposit: Deposit = { ...order, sourceHash, isSystem: false }
  const next = { ...state, rollup: { ...rollup, waiting: [...rollup.waiting, deposit] } }
  const { hash } = depositTransaction(deposit)
  if (!state.settings.automines) return { ...unchanged(next), result: hash }
  return { ...(await sealBlockNow(next)), result: hash }
}

/** Changes the system configuration of the next made-up L1 block. */
export function changeSystem(state: NodeState, changes: Partial<SystemConfig>, call: string): NodeState {
  const rollup = requireMadeUp(state, call)
  const gasLimit = changes.gasLimit === undefined ? rollup.gasLimit : undefined
  return { ...state, rollup: { ...rollup, gasLimit, system: { ...rollup.system, ...changes } } }
}

/** Replaces the L1 blocks from a number on, which follow the known ones or replace some of them. */
export function tellL1Blocks(state: NodeState, from: number, blocks: readonly L1Block[]): NodeState {
  const rollup = requireRollup(state, 'tellL1Blocks')
  let { l1Blocks } = rollup
  for (let number = from; number <= rollup.l1Head; number++) l1Blocks = l1Blocks.delete(number)
  for (const block of blocks) l1Blocks = l1Blocks.set(block.number, block)
  return { ...state, rollup: { ...rollup, l1Blocks, l1Head: from - 1 + blocks.length } }
}
