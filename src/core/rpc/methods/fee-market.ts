// Fees: suggestions for the next block, and history.

import { feesAfter } from '../../chain/block/execute-block.ts'
import type { BlockView } from '../../chain/chain.ts'
import { environmentWith } from '../../execution/evm/pooled-evm.ts'
import { effectiveTip } from '../../execution/transaction/transaction.ts'
import { type BlockSelector, findBlock } from '../../node/lookup.ts'
import { nextRules } from '../../node/node-state.ts'
import { suggestedTip } from '../../node/production/submit.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { loadOnce } from '../../primitives/loading.ts'
import { maxBlobGas } from '../../rollup/blobs.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { blockTagOrNumber } from '../codecs/basic.ts'
import { type Codec, integer, optional, refuseValue, required } from '../codecs/codec.ts'
import { suggestedTipIn } from '../flavor/chain.ts'
import type { Flavor } from '../flavor/flavor.ts'
import { INVALID_INPUT } from '../flavor/hardhat-messages.ts'
import { defineRead } from '../method.ts'
import { type ReadContext, viewIn } from '../session.ts'

/** Maximum number of blocks in a fee history, as in geth. */
const MAX_HISTORY_BLOCKS = 1024
const MAX_PERCENTILES = 100

export const eth_gasPrice = defineRead({
  summary: 'A gas price for the next block: its base fee plus the suggested tip.',
  hardhat: { params: [] },
  result: 'quantity',
  handle: (context) =>
    toQuantity(viewIn(context, 'pending').environment.baseFeePerGas + suggestedTipIn(context)),
})

export const eth_maxPriorityFeePerGas = defineRead({
  summary:
    'The suggested tip: 1 gwei, on a rollup 0.001 gwei unless its blocks are full, or the minimum tip of the pool if that is higher.',
  hardhat: { params: [] },
  result: 'quantity',
  handle: ({ state }) => toQuantity(suggestedTip(state)),
})

export const eth_baseFee = defineRead({
  summary: 'The base fee per gas of the block being built, in wei.',
  result: 'quantity',
  handle: (context) => toQuantity(viewIn(context, 'pending').environment.baseFeePerGas),
})

export const eth_blobBaseFee = defineRead({
  summary: 'The base fee per blob gas of the block being built, in wei.',
  hardhat: { params: [] },
  result: 'quantity',
  handle(context) {
    const { state, options } = context
    // Hardhat's is zero before cancun.
    const isNone = options.flavor === 'hardhat' && !isForkActive(nextRules(state), 'cancun')
    return toQuantity(isNone ? 0n : viewIn(context, 'pending').environment.blobBaseFee)
  },
})

const percentiles: Codec<number[], readonly number[]> = {
  name: 'array of percentiles',
  decode(value, path) {
    if (!Array.isArray(value)) refuseValue(path, 'an array of numbers', value)
    if (value.length > MAX_PERCENTILES)
      throw failure('feeHistoryPercentile', { reason: 'over the query limit 100' })
    return Array.from(value, (percentile: unknown, index) => {
      if (typeof percentile !== 'number') refuseValue(`${path}[${index}]`, 'a number', percentile)
      const previous = value[index - 1]
      const reason = !(percentile >= 0 && percentile <= 100)
        ? `${percentile}`
        : percentile < previous && `#${index - 1}:${previous} >= #${index}:${percentile}`
      if (reason !== false) throw failure('feeHistoryPercentile', { reason })
      return percentile
    })
  },
}

