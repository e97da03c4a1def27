// Reads of blocks, headers, uncles and receipts of a block.

import type { BlockView } from '../../chain/view.ts'
import { type BlockSelector, findBlock } from '../../node/lookup.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { boolean, hash } from '../codecs/basic.ts'
import { block, blockTagOrNumber } from '../codecs/block.ts'
import { required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { formatBlock, formatHeader, formatUncle, type RpcBlock, type RpcUncle } from '../format/block.ts'
import { formatReceipt } from '../format/receipt.ts'
import { defineRead } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { ZEROS } from './examples.ts'

function answer(context: ReadContext, view: BlockView | undefined, isFull: boolean): RpcBlock | null {
  if (view === undefined) return null
  return formatBlock(context.present(view), isFull ? 'full' : 'hashes')
}

export const eth_blockNumber = defineRead({
  summary: 'The number of the latest sealed block.',
  hardhat: { params: [] },
  result: 'quantity',
  handle: ({ state }) => toQuantity(state.chain.head.header.number),
})

export const eth_getBlockByNumber = defineRead({
  summary:
    'A block by number or tag. `pending` is the block being built, with the transactions pre-confirmed so far.',
  params: [required('block', blockTagOrNumber, 'block'), required('fullTransactions', boolean)],
  hardhat: { variant: 'GetBlockByNumber', params: ['oldBlockSpec', 'bool'] },
  result: 'block, or null if there is none',
  example: { params: ['latest', false] },
  handle: (context, selector, isFull) =>
    answer(context, findBlock(context.config, context.state, selector), isFull),
})

export const eth_getBlockByHash = defineRead({
  summary: 'A sealed block by hash.',
  params: [required('blockHash', hash, 'block'), required('fullTransactions', boolean)],
  hardhat: { variant: 'GetBlockByHash', params: ['hash', 'bool'] },
  result: 'block, or null if there is none',
  example: { params: [ZEROS, false] },
  handle: (context, blockHash, isFull) =>
    answer(context, findBlock(context.config, context.state, { blockHash }), isFull),
})

export const eth_getBlockReceipts = defineRead({
  summary: 'The receipts of all transactions of a block; with `pending`, of those pre-confirmed so far.',
  params: [required('block', block, 'block')],
  isPrivate: true,
  result: 'array of receipts, or null if there is no such block',
  example: { params: ['latest'] },
  handle({ config, state, present }, selector) {
    const view = findBlock(config, state, selector)
    return view === undefined ? null : view.executed.map((executed) => formatReceipt(present(view), executed))
  },
})

export const eth_getHeaderByNumber = defineRead({
  summary: 'The header of a block by number or tag.',
  params: [required('block', blockTagOrNumber, 'block')],
  result: 'header, or null if there is none',
  example: { params: ['latest'] },
  handle({ config, state, present }, selector) {
    const view = findBlock(config, state, selector)
    return view === undefined ? null : formatHeader(present(view))
  },
})

export { eth_getHeaderByNumber as erigon_getHeaderByNumber }

export const eth_getHeaderByHash = defineRead({
  summary: 'The header of a sealed block by hash.',
  params: [required('blockHash', hash, 'block')],
  result: 'header, or null if there is none',
  example: { params: [ZEROS] },
  handle({ config, state, present }, blockHash) {
    const view = findBlock(config, state, { blockHash })
    return view === undefined ? null : formatHeader(present(view))
  },
})

function transactionCount({ config, state }: ReadContext, selector: BlockSelector): Hex | null {
  const view = findBlock(config, state, selector)
  return view === undefined ? null : toQuantity(view.executed.length)
}

export const eth_getBlockTransactionCountByNumber = defineRead({
  summary: 'How many transactions a block has; with `pending`, how many are pre-confirmed so far.',
  params: [required('block', blockTagOrNumber, 'block')],
  hardhat: { params: ['oldBlockSpec'] },
  result: 'quantity, or null if there is no such block',
  example: { params: ['latest'] },
  handle: transactionCount,
})

export const eth_getBlockTransactionCountByHash = defineRead({
  summary: 'How many transactions a sealed block has.',
  params: [required('blockHash', hash, 'block')],
  hardhat: { params: ['hash'] },
  result: 'quantity, or null if there is no such block',
  example: { params: [ZEROS] },
  handle: (context, blockHash) => transactionCount(context, { blockHash }),
})

function unclesOf({ config, state }: ReadContext, selector: BlockSelector) {
  const view = findBlock(config, state, selector)
  if (view === undefined) return undefined
  // The open block never has any.
  return view.isPending ? [] : view.block().body.uncles
}

function uncleCount(context: ReadContext, selector: BlockSelector): Hex | null {
  const uncles = unclesOf(context, selector)
  return uncles === undefined ? null : toQuantity(uncles.length)
}

function uncleAt(context: ReadContext, selector: BlockSelector, index: number): RpcUncle | null {
  const uncle = unclesOf(context, selector)?.[index]
  return uncle === undefined ? null : formatUncle(uncle)
}

export const eth_getUncleCountByBlockNumber = defineRead({
  summary: 'How many uncles a block has: zero, except in imported proof-of-work blocks.',
  params: [required('block', blockTagOrNumber, 'block')],
  hardhat: 'absent',
  result: 'quantity, or null if there is no such block',
  example: { params: ['latest'] },
  handle: uncleCount,
})

export const eth_getUncleCountByBlockHash = defineRead({
  summary: 'How many uncles a sealed block has.',
  params: [required('blockHash', hash, 'block')],
  hardhat: 'absent',
  result: 'quantity, or null if there is no such block',
  example: { params: [ZEROS] },
  handle: (context, blockHash) => uncleCount(context, { blockHash }),
})

export const eth_getUncleByBlockNumberAndIndex = defineRead({
  summary: 'An uncle of a block by its position.',
  params: [required('block', blockTagOrNumber, 'block'), required('index', integer)],
  hardhat: 'absent',
  result: 'header with size and uncles, or null if there is none',
  example: { params: ['latest', '0x0'] },
  handle: uncleAt,
})

export const eth_getUncleByBlockHashAndIndex = defineRead({
  summary: 'An uncle of a sealed block by its position.',
  params: [required('blockHash', hash, 'block'), required('index', integer)],
  hardhat: 'absent',
  result: 'header with size and uncles, or null if there is none',
  example: { params: [ZEROS, '0x0'] },
  handle: (context, blockHash, index) => uncleAt(context, { blockHash }, index),
})
