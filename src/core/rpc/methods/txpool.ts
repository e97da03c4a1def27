// Contents of the pool: pending transactions, and queued ones behind a nonce gap.
// Pre-confirmed transactions have left the pool.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { requireBlock } from '../../node/lookup.ts'
import { currentOpenBlock } from '../../node/node-state.ts'
import { countPending, queueOf } from '../../pool/pool.ts'
import { toChecksumAddress } from '../../primitives/address.ts'
import { type Address, toQuantity } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import { address } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { formatPooled } from '../format/transaction.ts'
import { defineRead } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { FIRST_ACCOUNT } from './examples.ts'

/** The pooled transactions of one sender, by nonce. */
interface Waiting {
  readonly sender: Address
  readonly pending: readonly Transaction[]
  readonly queued: readonly Transaction[]
}

function waitingOf({ config, state }: ReadContext, sender: Address): Waiting {
  const queue = queueOf(state.pool, sender)
  const { nonce } = readAccount(requireBlock(config, state, 'pending').state, sender)
  const count = countPending(queue, nonce)
  const transactions = queue.transactions.map(({ transaction }) => transaction)
  return { sender, pending: transactions.slice(0, count), queued: transactions.slice(count) }
}

/** All senders, by address. */
function waitingOfAll(context: ReadContext): Waiting[] {
  const senders = [...context.state.pool.bySender.entries()].map(([sender]) => sender).sort()
  return senders.map((sender) => waitingOf(context, sender))
}

type Part = 'pending' | 'queued'
type Show<Shown> = (transaction: Transaction) => Shown

/** With decimal nonces, as in geth. */
function byNonce<Shown>(transactions: readonly Transaction[], show: Show<Shown>): Record<string, Shown> {
  return Object.fromEntries(
    transactions.map((transaction) => [transaction.nonce.toString(), show(transaction)]),
  )
}

function bySender<Shown>(all: readonly Waiting[], part: Part, show: Show<Shown>) {
  const some = all.filter((waiting) => waiting[part].length > 0)
  return Object.fromEntries(
    some.map((waiting) => [toChecksumAddress(waiting.sender), byNonce(waiting[part], show)]),
  )
}

function showInFull({ config, options, state }: ReadContext) {
  const { rules } = currentOpenBlock(config, state)
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
  handle(context) {
    const all = waitingOfAll(context)
    const show = showInFull(context)
    return { pending: bySender(all, 'pending', show), queued: bySender(all, 'queued', show) }
  },
})

export const txpool_contentFrom = defineRead({
  summary: 'The transactions of one sender in the pool, by nonce.',
  params: [required('address', address)],
  result: 'object with pending and queued, each from decimal nonce to transaction',
  example: { params: [FIRST_ACCOUNT] },
  handle(context, sender) {
    const { pending, queued } = waitingOf(context, sender)
    const show = showInFull(context)
    return { pending: byNonce(pending, show), queued: byNonce(queued, show) }
  },
})

export const txpool_inspect = defineRead({
  summary: 'All transactions in the pool, as one line of text each.',
  result: 'object with pending and queued, each from address to decimal nonce to text',
  handle(context) {
    const all = waitingOfAll(context)
    return { pending: bySender(all, 'pending', showBriefly), queued: bySender(all, 'queued', showBriefly) }
  },
})

export const txpool_status = defineRead({
  summary: 'How many transactions are in the pool.',
  result: 'object with pending and queued, quantities',
  handle(context) {
    const all = waitingOfAll(context)
    const count = (part: Part) => toQuantity(all.reduce((sum, waiting) => sum + waiting[part].length, 0))
    return { pending: count('pending'), queued: count('queued') }
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
