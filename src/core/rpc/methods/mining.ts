// Mining on command, automining and interval mining.

import { revertReason } from '../../execution/result/revert-reason.ts'
import type { BlockTimeRange, NodeState } from '../../node/node-state.ts'
import * as mining from '../../node/production/mine.ts'
import { bytesToHex, type Hex } from '../../primitives/hex.ts'
import { boolean } from '../codecs/basic.ts'
import { type Codec, integer, optional, refuse, required } from '../codecs/codec.ts'
import { or, recordCodec, type ValueOf, type WireOf } from '../codecs/object.ts'
import * as flavored from '../flavor/chain.ts'
import { formatBlock, type RpcBlock } from '../format/block.ts'
import type { PresentedBlock } from '../format/receipt.ts'
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts'
import { type Controlled, defineCommand, defineControl, defineRead } from '../method.ts'
import { readContext, type Session, viewIn } from '../session.ts'

const mineObject = recordCodec({ timestamp: integer, blocks: or(integer, 1) })

type MineOptions = ValueOf<typeof mineObject>

const mineOptions: Codec<MineOptions, number | string | WireOf<typeof mineObject>> = {
  name: 'timestamp, or object with timestamp and blocks',
  decode: (value, path) =>
    typeof value === 'object'
      ? mineObject.decode(value, path)
      : { timestamp: integer.decode(value, path), blocks: 1 },
}

const ONE_BLOCK: MineOptions = { timestamp: undefined, blocks: 1 }

function orderOf({ options }: Session, state: NodeState, { timestamp, blocks }: MineOptions) {
  if (timestamp !== undefined) flavored.checkAskedTimestamp(options.flavor, state, timestamp)
  return { count: blocks, timestamp, least: flavored.leastAskedTimestamp(options.flavor, state) }
}

export const evm_mine = defineCommand({
  summary: 'Seals the block being built, with a timestamp if given, and more blocks after it if asked.',
  params: [optional('options', mineOptions, ONE_BLOCK)],
  hardhat: { variant: 'EvmMine', params: ['timestamp?'], takesMore: true },
  result: '"0x0"; in hardhat "0"',
  async handle(session, asked) {
    const { node, options } = session
    await node.execute((state) => mining.mineBlocks(state, orderOf(session, state, asked)))
    return options.flavor === 'hardhat' ? '0' : '0x0'
  },
})

export interface RpcMinedBlock extends Omit<RpcBlock, 'transactions'> {
  /** With their return data and, if they reverted with one, the reason. */
  readonly transactions: readonly (RpcTransaction & {
    readonly output: Hex
    readonly revertReason?: string
  })[]
}

function formatMined(block: PresentedBlock): RpcMinedBlock {
  const transactions = block.view.executed.map(({ transaction, index, receipt, returnData }) => {
    const reason = receipt.status === 0 ? revertReason(returnData) : undefined
    return {
      ...formatTransaction(transaction, { block, index }),
      ...(reason === undefined ? {} : { revertReason: reason }),
      output: bytesToHex(returnData),
    }
  })
  return { ...formatBlock(block, 'hashes'), transactions }
}

function blocksAbove(session: Session, state: NodeState, number: number): RpcMinedBlock[] {
  const context = readContext(session, state)
  const count = state.chain.head.header.number - number
  return Array.from({ length: count }, (_, at) =>
    formatMined(context.present(viewIn(context, number + 1 + at))),
  )
}

export const anvil_mine_detailed = defineCommand({
  summary: 'Seals blocks like evm_mine, and returns them with the result of each transaction.',
  params: [optional('options', mineOptions, ONE_BLOCK)],
  result:
    'array of blocks with full transactions, each with output, and with revertReason if it reverted with a reason',
  handle: (session, asked) =>
    session.node.execute(async (state) => {
      const mined = await mining.mineBlocks(state, orderOf(session, state, asked))
      return { ...mined, result: blocksAbove(session, mined.state, state.chain.head.header.number) }
    }),
})

