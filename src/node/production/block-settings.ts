// What the blocks to come have in their headers. A block that has begun keeps what its transactions have seen: a
// change holds for the block after it, and one that is for the next block alone is refused.

import { MAX_EXTRA_DATA_BYTES } from '../../chain/block/block.ts'
import { removeTransaction } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { type NodeConfig, type NodeState, nextRules, type Settings } from '../node-state.ts'

function withSettings(state: NodeState, changes: Partial<Settings>): NodeState {
  return { ...state, settings: { ...state.settings, ...changes } }
}

export function setCoinbase(state: NodeState, coinbase: Address): NodeState {
  return withSettings(state, { coinbase })
}

export function setExtraData(state: NodeState, extraData: Uint8Array): NodeState {
  const most = MAX_EXTRA_DATA_BYTES
  if (extraData.length > most) throw failure('extraDataTooLong', { size: extraData.length, most })
  return withSettings(state, { extraData })
}

/** Transactions that ask for more gas leave the pool: they could never be in a block. */
export function setBlockGasLimit(state: NodeState, blockGasLimit: bigint): NodeState {
  if (blockGasLimit === 0n) throw failure('blockGasLimitZero')
  let { pool } = state
  for (const [, { transaction }] of state.pool.byHash.entries()) {
    if (transaction.gasLimit > blockGasLimit) pool = removeTransaction(pool, transaction)
  }
  return { ...withSettings(state, { blockGasLimit }), pool }
}

/** Fixes the base fee of the next block alone; those after it follow from it by EIP-1559. */
export function setNextBaseFee(
  config: NodeConfig,
  state: NodeState,
  nextBaseFee: bigint,
  call: string,
): NodeState {
  if (state.chain.open !== undefined) throw failure('blockBegun')
  if (!isForkActive(nextRules(config, state), 'london')) throw failure('needsBaseFee', { call })
  return { ...state, controls: { ...state.controls, nextBaseFee } }
}

/** Fixes prevRandao of the next block alone; later blocks continue from it. */
export function setNextPrevRandao(
  config: NodeConfig,
  state: NodeState,
  nextPrevRandao: Hash,
  call: string,
): NodeState {
  if (state.chain.open !== undefined) throw failure('blockBegun')
  const rules = nextRules(config, state)
  if (!isForkActive(rules, 'paris')) throw failure('needsMerge', { call, hardfork: rules.hardfork })
  return { ...state, controls: { ...state.controls, nextPrevRandao } }
}

/** Sets the least tip that the pool takes; what is in it stays. */
export function setMinimumTip(state: NodeState, minimumTip: bigint): NodeState {
  return { ...state, controls: { ...state.controls, minimumTip } }
}

/** Sets the least gas price that the pool takes, where there is no base fee yet. */
export function setMinimumGasPrice(
  config: NodeConfig,
  state: NodeState,
  gasPrice: bigint,
  call: string,
): NodeState {
  if (isForkActive(nextRules(config, state), 'london')) throw failure('replacedByBaseFee', { call })
  return setMinimumTip(state, gasPrice)
}

/**
 * Sets the chain id, from now on and for the block being built too, whose header does not have it. What was signed
 * for another one waits in the pool until that is in force again.
 */
export function setChainId(config: NodeConfig, state: NodeState, chainId: number): NodeState {
  const changed = withSettings(state, { chainId })
  const { open } = state.chain
  if (open === undefined) return changed
  const rules = config.scheduleFor(chainId).rulesAt(open.environment)
  return { ...changed, chain: { ...state.chain, open: { ...open, rules } } }
}
