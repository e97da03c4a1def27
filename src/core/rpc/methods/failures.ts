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
import { defineCommand } from '../method.ts'

export const tickchain_clearFaults = defineCommand({
  summary: 'Ends one fault, or all.',
  params: [optional('faultId', integer, undefined)],
  result: 'number of faults that ended',
  example: { params: [] },
  handle: ({ node }, id) =>
    node.execute((state) => removeFaults(state, (each) => id === undefined || each.id === id)),
})

const MAX_HASHES = 100_000

export const tickchain_dropPreconfirmed = defineCommand({
  summary:
    'Drops pre-confirmed transactions, now or when their block is sealed. With `repool` they return to the pool.',
  params: [
    required('transactionHashes', arrayOf(hash, MAX_HASHES)),
    optional('options', dropOptions, { returning: 'drop', at: 'now' } as const),
  ],
  result: 'null',
  example: { params: [[`0x${'11'.repeat(32)}`]], error: 'notPreconfirmed' },
  async handle({ node }, hashes, { returning, at }): Promise<null> {
    await node.execute((state) =>
      at === 'seal'
        ? dropAtSeal(state, hashes, returning)
        : dropPreconfirmed(node.config, state, hashes, returning),
    )
    return null
  },
})

export const tickchain_delayTransaction = defineCommand({
  summary:
    'Holds a transaction back in the pool: for a number of partial blocks or blocks, until a time, or until it is released.',
  params: [required('transactionHash', hash), optional('delay', delayOf(integerFrom), {})],
  result: 'null',
  example: { params: [`0x${'11'.repeat(32)}`, { blocks: 1 }], error: 'notPooled' },
  async handle({ node }, transactionHash, asked): Promise<null> {
    await node.execute((state) => delayTransaction(state, transactionHash, asked))
    return null
  },
})

export const tickchain_releaseTransaction = defineCommand({
  summary: 'Ends the delay of a transaction that tickchain_delayTransaction holds back.',
  params: [required('transactionHash', hash)],
  result: 'whether the transaction was held back',
  example: { params: [`0x${'11'.repeat(32)}`] },
  handle: ({ node }, transactionHash) =>
    node.execute((state) => releaseTransaction(node.config, state, transactionHash)),
})

export const tickchain_setOrdering = defineCommand({
  summary: 'Sets the order in which pooled transactions are tried: fees, fifo, lifo or random.',
  params: [required('ordering', ordering)],
  result: 'null',
  example: { params: ['lifo'] },
  async handle({ node }, asked): Promise<null> {
    await node.execute((state) => setOrdering(state, asked))
    return null
  },
})

export const tickchain_setPoolLimit = defineCommand({
  summary:
    'Sets the maximum number of pooled transactions; without a number, that of the option limits.poolTransactions.',
  params: [optional('transactions', integer, undefined)],
  result: 'null',
  example: { params: [0] },
  async handle({ node }, limit): Promise<null> {
    await node.execute((state) => setPoolLimit(state, limit))
    return null
  },
})