export const anvil_mine = defineControl({
  summary:
    'Seals blocks, with an interval in seconds between their timestamps if given. In anvil the interval also precedes the first block. In hardhat it does not, and its default is one second.',
  params: [optional('count', integer, 1), optional('intervalSeconds', integer, undefined)],
  hardhat: { variant: 'Mine', params: ['u64?', 'u64?'] },
  example: { params: ['0x3', '0x3c'] },
  answer: 'done',
  apply({ state, flavor }, count, intervalS) {
    if (flavor === 'hardhat') return mining.mineBlocks(state, { count, intervalS: intervalS ?? 1 })
    // Without an interval, or with zero, the clock alone decides.
    return mining.mineBlocks(state, intervalS ? mining.spacedOrder(state, count, intervalS) : { count })
  },
})

export const anvil_setAutomine = defineControl({
  summary:
    'Turns automining on or off: every transaction is sealed at once. Transactions that already wait are sealed with the next one. In anvil, turning it on ends interval mining.',
  params: [required('enabled', boolean)],
  hardhat: { params: ['bool'] },
  example: { params: [true] },
  answer: 'done',
  apply({ state, flavor }, isEnabled) {
    const changed = mining.setAutomine(state, isEnabled)
    return flavor === 'anvil' && isEnabled ? mining.stopSealingOnTime(changed) : changed
  },
})

export const anvil_getAutomine = defineRead({
  summary: 'Whether every transaction is sealed at once.',
  hardhat: { params: [] },
  result: 'boolean',
  handle: ({ state }) => state.settings.automines,
})

/** A period, or bounds from which each block's period is chosen at random. Zero is none. */
const period: Codec<BlockTimeRange | undefined, number | string | readonly [number, number]> = {
  name: 'period, or array of minimum and maximum',
  decode(value, path) {
    if (!Array.isArray(value)) {
      const length = integer.decode(value, path)
      return length === 0 ? undefined : { leastMs: length, mostMs: length }
    }
    if (value.length !== 2) refuse(path, `expected two bounds, got ${value.length}`)
    const [leastMs = 0, mostMs = 0] = value.map((bound, i) => integer.decode(bound, `${path}[${i}]`))
    if (leastMs < 1 || leastMs > mostMs)
      refuse(path, `expected bounds from 1 in order, got ${leastMs}, ${mostMs}`)
    return { leastMs, mostMs }
  },
}

function withPeriod({ state, flavor }: Controlled, unitMs: number, range: BlockTimeRange | undefined) {
  const mode = flavor === 'anvil' ? mining.setAutomine(state, false) : state
  if (range === undefined) return mining.stopSealingOnTime(mode)
  return mining.sealOnTime(mode, { leastMs: range.leastMs * unitMs, mostMs: range.mostMs * unitMs })
}

export const evm_setIntervalMining = defineControl({
  summary:
    'Sets the interval of blocks in seconds of virtual time, in hardhat milliseconds. From bounds, each interval is chosen at random. Zero stops interval mining. In anvil it also ends automining.',
  params: [required('period', period)],
  hardhat: { params: ['interval'] },
  answer: 'done',
  apply: (chain, range) => withPeriod(chain, chain.flavor === 'hardhat' ? 1 : 1000, range),
})

export const anvil_setIntervalMining = defineControl({
  summary: 'Sets the interval of blocks in seconds of virtual time, like evm_setIntervalMining in anvil.',
  params: [required('period', period)],
  answer: 'done',
  apply: (chain, range) => withPeriod(chain, 1000, range),
})

export const anvil_getIntervalMining = defineRead({
  summary: 'The interval of blocks in seconds; if it is random, that of the block being built.',
  result: 'seconds, as a number, or null without interval mining',
  handle: ({ state: { settings } }) => (settings.sealsOnTime ? settings.blockTimeMs / 1000 : null),
})

export const miner_start = defineControl({
  summary: 'Turns automining on. If mining was off, the waiting transactions are sealed.',
  params: [optional('threads', integer, 1)],
  answer: 'true',
  apply: ({ state }) => mining.startMining(state),
})

export const miner_stop = defineControl({
  summary: 'Turns automining and interval mining off.',
  answer: 'true',
  apply: ({ state }) => mining.setProduction(state, 'manual'),
})

export {
  anvil_getAutomine as hardhat_getAutomine,
  anvil_mine as hardhat_mine,
  anvil_mine_detailed as anvil_mineDetailed,
  anvil_mine_detailed as evm_mine_detailed,
  anvil_setAutomine as evm_setAutomine,
}
