// Reads of transactions and receipts, by hash, sender and nonce, or position in a block.

import {
  type BlockSelector,
  type FoundTransaction,
  findBlock,
  findBySenderAndNonce,
  findTransaction,
  transactionAt,
} from '../../node/lookup.ts'
import { currentOpenBlock } from '../../node/node-state.ts'
import type { PooledTransaction } from '../../pool/pool.ts'
import { bytesToHex, type Hex } from '../../primitives/hex.ts'
import { address, hash } from '../codecs/basic.ts'
import { blockTagOrNumber } from '../codecs/block.ts'
import { required } from '../codecs/codec.ts'
import { integer, uint64 } from '../codecs/numbers.ts'
import { formatReceipt } from '../format/receipt.ts'
import { formatPooled, formatTransaction, type RpcTransaction } from '../format/transaction.ts'
import { defineRead } from '../method.ts'
import type { RpcOptions } from '../options.ts'
import type { ReadContext } from '../read-context.ts'
import { bySenderAndNonce } from '../search-on-fork.ts'
import { FIRST_ACCOUNT, NO_HASH } from './examples.ts'

/** A transaction without its block: in the pool, or hidden in the block being built. */
type Waiting = { readonly pooled: Pick<PooledTransaction, 'transaction'> }

/** With `receipts: 'sealed'`, a pre-confirmed transaction is shown as if it were in the pool. */
function shownAt(
  { receipts }: RpcOptions,
  found: FoundTransaction | undefined,
): FoundTransaction | Waiting | undefined {
  const isHidden = receipts === 'sealed' && found !== undefined && 'view' in found && found.view.isPending
  return isHidden ? { pooled: { transaction: found.executed.transaction } } : found
}

function answer(
  { config, options, present, state }: ReadContext,
  found: FoundTransaction | Waiting | undefined,
): RpcTransaction | null {
  if (found === undefined) return null
  if ('pooled' in found)
    return formatPooled(options, currentOpenBlock(config, state).rules, found.pooled.transaction)
  const { view, executed } = found
  return formatTransaction(executed.transaction, { block: present(view), index: executed.index })
}

/** The EIP-2718 bytes, without blobs. */
function answerRaw(found: FoundTransaction | undefined): Hex | null {
  if (found === undefined) return null
  return bytesToHex(('pooled' in found ? found.pooled : found.executed).transaction.raw)
}

function placed({ config, state }: ReadContext, selector: BlockSelector, index: number) {
  return transactionAt(findBlock(config, state, selector), index)
}

export const eth_getTransactionByHash = defineRead({
  summary: 'A transaction by hash: sealed, pre-confirmed or pooled. A pooled one has no block.',
  params: [required('transactionHash', hash, 'transaction')],
  hardhat: { params: ['hash'] },
  result: 'transaction, or null if it is unknown',
  example: { params: [NO_HASH] },
  handle: (context, transactionHash) =>
    answer(context, shownAt(context.options, findTransaction(context.state, transactionHash))),
})

export const eth_getTransactionReceipt = defineRead({
  summary:
    'The receipt of a transaction, available once it is pre-confirmed; with `receipts: sealed`, once its block is sealed.',
  params: [required('transactionHash', hash, 'transaction')],
  hardhat: { params: ['hash'] },
  result: 'receipt, or null if the transaction is in no block',
  example: { params: [NO_HASH] },
  handle({ state, present, options }, transactionHash) {
    const found = shownAt(options, findTransaction(state, transactionHash))
    return found === undefined || 'pooled' in found
      ? null
      : formatReceipt(present(found.view), found.executed)
  },
})

export const eth_getTransactionByBlockNumberAndIndex = defineRead({
  summary: 'A transaction by its position in a block; with `pending`, a pre-confirmed one.',
  params: [required('block', blockTagOrNumber, 'block'), required('index', integer)],
  hardhat: { variant: 'GetTransactionByBlockNumberAndIndex', params: ['oldBlockSpec', 'u256'] },
  result: 'transaction, or null if there is none',
  example: { params: ['latest', '0x0'] },
  handle: (context, selector, index) => answer(context, placed(context, selector, index)),
})

export const eth_getTransactionByBlockHashAndIndex = defineRead({
  summary: 'A transaction by its position in a sealed block.',
  params: [required('blockHash', hash, 'block'), required('index', integer)],
  hardhat: { variant: 'GetTransactionByBlockHashAndIndex', params: ['hash', 'u256'] },
  result: 'transaction, or null if there is none',
  example: { params: [NO_HASH, '0x0'] },
  handle: (context, blockHash, index) => answer(context, placed(context, { blockHash }, index)),
})

export const eth_getTransactionBySenderAndNonce = defineRead({
  summary: 'The transaction of an account with a nonce. A pooled one has no block.',
  params: [required('address', address), required('nonce', uint64)],
  beforeFork: bySenderAndNonce,
  result: 'transaction, or null if there is none',
  example: { params: [FIRST_ACCOUNT, '0x0'] },
  handle: (context, sender, nonce) => answer(context, findBySenderAndNonce(context.state, sender, nonce)),
})

export const eth_getRawTransactionByHash = defineRead({
  summary: 'The signed bytes of a transaction by hash, without blobs.',
  params: [required('transactionHash', hash, 'transaction')],
  result: 'data, or null if it is unknown',
  example: { params: [NO_HASH] },
  handle: ({ state }, transactionHash) => answerRaw(findTransaction(state, transactionHash)),
})

export const eth_getRawTransactionByBlockNumberAndIndex = defineRead({
  summary: 'The signed bytes of a transaction by its position in a block.',
  params: [required('block', blockTagOrNumber, 'block'), required('index', integer)],
  result: 'data, or null if there is none',
  example: { params: ['latest', '0x0'] },
  handle: (context, selector, index) => answerRaw(placed(context, selector, index)),
})

export const eth_getRawTransactionByBlockHashAndIndex = defineRead({
  summary: 'The signed bytes of a transaction by its position in a sealed block.',
  params: [required('blockHash', hash, 'block'), required('index', integer)],
  result: 'data, or null if there is none',
  example: { params: [NO_HASH, '0x0'] },
  handle: (context, blockHash, index) => answerRaw(placed(context, { blockHash }, index)),
})

/** The prefix is the name of the chain (an option); this is the default. */
export const base_transactionStatus = defineRead({
  summary: 'Whether a transaction is pooled or pre-confirmed, that is, known and not yet sealed.',
  params: [required('transactionHash', hash)],
  result: 'object with status "Known" or "Unknown"',
  example: { params: [NO_HASH] },
  handle({ state }, transactionHash): { readonly status: 'Known' | 'Unknown' } {
    const found = findTransaction(state, transactionHash)
    const isWaiting = found !== undefined && ('pooled' in found || found.view.isPending)
    return { status: isWaiting ? 'Known' : 'Unknown' }
  },
})
