// What transactions cost, and what they have cost.

import type { BlockView } from '../../chain/view.ts'
import { effectiveTip } from '../../execution/transaction.ts'
import { type BlockSelector, requireBlock } from '../../node/lookup.ts'
import { failure } from '../../primitives/errors.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { nextBaseFee, SUGGESTED_TIP } from '../../rollup/fees.ts'
import { integer } from '../codecs/basic.ts'
import { blockTagOrNumber } from '../codecs/block.ts'
import { type Codec, describe, optional, refuse, required } from '../codecs/codec.ts'
import { defineRead, type ReadContext } from '../method.ts'

/** How many blocks one fee history may span, as in geth. */
const MAX_HISTORY_BLOCKS = 1024
const MAX_PERCENTILES = 100

function pendingBaseFee({ config, state }: ReadContext): bigint {
  return requireBlock(config, state, 'pending').environment.baseFeePerGas
}

export const eth_gasPrice = defineRead({
  summary: 'A gas price that the next block takes: its base fee and the suggested tip.',
  params: [],
  result: 'quantity',
  example: { params: [] },
  handle: (context) => toQuantity(pendingBaseFee(context) + SUGGESTED_TIP),
})

export const eth_maxPriorityFeePerGas = defineRead({
  summary: 'The suggested tip: 1 gwei.',
  params: [],
  result: 'quantity',
  example: { params: [] },
  handle: () => toQuantity(SUGGESTED_TIP),
})

const percentiles: Codec<number[], readonly number[]> = {
  name: 'array of percentiles',
  decode(value, path) {
    if (!Array.isArray(value)) refuse(path, `expected an array of numbers, got ${describe(value)}`)
    if (value.length > MAX_PERCENTILES)
      throw failure('feeHistoryPercentile', { reason: 'over the query limit 100' })
    return value.map((percentile, index) => {
      if (typeof percentile !== 'number')
        refuse(`${path}[${index}]`, `expected a number, got ${describe(percentile)}`)
      if (!(percentile >= 0 && percentile <= 100)) {
        throw failure('feeHistoryPercentile', { reason: `${percentile}` })
      }
      const previous = value[index - 1]
      if (index > 0 && percentile < previous) {
        throw failure('feeHistoryPercentile', {
          reason: `#${index - 1}:${previous} >= #${index}:${percentile}`,
        })
      }
      return percentile
    })
  },
}

/** Tips of a block at percentiles of its gas, cheapest first (geth, eth/gasprice). */
function rewardsOf({ executed, environment }: BlockView, asked: readonly number[]): Hex[] {
  const tips = executed
    .map(({ transaction, receipt }) => ({
      tip: effectiveTip(transaction, environment.baseFeePerGas),
      gasUsed: receipt.gasUsed,
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  const total = executed.at(-1)?.receipt.cumulativeGasUsed ?? 0n
  return asked.map((percentile) => {
    const threshold = BigInt(Math.floor((Number(total) * percentile) / 100))
    let sum = 0n
    const found = tips.find(({ gasUsed }) => {
      sum += gasUsed
      return sum >= threshold
    })
    return toQuantity(found?.tip ?? 0n)
  })
}

function gasUsedOf({ executed }: BlockView): bigint {
  return executed.at(-1)?.receipt.cumulativeGasUsed ?? 0n
}

function viewsUpTo(context: ReadContext, newest: BlockSelector, count: number): BlockView[] {
  const { config, state } = context
  const last = requireBlock(config, state, newest)
  const views: BlockView[] = []
  const oldest = Math.max(0, last.environment.number - count + 1)
  for (let number = oldest; number < last.environment.number; number++) {
    views.push(requireBlock(config, state, number))
  }
  return [...views, last]
}

export const eth_feeHistory = defineRead({
  summary: 'Base fees, gas used ratios and, if percentiles are given, tips of a range of blocks.',
  params: [
    required('blockCount', integer),
    required('newestBlock', blockTagOrNumber),
    optional('rewardPercentiles', percentiles, undefined),
  ],
  result: 'oldestBlock, baseFeePerGas (one more than blocks), gasUsedRatio, blob fees, reward',
  example: { params: ['0x4', 'latest', [25, 75]] },
  handle(context, blockCount, newest, asked) {
    const count = Math.min(blockCount, MAX_HISTORY_BLOCKS)
    if (count === 0) return { oldestBlock: '0x0', gasUsedRatio: [] }
    const views = viewsUpTo(context, newest, count)
    const last = views[views.length - 1] as BlockView
    const { baseFeePerGas, gasLimit } = last.environment
    const next = nextBaseFee({ baseFeePerGas, gasLimit, gasUsed: gasUsedOf(last) })
    const fees = views.map((view) => view.environment.baseFeePerGas)
    return {
      oldestBlock: toQuantity((views[0] as BlockView).environment.number),
      baseFeePerGas: [...fees, next].map(toQuantity),
      gasUsedRatio: views.map((view) => Number(gasUsedOf(view)) / Number(view.environment.gasLimit)),
      baseFeePerBlobGas: [...fees, next].map(() => toQuantity(1)),
      blobGasUsedRatio: views.map(() => 0),
      ...(asked === undefined || asked.length === 0
        ? {}
        : { reward: views.map((view) => rewardsOf(view, asked)) }),
    }
  },
})
