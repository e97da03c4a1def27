// Reads of transactions and receipts, and of the pool, which pre-confirmed transactions have left.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import * as lookup from '../../node/lookup.ts'
import { currentOpenBlock } from '../../node/node-state.ts'
import { countPending, type PooledTransaction, queueOf } from '../../pool/pool.ts'
import { toChecksumAddress } from '../../primitives/crypto.ts'
import { type Address, bytesToHex, type Hex, toQuantity } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import { address, blockTagOrNumber, hash } from '../codecs/basic.ts'
import { integer, required, uint64 } from '../codecs/codec.ts'
import { formatReceipt } from '../format/receipt.ts'
import { formatPooled, formatTransaction, type RpcTransaction } from '../format/transaction.ts'
import { defineRead } from '../method.ts'
import { bySenderAndNonce } from '../search-on-fork.ts'
import type { ReadContext, RpcOptions } from '../session.ts'
import { FIRST_ACCOUNT, NO_HASH } from './examples.ts'

/** With `receipts: 'sealed'`, a pre-confirmed transaction is shown as if it were in the pool. */
function shownAt({ receipts }: RpcOptions, found: lookup.FoundTransaction | undefined) {
  const isHidden = receipts === 'sealed' && found !== undefined && 'view' in found && found.view.isPending
  return isHidden ? { pooled: { transaction: found.executed.transaction } } : found
}

function answer(
  { options, present, state }: ReadContext,
  found: lookup.FoundTransaction | { readonly pooled: Pick<PooledTransaction, 'transaction'> } | undefined,
): RpcTransaction | null {
  if (found === undefined) return null
  if ('pooled' in found) return formatPooled(options, currentOpenBlock(state).rules, found.pooled.transaction)
  const { view, executed } = found
  return formatTransaction(executed.transaction, { block: present(view), index: executed.index })
}

/** The EIP-2718 bytes, without blobs. */
function answerRaw(found: lookup.FoundTransaction | undefined): Hex | null {
  if (found === undefined) return null
  return bytesToHex(('pooled' in found ? found.pooled : found.executed).transaction.raw)
}

function placed({ state }: ReadContext, selector: lookup.BlockSelector, index: number) {
  return lookup.transactionAt(lookup.findBlock(state, selector), index)
}

export const eth_getTransactionByHash = defineRead({
  summary: 'A transaction by hash: sealed, pre-confirmed or pooled. A pooled one has no block.',
  params: [required('transactionHash', hash, 'transaction')],
  hardhat: { params: ['hash'] },
  result: 'transaction, or null if it is unknown',
  handle: (context, transactionHash) =>
    answer(context, shownAt(context.options, lookup.findTransaction(context.state, transactionHash))),
})

export const eth_getTransactionReceipt = defineRead({
  summary:
    'The receipt of a transaction, available once it is pre-confirmed; with `receipts: sealed`, once its block is sealed.',
  params: [required('transactionHash', hash, 'transaction')],
  hardhat: { params: ['hash'] },
  result: 'receipt, or null if the transaction is in no block',
  handle({ state, present, options }, transactionHash) {
    const found = shownAt(options, lookup.findTransaction(state, transactionHash))
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
  handle: (context, sender, nonce) =>
    answer(context, lookup.findBySenderAndNonce(context.state, sender, nonce)),
})

export const eth_getRawTransactionByHash = defineRead({
  summary: 'The signed bytes of a transaction by hash, without blobs.',
  params: [required('transactionHash', hash, 'transaction')],
  result: 'data, or null if it is unknown',
  handle: ({ state }, transactionHash) => answerRaw(lookup.findTransaction(state, transactionHash)),
})

export const eth_getRawTransactionByBlockNumberAndIndex = defineRead({
  summary: 'The signed bytes of a transaction by its position in a block.',
  params: [required('block', blockTagOrNumber, 'block'), required('index', integer)],
  result: 'data, or null if there is none',
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
  handle({ state }, transactionHash): { readonly status: 'Known' | 'Unknown' } {
    const found = lookup.findTransaction(state, transactionHash)
    const isWaiting = found !== undefined && ('pooled' in found || found.view.isPending)
    return { status: isWaiting ? 'Known' : 'Unknown' }
  },
})

function waitingOf({ state }: ReadContext, sender: Address) {
  const queue = queueOf(state.pool, sender)
  const { nonce } = readAccount(lookup.requireBlock(state, 'pending').state, sender)
  const count = countPending(queue, nonce)
  const transactions = queue.transactions.map(({ transaction }) => transaction)
  return { sender, pending: transactions.slice(0, count), queued: transactions.slice(count) }
}

function waitingOfAll(context: ReadContext) {
  const senders = [...context.state.pool.bySender.entries()].map(([sender]) => sender).sort()
  return senders.map((sender) => waitingOf(context, sender))
}

type Show<Shown> = (transaction: Transaction) => Shown

/** With decimal nonces, as in geth. */
function byNonce<Shown>(transactions: readonly Transaction[], show: Show<Shown>): Record<string, Shown> {
  return Object.fromEntries(
    transactions.map((transaction) => [transaction.nonce.toString(), show(transaction)]),
  )
}

function contentOf<Shown>(context: ReadContext, show: Show<Shown>) {
  const all = waitingOfAll(context)
  const bySender = (part: 'pending' | 'queued') =>
    Object.fromEntries(
      all
        .filter((waiting) => waiting[part].length > 0)
        .map((waiting) => [toChecksumAddress(waiting.sender), byNonce(waiting[part], show)]),
    )
  return { pending: bySender('pending'), queued: bySender('queued') }
}

function showInFull({ options, state }: ReadContext) {
  const { rules } = currentOpenBlock(state)
  return (transaction: Transaction) => formatPooled(options, rules, transaction)
}

/** One line of text, in geth's format. */
function showBriefly({ to, value, gasLimit, maxFeePerGas }: Transaction): string {
  const target = to === undefined ? 'contract creation' : toChecksumAddress(to)
  return `${target}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`
}

export const txpool_content = defineRead({
  summary: 'All transactions in the pool, by sender and nonce.',
  result: 'object with pending and queued, each from address to decimal nonce to transaction',
  handle: (context) => contentOf(context, showInFull(context)),
})

export const txpool_contentFrom = defineRead({
  summary: 'The transactions of one sender in the pool, by nonce.',
  params: [required('address', address)],
  result: 'object with pending and queued, each from decimal nonce to transaction',
  handle(context, sender) {
    const { pending, queued } = waitingOf(context, sender)
    const show = showInFull(context)
    return { pending: byNonce(pending, show), queued: byNonce(queued, show) }
  },
})

export const txpool_inspect = defineRead({
  summary: 'All transactions in the pool, as one line of text each.',
  result: 'object with pending and queued, each from address to decimal nonce to text',
  handle: (context) => contentOf(context, showBriefly),
})

export const txpool_status = defineRead({
  summary: 'How many transactions are in the pool.',
  result: 'object with pending and queued, quantities',
  handle(context) {
    const all = waitingOfAll(context)
    return {
      pending: toQuantity(all.flatMap(({ pending }) => pending).length),
      queued: toQuantity(all.flatMap(({ queued }) => queued).length),
    }
  },
})

export const eth_pendingTransactions = defineRead({
  summary: 'All transactions in the pool in order of arrival, including those behind a nonce gap.',
  hardhat: { params: [] },
  result: 'array of transactions',
  handle(context) {
    const pooled = [...context.state.pool.byHash.entries()].map(([, each]) => each)
    const show = showInFull(context)
    return pooled.sort((a, b) => a.arrival - b.arrival).map(({ transaction }) => show(transaction))
  },
})
