// The methods of Otterscan, a block explorer (its docs/custom-jsonrpc.md; Erigon, reth and anvil answer them).

import { findBySenderAndNonce, findIncluded, requireBlock } from '../../node/lookup.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { loadOnce } from '../../primitives/loading.ts'
import { hasCode } from '../../state/world-state.ts'
import { address, block, blockTagOrNumber, hash } from '../codecs/basic.ts'
import { integer, optional, required, uint64 } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import { bySenderAndNonce, creatorBefore, searchBack, searchForth } from '../search-on-fork.ts'
import { FIRST_ACCOUNT, NO_HASH } from './examples.ts'

const hashParameter = required('transactionHash', hash, 'transaction')

// Loaded with their first use, as few tests ask these methods.
const loadAnswers = loadOnce(() => import('../requests/otterscan.ts'))

export const ots_getApiLevel = defineRead({
  summary: 'The version of these methods.',
  result: 'number',
  handle: () => 8,
})

export const ots_getInternalOperations = defineRead({
  summary: 'The ether transfers, creations and self-destructs inside a transaction.',
  params: [hashParameter],
  result: 'array of objects with type, from, to and value, or null if the transaction is in no block',
  handle: async (...asked) => (await loadAnswers()).operationsOf(...asked),
})

export const ots_traceTransaction = defineRead({
  summary: 'The calls, creations and self-destructs of a transaction, with their depths.',
  params: [hashParameter],
  result: 'array of entries, or null if the transaction is in no block',
  handle: async (...asked) => (await loadAnswers()).entriesOf(...asked),
})

export const ots_getTransactionError = defineRead({
  summary: 'The data with which a transaction reverted; empty for any other outcome.',
  params: [hashParameter],
  result: 'data, or null if the transaction is in no block',
  handle({ state }, transactionHash) {
    const found = findIncluded(state, transactionHash)
    if (found === undefined) return null
    const { failure, returnData } = found.executed
    return failure === 'execution reverted' ? bytesToHex(returnData) : '0x'
  },
})

export const ots_hasCode = defineRead({
  summary: 'Whether an account has code.',
  params: [required('address', address), optional('block', block, 'latest', 'state')],
  result: 'boolean',
  handle: ({ state }, account, selector) => hasCode(requireBlock(state, selector).state, account),
})

export const ots_getBlockDetails = defineRead({
  summary: 'A block without its transactions, with their number, their fees and the rewards of the block.',
  params: [required('block', blockTagOrNumber, 'block')],
  result: 'object with block, issuance and totalFees, or null if there is no such block',
  example: { params: [0] },
  handle: async (...asked) => (await loadAnswers()).blockDetails(...asked),
})

export const ots_getBlockDetailsByHash = defineRead({
  summary: 'The same by hash.',
  params: [required('blockHash', hash, 'block')],
  result: 'object with block, issuance and totalFees, or null if there is no such block',
  example: { params: [NO_HASH] },
  handle: async (context, blockHash) => (await loadAnswers()).blockDetails(context, { blockHash }),
})

export const ots_getBlockTransactions = defineRead({
  summary:
    'A page of the transactions of a block, page 0 with the last ones, with selectors in place of inputs, and receipts without logs.',
  params: [
    required('block', blockTagOrNumber, 'block'),
    required('page', integer),
    required('pageSize', integer),
  ],
  result: 'object with fullblock and receipts, or null if there is no such block',
  example: { params: [0, 0, 25] },
  handle: async (...asked) => (await loadAnswers()).blockTransactions(...asked),
})

const searchParams = [
  required('address', address),
  required('blockNumber', integer),
  required('pageSize', integer),
] as const
const SEARCH_RESULT = 'object with txs, receipts, firstPage and lastPage'

export const ots_searchTransactionsBefore = defineRead({
  summary:
    'The transactions with calls from or to an account before a block, the newest first; before 0, the newest of all. A page ends with its block.',
  params: searchParams,
  beforeFork: searchBack,
  result: SEARCH_RESULT,
  handle: async (...asked) => (await loadAnswers()).searchBefore(...asked),
})

export const ots_searchTransactionsAfter = defineRead({
  summary: 'The same after a block, also the newest first; after 0, the oldest of all.',
  params: searchParams,
  beforeFork: searchForth,
  result: SEARCH_RESULT,
  handle: async (...asked) => (await loadAnswers()).searchAfter(...asked),
})

export const ots_getTransactionBySenderAndNonce = defineRead({
  summary: 'The hash of the transaction of an account with a nonce.',
  params: [required('address', address), required('nonce', uint64)],
  beforeFork: bySenderAndNonce,
  result: 'hash, or null if no block has it',
  example: { params: [FIRST_ACCOUNT, 0] },
  handle({ state }, sender, nonce): Hash | null {
    const found = findBySenderAndNonce(state, sender, nonce)
    return found === undefined || 'pooled' in found ? null : found.executed.transaction.hash
  },
})

export const ots_getContractCreator = defineRead({
  summary: 'The transaction that created a contract, and the account that did.',
  params: [required('address', address)],
  beforeFork: creatorBefore,
  result: 'object with hash and creator, or null if no transaction did',
  handle: async (...asked) => (await loadAnswers()).findCreator(...asked),
})
