// Settings of the headers of later blocks. A block that has begun keeps its environment: a change applies from the block
// after it, and a change for the next block alone is refused.

import { MAX_EXTRA_DATA_BYTES } from '../../chain/block/block.ts'
import { removeTransaction } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'

export function setCoinbase(state: NodeState, coinbase: Address): NodeState {
  return states.withSettings(state, { coinbase })
}

/** Throws `extraDataDecided` from holocene on, and `extraDataTooLong`. */
export function setExtraData(state: NodeState, extraData: Uint8Array, call: string): NodeState {
  if (states.nextRules(state).rollup?.changes.hasExtraData) throw failure('extraDataDecided', { call })
  const most = MAX_EXTRA_DATA_BYTES
  if (extraData.length > most) throw failure('extraDataTooLong', { size: extraData.length, most })
  return states.withSettings(state, { extraData })
}

/** Transactions with a higher gas limit leave the pool: no block could hold them. */
export function setBlockGasLimit(state: NodeState, blockGasLimit: bigint): NodeState {
  if (blockGasLimit === 0n) throw failure('blockGasLimitZero')
  let { pool } = state
  for (const [, { transaction }] of state.pool.byHash.entries()) {
    if (transaction.gasLimit > blockGasLimit) pool = removeTransaction(pool, transaction)
  }
  const { rollup } = state
  const limited = { ...states.withSettings(state, { blockGasLimit }), pool }
  return rollup === undefined ? limited : { ...limited, rollup: { ...rollup, gasLimit: blockGasLimit } }
}

/** Sets the base fee of the next block; later base fees follow from it (EIP-1559). */
export function setNextBaseFee(state: NodeState, nextBaseFee: bigint, call: string): NodeState {
  if (state.chain.open !== undefined) throw failure('blockBegun')
  if (!isForkActive(states.nextRules(state), 'london')) throw failure('needsBaseFee', { call })
  return states.withControls(state, { nextBaseFee })
}

/** Sets prevRandao of the next block; later blocks continue from it. */
export function setNextPrevRandao(state: NodeState, nextPrevRandao: Hash, call: string): NodeState {
  if (state.chain.open !== undefined) throw failure('blockBegun')
  const rules = states.nextRules(state)
  if (!isForkActive(rules, 'paris')) throw failure('needsMerge', { call, hardfork: rules.hardfork })
  return states.withControls(state, { nextPrevRandao })
}

/** Sets the least tip that the pool accepts; pooled transactions stay. */
export function setMinimumTip(state: NodeState, minimumTip: bigint): NodeState {
  return states.withControls(state, { minimumTip })
}

/** The fate of cheaper transactions: refused, or waiting in the pool. */
type Cheaper = 'refused' | 'wait'

/** Sets the least gas price; throws `replacedByBaseFee` from london on. Pooled transactions stay. */
export function setMinimumGasPrice(state: NodeState, gasPrice: bigint, cheaper: Cheaper, call: string) {
  if (isForkActive(states.nextRules(state), 'london')) throw failure('replacedByBaseFee', { call })
  return cheaper === 'refused'
    ? setMinimumTip(state, gasPrice)
    : states.withControls(state, { leastGasPrice: gasPrice })
}

/**
 * Sets the chain id, also of the block being built, whose header does not contain it. Transactions signed for another
 * chain id stay in the pool until it is set again.
 */
export function setChainId(state: NodeState, chainId: number): NodeState {
  const changed = states.withSettings(state, { chainId })
  const { open } = state.chain
  if (open === undefined) return changed
  const rules = states.scheduleUnder(state, chainId).rulesAt(open.environment)
  return { ...changed, chain: { ...state.chain, open: { ...open, rules } } }
}
