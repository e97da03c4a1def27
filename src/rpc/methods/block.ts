// Blocks and their receipts.

import type { BlockView } from '../../chain/view.ts'
import { findBlock } from '../../node/lookup.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { boolean, hash } from '../codecs/basic.ts'
import { block, blockTagOrNumber } from '../codecs/block.ts'
import { required } from '../codecs/codec.ts'
import { formatBlock, type RpcBlock } from '../format/block.ts'
import { formatReceipt } from '../format/receipt.ts'
import { defineRead, type ReadContext } from '../method.ts'

function answer(context: ReadContext, view: BlockView | undefined, isFull: boolean): RpcBlock | null {
  if (view === undefined) return null
  return formatBlock(context.config.rules, context.present(view), isFull ? 'full' : 'hashes')
}

export const eth_blockNumber = defineRead({
  summary: 'The number of the latest sealed block.',
  params: [],
  result: 'quantity',
  example: { params: [] },
  handle: ({ state }) => toQuantity(state.chain.head.header.number),
})

export const eth_getBlockByNumber = defineRead({
  summary: 'A block by number or tag; `pending` is the block being built, with what is pre-confirmed so far.',
  params: [required('block', blockTagOrNumber), required('fullTransactions', boolean)],
  result: 'block, or null where there is none',
  example: { params: ['latest', false] },
  handle: (context, selector, isFull) =>
    answer(context, findBlock(context.config, context.state, selector), isFull),
})

export const eth_getBlockByHash = defineRead({
  summary: 'A sealed block by hash.',
  params: [required('blockHash', hash), required('fullTransactions', boolean)],
  result: 'block, or null where there is none',
  example: { params: [`0x${'00'.repeat(32)}`, false] },
  handle: (context, blockHash, isFull) =>
    answer(context, findBlock(context.config, context.state, { blockHash }), isFull),
})

export const eth_getBlockReceipts = defineRead({
  summary: 'The receipts of all transactions of a block; with `pending`, of those pre-confirmed so far.',
  params: [required('block', block)],
  result: 'array of receipts, or null where there is no such block',
  example: { params: ['latest'] },
  handle({ config, state, present }, selector) {
    const view = findBlock(config, state, selector)
    return view === undefined ? null : view.executed.map((executed) => formatReceipt(present(view), executed))
  },
})
