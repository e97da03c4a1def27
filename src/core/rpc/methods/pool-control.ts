// Removal and replacement of unsealed transactions, under their names in anvil, Hardhat and geth.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { clearPool, dropTransaction, dropUnsealed } from '../../node/control/drop.ts'
import { submitTransaction } from '../../node/production/submit.ts'
import { pooledAt } from '../../pool/pool.ts'
import { failure, TickchainError } from '../../primitives/errors.ts'
import { equalBytes } from '../../primitives/hex.ts'
import { address, hash } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { quantity, uint64 } from '../codecs/numbers.ts'
import { type TransactionRequest, transactionRequest } from '../codecs/transaction-request.ts'
import { defineCommand, defineControl } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { fillAndSign, requestOf, requestSender } from '../requests/fill-transaction.ts'
import { readContext } from '../session.ts'
import { FIRST_ACCOUNT, NO_HASH } from './examples.ts'

export const hardhat_dropTransaction = defineCommand({
  summary:
    'Removes a transaction from the pool or, if it is pre-confirmed, from the block being built. The flavor hardhat refuses a sealed one.',
  params: [required('transactionHash', hash)],
  hardhat: { params: ['hash'] },
  result: 'null; in the flavor hardhat, whether there was such a transaction',
  example: { params: [NO_HASH] },
  async handle({ node, options }, transactionHash) {
    const drop = node.execute((state) => dropTransaction(node.config, state, transactionHash))
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
  apply: ({ state, config }) => clearPool(config, state),
})

export const debug_clearTxpool = defineControl({
  summary: "The same as anvil_dropAllTransactions, under geth's name.",
  answer: 'null',
  apply: ({ state, config }) => clearPool(config, state),
})

export const anvil_removePoolTransactions = defineControl({
  summary: 'Drops the unsealed transactions of a sender.',
  params: [required('address', address)],
  example: { params: [FIRST_ACCOUNT] },
  answer: 'null',
  apply: ({ state, config }, sender) =>
    dropUnsealed(config, state, (transaction) => transaction.sender === sender),
})

/** The pooled transaction with a request's sender, nonce, recipient, value and input; throws `notWaiting`. */
function requireSame(context: ReadContext, request: TransactionRequest): Transaction {
  const sender = requestSender(context, request)
  const { nonce, to, value = 0n, input } = request
  if (nonce === undefined) {
    throw failure('invalidParameter', { path: '0.nonce', reason: 'missing transaction nonce' })
  }
  const waiting = sender === undefined ? undefined : pooledAt(context.state.pool, sender, nonce)?.transaction
  const isSame = waiting?.to === to && waiting?.value === value && equalBytes(waiting.input, input)
  if (waiting === undefined || !isSame) throw failure('notWaiting', { sender: sender ?? '0x', nonce })
  return waiting
}

/** A request for the same transaction with another price and gas limit; 0 keeps the old ones, as in geth. */
function repriced(
  waiting: Transaction,
  gasPrice: bigint | undefined,
  gas: bigint | undefined,
): TransactionRequest {
  const { type, maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } = waiting
  const price = gasPrice === 0n ? undefined : gasPrice
  const isPlain = type < 2
  return {
    ...requestOf(waiting),
    gas: gas === undefined || gas === 0n ? waiting.gasLimit : gas,
    gasPrice: isPlain ? (price ?? maxFeePerGas) : undefined,
    maxFeePerGas: isPlain ? undefined : (price ?? maxFeePerGas),
    maxPriorityFeePerGas: isPlain ? undefined : (price ?? maxPriorityFeePerGas),
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
      return submitTransaction(node.config, state, signed)
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
