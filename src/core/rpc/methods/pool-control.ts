// Removal, replacement and delay of unsealed transactions, and faults.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import * as dropping from '../../node/control/drop.ts'
import { removeFaults } from '../../node/faults/faults.ts'
import { delayTransaction, setOrdering } from '../../node/faults/scheduling.ts'
import { releaseTransaction, setPoolLimit, submitTransaction } from '../../node/production/submit.ts'
import { pooledAt } from '../../pool/pool.ts'
import { failure, TickchainError } from '../../primitives/errors.ts'
import { equalBytes } from '../../primitives/hex.ts'
import { address, arrayOf, hash } from '../codecs/basic.ts'
import { integer, integerFrom, optional, quantity, required, uint64 } from '../codecs/codec.ts'
import { delayOf, dropOptions, ordering } from '../codecs/object.ts'
import { type TransactionRequest, transactionRequest } from '../codecs/overrides.ts'
import { defineCommand, defineControl } from '../method.ts'
import { fillAndSign, requestOf, requestSender } from '../requests/fill-transaction.ts'
import { type ReadContext, readContext } from '../session.ts'
import { FIRST_ACCOUNT, NO_HASH } from './examples.ts'

export const hardhat_dropTransaction = defineCommand({
  summary:
    'Removes a transaction from the pool or, if it is pre-confirmed, from the block being built. The flavor hardhat refuses a sealed one.',
  params: [required('transactionHash', hash)],
  hardhat: { params: ['hash'] },
  result: 'null; in the flavor hardhat, whether there was such a transaction',
  async handle({ node, options }, transactionHash) {
    const drop = node.execute((state) => dropping.dropTransaction(state, transactionHash))
    if (options.flavor === 'hardhat') return drop
    await drop.catch((error: unknown) => {
      if (!(error instanceof TickchainError && error.kind === 'alreadySealed')) throw error
    })
    return null
  },
})

export const hardhat_dropAllTransactions = defineControl({
  summary: 'Drops every unsealed transaction, pooled or pre-confirmed.',
  answer: 'done',
  apply: ({ state }) => dropping.clearPool(state),
})

export const debug_clearTxpool = defineControl({
  summary: "The same as anvil_dropAllTransactions, under geth's name.",
  answer: 'null',
  apply: ({ state }) => dropping.clearPool(state),
})

export const anvil_removePoolTransactions = defineControl({
  summary: 'Drops the unsealed transactions of a sender.',
  params: [required('address', address)],
  answer: 'null',
  apply: ({ state }, sender) => dropping.dropUnsealed(state, (transaction) => transaction.sender === sender),
})

/** The pooled transaction with a request's sender, nonce, recipient, value and input; throws `notWaiting`. */
function requireSame(context: ReadContext, request: TransactionRequest): Transaction {
  const sender = requestSender(context, request)
  const { nonce, to, value = 0n, input } = request
  const reason = 'missing transaction nonce'
  if (nonce === undefined) throw failure('invalidParameter', { path: '0.nonce', reason })
  const waiting = sender === undefined ? undefined : pooledAt(context.state.pool, sender, nonce)?.transaction
  const isSame = waiting?.to === to && waiting?.value === value && equalBytes(waiting.input, input)
  if (waiting === undefined || !isSame) throw failure('notWaiting', { sender: sender ?? '0x', nonce })
  return waiting
}

/** A request for the same transaction with another price and gas limit; 0 keeps the old ones, as in geth. */
function repriced(waiting: Transaction, gasPrice: bigint | undefined, gas: bigint | undefined) {
  const { type, maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } = waiting
  const isPlain = type < 2
  return {
    ...requestOf(waiting),
    gas: gas || waiting.gasLimit,
    gasPrice: isPlain ? gasPrice || maxFeePerGas : undefined,
    maxFeePerGas: isPlain ? undefined : gasPrice || maxFeePerGas,
    maxPriorityFeePerGas: isPlain ? undefined : gasPrice || maxPriorityFeePerGas,
    accessList: type === 0 ? undefined : accessList,
    authorizationList: type === 4 ? authorizationList : undefined,
    maxFeePerBlobGas: undefined,
    blobVersionedHashes: waiting.blobVersionedHashes.length === 0 ? undefined : waiting.blobVersionedHashes,
  }
}

