// The engine's build: a block on any block of the chain, as an execution client builds it for its consensus client. The
// chain stays as it is.

import * as blockOf from '../../chain/block/block.ts'
import type { Withdrawal } from '../../chain/block/body.ts'
import { completeBody, executeTransactions, feesAfter } from '../../chain/block/execute-block.ts'
import { blockByHash } from '../../chain/chain.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { readmit } from '../../pool/admit.ts'
import { depositTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { isFromPool } from '../control/drop.ts'
import * as states from '../node-state.ts'
import { openingDeposits } from '../rollup/opening.ts'
import { chooseOrigin } from '../rollup/origins.ts'
import { executeBatch } from './block-production.ts'
import { admissionContext } from './submit.ts'

/** The fields that the consensus client decides (Engine API, PayloadAttributesV3). */
export interface PayloadAttributes {
  /** In seconds. */
  readonly timestamp: number
  /** The milliseconds after them, where a second has several blocks. */
  readonly timestampMillisPart?: number | undefined
  readonly prevRandao: Hash
  readonly suggestedFeeRecipient: Address
  readonly withdrawals: readonly Withdrawal[]
  readonly parentBeaconBlockRoot: Hash
  /** On a rollup, in place of what its node would say: the first transactions, deposits among them. */
  readonly transactions?: readonly Transaction[] | undefined
  /** True if none of the pool follow. */
  readonly noTxPool?: boolean | undefined
  readonly gasLimit?: bigint | undefined
  /** Zeros stand for those of the chain. */
  readonly eip1559?: { readonly denominator: number; readonly elasticity: number } | undefined
  readonly minBaseFee?: bigint | undefined
}

export interface EngineBuild {
  readonly parentHash: Hash
  readonly attributes: PayloadAttributes
  /** In this order; `undefined` for those of the pool. */
  readonly transactions: readonly Transaction[] | undefined
  /** `undefined` for the chain's setting. */
  readonly extraData: Uint8Array | undefined
}

function momentIn({ timestamp, timestampMillisPart = 0 }: PayloadAttributes): number {
  return timestamp * 1000 + timestampMillisPart
}

function refuse(reason: string): never {
  throw failure('invalidPayloadAttributes', { reason })
}

/** The gas limit after one step towards that of the first block (geth, core.CalcGasLimit). */
function gasLimitAfter({ chain }: states.NodeState, rules: Rules, parent: blockOf.SealedBlock): bigint {
  const before = blockOf.gasLimitBefore(rules, parent)
  const wanted = chain.blocks.get(chain.first)?.header.gasLimit ?? before
  const step = before / blockOf.GAS_LIMIT_BOUND_DIVISOR - 1n
  if (wanted > before + step) return before + step
  return wanted < before - step ? before - step : wanted
}

function environmentOf(
  state: states.NodeState,
  rules: Rules,
  parent: blockOf.SealedBlock,
  { attributes, extraData }: EngineBuild,
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

/** Fills a block from the pool. Pre-confirmed transactions count as pooled: here they are in no block yet. */
async function fillFromPool(state: states.NodeState, empty: blockOf.OpenBlock): Promise<blockOf.OpenBlock> {
  const executedNow = (state.chain.open?.executed ?? []).map(({ transaction }) => transaction)
  const preconfirmed = executedNow.filter(isFromPool)
  const pool = readmit(admissionContext(state), state.pool, preconfirmed)
  const allowance = { cumulativeGas: empty.environment.gasLimit }
  const { executed, state: worldState } = await executeBatch({ ...state, pool }, empty, allowance)
  return blockOf.addPartial(empty, { index: 1, executed }, worldState)
}

type Opening = { readonly transactions: readonly Transaction[] } & Partial<states.BuilderFields>

/** The first transactions of a rollup's block, and the fields that its system configuration decides. */
async function openingOn(
  { rollup }: states.NodeState,
  rules: Rules,
  parent: blockOf.SealedBlock,
  attributes: PayloadAttributes,
): Promise<Opening> {
  if (rollup === undefined || rules.rollup === undefined) return { transactions: [] }
  const { timestamp, transactions, gasLimit, eip1559, minBaseFee } = attributes
  const choice = chooseOrigin(rollup, parent, timestamp)
  const { system } = choice.origin
  const deposits =
    transactions === undefined ? await openingDeposits(choice, rules, parent, momentIn(attributes)) : []
  const told = {
    eip1559: eip1559 ?? system.eip1559,
    minBaseFee: minBaseFee ?? (eip1559 === undefined ? system.minBaseFee : 0n),
  }
  return {
    transactions: transactions ?? deposits.map((each) => depositTransaction(each)),
    gasLimit: gasLimit ?? rollup.gasLimit ?? system.gasLimit,
    extraData: rules.rollup.stack.encodeExtraData(rules, told),
  }
}

/** Refuses what only rollups read, and what their blocks read from a later fork on: it would have no effect. */
function checkRollupFields({ rollup }: Rules, attributes: PayloadAttributes): void {
  const { changes } = rollup ?? {}
  const needed = {
    transactions: [rollup !== undefined, 'a chain that is no rollup'],
    noTxPool: [rollup !== undefined, 'a chain that is no rollup'],
    gasLimit: [rollup !== undefined, 'a chain that is no rollup'],
    eip1559: [changes?.hasExtraData, 'a block without such parameters, which come with holocene'],
    minBaseFee: [changes?.metersFootprint, 'a block without a least base fee, which comes with jovian'],
  } as const
  for (const [name, [isRead, where]] of Object.entries(needed)) {
    const given = attributes[name as keyof typeof needed]
    if (given !== undefined && given !== false && !isRead)
      refuse(`${name === 'eip1559' ? 'eip1559Params' : name} for ${where}`)
  }
}

/** The milliseconds are told from denim on, and never before (Base, denim: engine API). */
function checkMillis({ rollup }: Rules, { timestampMillisPart: part, transactions }: PayloadAttributes) {
  const slotMs = rollup?.changes.slotMs
  const refuseMillis = (reason: string): never => {
    throw failure('invalidParameter', { path: '1.timestampMillisPart', reason })
  }
  if (slotMs === undefined || rollup === undefined) {
    if (part !== undefined) refuseMillis(`expected none before denim, got ${part}`)
    return
  }
  if (part === undefined || part % slotMs !== 0 || part >= 1000)
    refuseMillis(`expected a multiple of ${slotMs} below 1000 from denim on, got ${part ?? 'none'}`)
  if (transactions === undefined) return
  const [, told] = transactions
  const toldPart = told && rollup.stack.readTimePart(told.input)
  if (toldPart !== part) refuseMillis(`expected ${toldPart ?? 'none'}, as in transactions[1], got ${part}`)
}

/** Builds a block on a block of the chain; throws `blockNotFound`, `invalidPayloadAttributes` or `invalidBlock`. */
export async function buildForEngine(state: states.NodeState, build: EngineBuild) {
  const { parentHash, attributes, transactions, extraData } = build
  const parent = blockByHash(state.chain, parentHash)
  if (parent === undefined)
    throw failure('blockNotFound', { block: parentHash, latest: state.chain.head.header.number })
  const { number, timestamp } = parent.header
  if (momentIn(attributes) <= blockOf.momentOf(parent))
    refuse(`timestamp ${attributes.timestamp} is not after ${timestamp}`)
  if (extraData !== undefined && extraData.length > blockOf.MAX_EXTRA_DATA_BYTES)
    refuse(`extra data of ${extraData.length} bytes, more than ${blockOf.MAX_EXTRA_DATA_BYTES}`)
  const point = { number: number + 1, timestamp: attributes.timestamp, difficulty: 0n }
  const rules = states.scheduleIn(state).rulesAt(point)
  checkMillis(rules, attributes)
  checkRollupFields(rules, attributes)
  if (attributes.withdrawals.length > 0 && !isForkActive(rules, 'shanghai'))
    refuse('withdrawals before shanghai')
  const { transactions: first, ...decided } = await openingOn(state, rules, parent, attributes)
  const environment = { ...environmentOf(state, rules, parent, build), ...decided }
  const empty = blockOf.openBlock(rules, parent, environment)
  const execution = states.executionContext(state, rules)
  const forced = [...first, ...(transactions ?? [])]
  const begun = await executeTransactions(execution, empty, forced)
  const isFilled = transactions === undefined && attributes.noTxPool !== true
  const open = isFilled ? await fillFromPool(state, begun) : begun
  return blockOf.sealBlock(await completeBody(execution, open, attributes.withdrawals))
}
