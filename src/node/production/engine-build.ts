// A block to order, on any block of the chain, which stays as it is: what an execution engine builds for its
// consensus client.

import {
  addPartial,
  GAS_LIMIT_BOUND_DIVISOR,
  gasLimitBefore,
  MAX_EXTRA_DATA_BYTES,
  type OpenBlock,
  openBlock,
  type SealedBlock,
  sealBlock,
} from '../../chain/block/block.ts'
import type { Withdrawal } from '../../chain/block/body.ts'
import { feesAfter } from '../../chain/block/built-environment.ts'
import { completeBody, executeTransactions } from '../../chain/block/execute-block.ts'
import { blockByHash } from '../../chain/chain.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { insertTransaction } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { executionContext, type NodeConfig, type NodeState, scheduleIn } from '../node-state.ts'
import { executeBatch } from './block-production.ts'

/** What a consensus client decides about a block (Engine API, PayloadAttributesV3). */
export interface PayloadAttributes {
  /** Seconds. */
  readonly timestamp: number
  readonly prevRandao: Hash
  readonly suggestedFeeRecipient: Address
  readonly withdrawals: readonly Withdrawal[]
  readonly parentBeaconBlockRoot: Hash
}

export interface BlockOrder {
  readonly parentHash: Hash
  readonly attributes: PayloadAttributes
  /** In this order; `undefined` for what the pool would give. */
  readonly transactions: readonly Transaction[] | undefined
  /** `undefined` for that of the chain. */
  readonly extraData: Uint8Array | undefined
}

function refuse(reason: string): never {
  throw failure('invalidPayloadAttributes', { reason })
}

/** As near to the gas limit that the chain began with as one block may come (geth, core.CalcGasLimit). */
function gasLimitAfter({ chain }: NodeState, rules: Rules, parent: SealedBlock): bigint {
  const before = gasLimitBefore(rules, parent)
  const wanted = chain.blocks.get(0)?.header.gasLimit ?? before
  const step = before / GAS_LIMIT_BOUND_DIVISOR - 1n
  if (wanted > before + step) return before + step
  return wanted < before - step ? before - step : wanted
}

function environmentOf(
  state: NodeState,
  rules: Rules,
  parent: SealedBlock,
  { attributes, extraData }: BlockOrder,
): BlockEnvironment {
  return {
    number: parent.header.number + 1,
    timestamp: attributes.timestamp,
    parentHash: parent.hash,
    coinbase: attributes.suggestedFeeRecipient,
    gasLimit: gasLimitAfter(state, rules, parent),
    prevRandao: attributes.prevRandao,
    extraData: extraData ?? state.settings.extraData,
    parentBeaconBlockRoot: attributes.parentBeaconBlockRoot,
    ...feesAfter(rules, parent),
    difficulty: 0n,
  }
}

/** Takes from the pool what fits; what is pre-confirmed would be in the pool of a node that builds no blocks. */
async function fillFromPool(config: NodeConfig, state: NodeState, empty: OpenBlock): Promise<OpenBlock> {
  const preconfirmed = (state.chain.open?.executed ?? []).map(({ transaction }) => transaction)
  const pool = preconfirmed.reduce(insertTransaction, state.pool)
  const allowance = {
    cumulativeGas: empty.environment.gasLimit,
    transactions: Number.POSITIVE_INFINITY,
  }
  const { executed, state: worldState } = await executeBatch(config, { ...state, pool }, empty, allowance)
  return addPartial(empty, { index: 1, executed }, worldState)
}

/** Builds a block on one of the chain; throws `blockNotFound`, `invalidPayloadAttributes` or `invalidBlock`. */
export async function buildBlock(
  config: NodeConfig,
  state: NodeState,
  order: BlockOrder,
): Promise<SealedBlock> {
  const { parentHash, attributes, transactions, extraData } = order
  const parent = blockByHash(state.chain, parentHash)
  if (parent === undefined) throw failure('blockNotFound', { block: `hash ${parentHash}` })
  const { number, timestamp } = parent.header
  if (attributes.timestamp <= timestamp) refuse(`timestamp ${attributes.timestamp} is not after ${timestamp}`)
  if (extraData !== undefined && extraData.length > MAX_EXTRA_DATA_BYTES) {
    refuse(`extra data of ${extraData.length} bytes, more than ${MAX_EXTRA_DATA_BYTES}`)
  }
  const point = { number: number + 1, timestamp: attributes.timestamp, difficulty: 0n }
  const rules = scheduleIn(config, state).rulesAt(point)
  if (attributes.withdrawals.length > 0 && !isForkActive(rules, 'shanghai')) {
    refuse('withdrawals before shanghai')
  }
  const empty = openBlock(rules, parent, environmentOf(state, rules, parent, order))
  const execution = executionContext(config, state, rules)
  const open =
    transactions === undefined
      ? await fillFromPool(config, state, empty)
      : await executeTransactions(execution, empty, transactions)
  return sealBlock(await completeBody(execution, open, attributes.withdrawals))
}