/** Tips of a block at percentiles of its gas, cheapest first (geth, eth/gasprice). */
function rewardsOf(flavor: Flavor, view: BlockView, asked: readonly number[]): Hex[] {
  const { executed, environment } = view
  const tips = executed
    .map(({ transaction, receipt }) => ({
      tip: effectiveTip(transaction, environment.baseFeePerGas),
      gasUsed: receipt.gasUsed,
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  // In Hardhat a percentile is of the block's gas limit, and beyond the last transaction there is the tip of that.
  const isHardhat = flavor === 'hardhat'
  const whole = Number(isHardhat ? environment.gasLimit : gasUsedOf(view))
  const beyond = (isHardhat ? tips.at(-1)?.tip : undefined) ?? 0n
  return asked.map((percentile) => {
    const threshold = BigInt(Math.floor((whole * percentile) / 100))
    let sum = 0n
    const found = tips.find(({ gasUsed }) => {
      sum += gasUsed
      return sum >= threshold
    })
    return toQuantity(found?.tip ?? beyond)
  })
}

function gasUsedOf({ executed }: BlockView): bigint {
  return executed.at(-1)?.receipt.cumulativeGasUsed ?? 0n
}

function blobGasUsedOf({ executed }: BlockView): bigint {
  return executed.reduce((sum, { receipt }) => sum + receipt.blobGasUsed, 0n)
}

/** Before cancun blob gas has no price; geth shows zero. */
function feesOf(rules: Rules, fees: Pick<BlockEnvironment, 'baseFeePerGas' | 'blobBaseFee'>) {
  return { gas: fees.baseFeePerGas, blobGas: isForkActive(rules, 'cancun') ? fees.blobBaseFee : 0n }
}

/** The fees of the block after a block: sealed, open, or (after the open block) computed. */
function feesBeyond({ state }: ReadContext, last: BlockView) {
  const { rules, environment } = last
  const isHead = environment.number === state.chain.head.header.number && !last.isPending
  const next = findBlock(state, isHead ? 'pending' : environment.number + 1)
  if (next !== undefined) return feesOf(next.rules, next.environment)
  const used = { gasUsed: gasUsedOf(last), blobGasUsed: blobGasUsedOf(last) }
  return feesOf(rules, feesAfter(rules, { rules, header: environmentWith(environment, used) }))
}

function viewsUpTo(context: ReadContext, newest: BlockSelector, count: number): BlockView[] {
  const last = viewIn(context, newest)
  const views: BlockView[] = []
  const { first, fork } = context.state.chain
  const lowest = fork === undefined ? first : first + 1
  const oldest = Math.max(lowest, last.environment.number - count + 1)
  for (let number = oldest; number < last.environment.number; number++) views.push(viewIn(context, number))
  return [...views, last]
}

/** The fees of the chain's own blocks; up to the fork, the upstream has them. */
function ownFees(
  context: ReadContext,
  newest: BlockSelector,
  count: number,
  asked: readonly number[] | undefined,
) {
  const { flavor } = context.options
  const views = viewsUpTo(context, newest, count)
  const fees = views.map(({ rules, environment }) => feesOf(rules, environment))
  fees.push(feesBeyond(context, views[views.length - 1] as BlockView))
  return {
    oldestBlock: toQuantity((views[0] as BlockView).environment.number),
    baseFeePerGas: fees.map(({ gas }) => toQuantity(gas)),
    gasUsedRatio: views.map((view) => Number(gasUsedOf(view)) / Number(view.environment.gasLimit)),
    ...(flavor !== 'hardhat' && {
      baseFeePerBlobGas: fees.map(({ blobGas }) => toQuantity(blobGas)),
      // The OP stack has no blobs, nor before jovian anything else that their gas counts.
      blobGasUsedRatio: views.map((view) => {
        const most = maxBlobGas(view.rules, view.environment.gasLimit)
        return most === 0n ? 0 : Number(blobGasUsedOf(view)) / Number(most)
      }),
    }),
    ...(asked?.length && { reward: views.map((view) => rewardsOf(flavor, view, asked)) }),
  }
}

const loadFeesBefore = loadOnce(() => import('../requests/fees-before-fork.ts'))

export const eth_feeHistory = defineRead({
  summary: 'Base fees, gas used ratios and, if percentiles are given, tips of a range of blocks.',
  params: [
    required('blockCount', integer),
    required('newestBlock', blockTagOrNumber),
    optional('rewardPercentiles', percentiles, undefined),
  ],
  beforeFork: 'handler',
  hardhat: { variant: 'FeeHistory', params: ['u256', 'blockSpec', 'percentiles'] },
  result:
    'object with oldestBlock, baseFeePerGas (one more than blocks), gasUsedRatio, baseFeePerBlobGas, blobGasUsedRatio and reward',
  example: { params: ['0x4', 'latest', [25, 75]] },
  async handle(context, blockCount, newest, asked) {
    const { state } = context
    if (context.options.flavor === 'hardhat' && (blockCount === 0 || blockCount > MAX_HISTORY_BLOCKS)) {
      const words = `blockCount should be at ${blockCount === 0 ? 'least 1' : `most ${MAX_HISTORY_BLOCKS}`}`
      throw reworded(failure('feeHistoryPercentile', { reason: '' }), INVALID_INPUT, words)
    }
    const count = Math.min(blockCount, MAX_HISTORY_BLOCKS)
    if (count === 0) return { oldestBlock: '0x0', gasUsedRatio: [] }
    if (state.chain.fork === undefined) return ownFees(context, newest, count, asked)
    const { joinFees } = await loadFeesBefore()
    return joinFees(state, newest, count, asked, () => ownFees(context, newest, count, asked))
  },
})