export const eth_resend = defineCommand({
  summary:
    'Replaces a pooled transaction by the same with another gas price or gas limit; 0, or none, keeps the old value.',
  params: [
    required('transaction', transactionRequest),
    optional('gasPrice', quantity, undefined),
    optional('gasLimit', uint64, undefined),
  ],
  result: 'transaction hash',
  example: {
    params: [{ from: FIRST_ACCOUNT, to: FIRST_ACCOUNT, nonce: '0x0' }, '0x77359400'],
    error: 'notWaiting',
  },
  async handle(session, request, gasPrice, gas) {
    const { node } = session
    const { hash } = await node.execute(async (state) => {
      const context = readContext(session, state)
      const signed = await fillAndSign(context, repriced(requireSame(context, request), gasPrice, gas))
      return submitTransaction(state, signed)
    })
    return hash
  },
})

export {
  hardhat_dropAllTransactions as anvil_dropAllTransactions,
  hardhat_dropAllTransactions as ganache_dropAllTransactions,
  hardhat_dropTransaction as anvil_dropTransaction,
  hardhat_dropTransaction as ganache_dropTransaction,
}

export const tickchain_clearFaults = defineCommand({
  summary: 'Ends one fault, or all.',
  params: [optional('faultId', integer, undefined)],
  result: 'number of faults that ended',
  handle: ({ node }, asked) =>
    node.execute((state) => removeFaults(state, ({ id }) => asked === undefined || id === asked)),
})

const MAX_HASHES = 100_000

export const tickchain_dropPreconfirmed = defineControl({
  summary:
    'Drops pre-confirmed transactions, now or when their block is sealed. With `repool` they return to the pool.',
  params: [
    required('transactionHashes', arrayOf(hash, MAX_HASHES)),
    optional('options', dropOptions, { returning: 'drop', at: 'now' } as const),
  ],
  example: { params: [[NO_HASH]], error: 'notPreconfirmed' },
  answer: 'null',
  apply: ({ state }, hashes, { returning, at }) =>
    at === 'seal'
      ? dropping.dropAtSeal(state, hashes, returning)
      : dropping.dropPreconfirmed(state, hashes, returning),
})

export const tickchain_delayTransaction = defineControl({
  summary:
    'Holds a transaction back in the pool: for a number of partial blocks or blocks, until a time, or until it is released.',
  params: [required('transactionHash', hash), optional('delay', delayOf(integerFrom), {})],
  example: { params: [NO_HASH, { blocks: 1 }], error: 'notPooled' },
  answer: 'null',
  apply: ({ state }, transactionHash, asked) => delayTransaction(state, transactionHash, asked),
})

export const tickchain_releaseTransaction = defineCommand({
  summary: 'Ends the delay of a transaction that tickchain_delayTransaction holds back.',
  params: [required('transactionHash', hash)],
  result: 'whether the transaction was held back',
  handle: ({ node }, transactionHash) => node.execute((state) => releaseTransaction(state, transactionHash)),
})

export const tickchain_setOrdering = defineControl({
  summary: 'Sets the order in which pooled transactions are tried: fees, fifo, lifo or random.',
  params: [required('ordering', ordering)],
  example: { params: ['lifo'] },
  answer: 'null',
  apply: ({ state }, asked) => setOrdering(state, asked),
})

export const tickchain_setPoolLimit = defineControl({
  summary:
    'Sets the maximum number of pooled transactions; without a number, that of the option limits.poolTransactions.',
  params: [optional('transactions', integer, undefined)],
  example: { params: [0] },
  answer: 'null',
  apply: ({ state }, limit) => setPoolLimit(state, limit),
})
