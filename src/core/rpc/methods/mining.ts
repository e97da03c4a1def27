// Mining on command, automining and interval mining.

import { revertReason } from '../../execution/result/revert-reason.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { unchanged } from '../../node/events.ts'
import { requireBlock } from '../../node/lookup.ts'
import type { BlockTimeRange, NodeState } from '../../node/node-state.ts'
import { type MiningOrder, mineBlocks, setProduction, startMining } from '../../node/production/mine.ts'
import { bytesToHex, type Hex } from '../../primitives/hex.ts'
import { asFields, boolean, field } from '../codecs/basic.ts'
import { type Codec, optional, refuse, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { acknowledge } from '../flavor/flavor.ts'
import {
  checkAskedTimestamp,
  leastAskedTimestamp,
  miningOrder,
  withAutomine,
  withIntervalMining,
} from '../flavor/mining.ts'
import { formatBlock, type RpcBlock } from '../format/block.ts'
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts'
import { defineCommand, defineRead } from '../method.ts'
import { readContext, type Session } from '../session.ts'

export interface EvmMineOptions {
  readonly timestamp: number | undefined
  readonly blocks: number
}

/** A timestamp in seconds, or an object with `timestamp` and `blocks`. */
const mineOptions: Codec<
  EvmMineOptions,
  number | string | { timestamp?: number | string; blocks?: number | string }
> = {
  name: 'timestamp, or object with timestamp and blocks',
  decode(value, path) {
    if (typeof value !== 'object') return { timestamp: integer.decode(value, path), blocks: 1 }
    const record = asFields(value, path, ['timestamp', 'blocks'])
    return {
      timestamp: field(record, 'timestamp', integer, path),
      blocks: field(record, 'blocks', integer, path) ?? 1,
    }
  },
}

const ONE_BLOCK: EvmMineOptions = { timestamp: undefined, blocks: 1 }

function orderOf({ options }: Session, state: NodeState, { timestamp, blocks }: EvmMineOptions): MiningOrder {
  if (timestamp !== undefined) checkAskedTimestamp(options.flavor, state, timestamp)
  return { count: blocks, timestamp, least: leastAskedTimestamp(options.flavor, state) }
}

export const evm_mine = defineCommand({
  summary: 'Seals the block being built, with a timestamp if given, and more blocks after it if asked.',
  params: [optional('options', mineOptions, ONE_BLOCK)],
  result: '"0x0"; in hardhat "0"',
  example: { params: [] },
  async handle(session, asked) {
    const { node, options } = session
    await node.execute((state) => mineBlocks(node.config, state, orderOf(session, state, asked)))
    return options.flavor === 'hardhat' ? '0' : '0x0'
  },
})

/** A transaction with its return data and, if it reverted with one, its reason. */
export interface RpcMinedTransaction extends RpcTransaction {
  readonly output: Hex
  readonly revertReason?: string
}

function outcomeOf({ receipt, returnData }: ExecutedTransaction) {
  const reason = receipt.status === 0 ? revertReason(returnData) : undefined
  return { ...(reason === undefined ? {} : { revertReason: reason }), output: bytesToHex(returnData) }
}

type RpcMinedBlock = Omit<RpcBlock, 'transactions'> & {
  readonly transactions: readonly RpcMinedTransaction[]
}

/** The sealed blocks above a number, in full. */
function blocksAbove(session: Session, state: NodeState, number: number): RpcMinedBlock[] {
  const { present } = readContext(session, state)
  const blocks: RpcMinedBlock[] = []
  for (let each = number + 1; each <= state.chain.head.header.number; each++) {
    const block = present(requireBlock(session.node.config, state, each))
    const transactions = block.view.executed.map((executed) => ({
      ...formatTransaction(executed.transaction, { block, index: executed.index }),
      ...outcomeOf(executed),
    }))
    blocks.push({ ...formatBlock(block, 'hashes'), transactions })
  }
  return blocks
}

const mineDetailed = defineCommand({
  summary: 'Seals blocks like evm_mine, and returns them with the result of each transaction.',
  params: [optional('options', mineOptions, ONE_BLOCK)],
  result:
    'array of blocks with full transactions, each with output, and with revertReason if it reverted with a reason',
  example: { params: [] },
  handle: (session, asked) =>
    session.node.execute(async (state) => {
      const mined = await mineBlocks(session.node.config, state, orderOf(session, state, asked))
      return { ...mined, result: blocksAbove(session, mined.state, state.chain.head.header.number) }
    }),
})

export {
  mineDetailed as anvil_mine_detailed,
  mineDetailed as anvil_mineDetailed,
  mineDetailed as evm_mine_detailed,
}

const mine = defineCommand({
  summary:
    'Seals blocks, with an interval in seconds between their timestamps if given. In anvil the interval also precedes the first block. In hardhat it does not, and its default is one second.',
  params: [optional('count', integer, 1), optional('intervalSeconds', integer, undefined)],
  result: 'null; in hardhat true',
  example: { params: ['0x3', '0x3c'] },
  async handle({ node, options: { flavor } }, count, intervalS) {
    await node.execute((state) =>
      mineBlocks(node.config, state, miningOrder(flavor, state, count, intervalS)),
    )
    return acknowledge(flavor)
  },
})

export { mine as anvil_mine, mine as hardhat_mine }

const setAutomine = defineCommand({
  summary:
    'Turns automining on or off: every transaction is sealed at once. Transactions that already wait are sealed with the next one. In anvil, turning it on ends interval mining.',
  params: [required('enabled', boolean)],
  result: 'null; in hardhat true',
  example: { params: [true] },
  async handle({ node, options: { flavor } }, isEnabled) {
    await node.execute((state) => unchanged(withAutomine(flavor, state, isEnabled)))
    return acknowledge(flavor)
  },
})

export { setAutomine as anvil_setAutomine, setAutomine as evm_setAutomine }

const getAutomine = defineRead({
  summary: 'Whether every transaction is sealed at once.',
  params: [],
  beforeFork: 'handler',
  result: 'boolean',
  example: { params: [] },
  handle: ({ state }) => state.settings.automines,
})

export { getAutomine as anvil_getAutomine, getAutomine as hardhat_getAutomine }

/** A period, or bounds from which each block's period is chosen at random. Zero is none. */
const period: Codec<BlockTimeRange | undefined, number | string | readonly [number, number]> = {
  name: 'period, or array of minimum and maximum',
  decode(value, path) {
    if (!Array.isArray(value)) {
      const length = integer.decode(value, path)
      return length === 0 ? undefined : { leastMs: length, mostMs: length }
    }
    if (value.length !== 2) refuse(path, `expected two bounds, got ${value.length}`)
    const [leastMs, mostMs] = value.map((bound, i) => integer.decode(bound, `${path}[${i}]`)) as [
      number,
      number,
    ]
    if (leastMs < 1 || leastMs > mostMs)
      refuse(path, `expected bounds from 1 in order, got ${leastMs}, ${mostMs}`)
    return { leastMs, mostMs }
  },
}

/** Sets the period, given in units of `unitMs`. */
async function setPeriod(
  { node, options: { flavor } }: Session,
  unitMs: number,
  range: BlockTimeRange | undefined,
) {
  const scaled = range && { leastMs: range.leastMs * unitMs, mostMs: range.mostMs * unitMs }
  await node.execute((state) => unchanged(withIntervalMining(flavor, state, scaled)))
  return acknowledge(flavor)
}

export const evm_setIntervalMining = defineCommand({
  summary:
    'Sets the interval of blocks in seconds of virtual time, in hardhat milliseconds. From bounds, each interval is chosen at random. Zero stops interval mining. In anvil it also ends automining.',
  params: [required('period', period)],
  result: 'null; in hardhat true',
  example: { params: [12] },
  handle: (session, range) => setPeriod(session, session.options.flavor === 'hardhat' ? 1 : 1000, range),
})

export const anvil_setIntervalMining = defineCommand({
  summary: 'Sets the interval of blocks in seconds of virtual time, like evm_setIntervalMining in anvil.',
  params: [required('period', period)],
  result: 'null; in hardhat true',
  example: { params: [12] },
  handle: (session, range) => setPeriod(session, 1000, range),
})

export const anvil_getIntervalMining = defineRead({
  summary: 'The interval of blocks in seconds; if it is random, that of the block being built.',
  params: [],
  beforeFork: 'handler',
  result: 'seconds, as a number, or null without interval mining',
  example: { params: [] },
  handle: ({ state: { settings } }) => (settings.sealsOnTime ? settings.blockTimeMs / 1000 : null),
})

export const miner_start = defineCommand({
  summary: 'Turns automining on. If mining was off, the waiting transactions are sealed.',
  params: [optional('threads', integer, 1)],
  result: 'true',
  example: { params: [] },
  async handle({ node }) {
    await node.execute((state) => startMining(node.config, state))
    return true as const
  },
})

export const miner_stop = defineCommand({
  summary: 'Turns automining and interval mining off.',
  params: [],
  result: 'true',
  example: { params: [] },
  async handle({ node }) {
    await node.execute((state) => unchanged(setProduction(state, 'manual')))
    return true as const
  },
})
