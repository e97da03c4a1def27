// Faults and scheduling over RPC: the emulator's functions of these names, without the arguments that are
// functions themselves (predicates, schedulers).

import { dropAtSeal, dropPreconfirmed } from '../../node/control/drop.ts'
import { removeFaults } from '../../node/faults/faults.ts'
import { delayTransaction, setOrdering } from '../../node/faults/scheduling.ts'
import { releaseTransaction, setPoolLimit } from '../../node/production/submit.ts'
import { arrayOf, hash } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { integer, integerFrom } from '../codecs/numbers.ts'
import { delayOf, dropOptions, ordering } from '../codecs/scheduling.ts'
import { defineCommand, defineControl } from '../method.ts'
import { NO_HASH } from './examples.ts'

export const tickchain_clearFaults = defineCommand({
  summary: 'Ends one fault, or all.',
  params: [optional('faultId', integer, undefined)],
  result: 'number of faults that ended',
  example: { params: [] },
  handle: ({ node }, id) =>
    node.execute((state) => removeFaults(state, (each) => id === undefined || each.id === id)),
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
  apply: ({ state, config }, hashes, { returning, at }) =>
    at === 'seal' ? dropAtSeal(state, hashes, returning) : dropPreconfirmed(config, state, hashes, returning),
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
  example: { params: [NO_HASH] },
  handle: ({ node }, transactionHash) =>
    node.execute((state) => releaseTransaction(node.config, state, transactionHash)),
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
