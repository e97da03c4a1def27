// What an explorer asks beside the standard methods: the controls of the clock, and accounts and traces for people.

import { hasSlots } from '../../chain/block/moment.ts'
import { advanceClock, advanceToNext, nextDueAt } from '../../node/clock/clock.ts'
import { reorganise } from '../../node/control/reorg.ts'
import { requireBlock } from '../../node/lookup.ts'
import { blockBeingBuilt } from '../../node/node-state.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { formatCallTrace, formatDecoded } from '../call-trace.ts'
import { address, arrayOf, hash } from '../codecs/basic.ts'
import { block } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { integer, integerFrom } from '../codecs/numbers.ts'
import { defineControl, defineRead } from '../method.ts'
import { outcomeOf } from '../transaction-outcome.ts'
import { FIRST_ACCOUNT, NO_HASH } from './examples.ts'

const MAX_ADDRESSES = 1000

export const tickchain_advance = defineControl({
  summary: 'Advances virtual time, and performs every partial block and seal that falls due on the way.',
  params: [required('ms', integer)],
  example: { params: [2000] },
  answer: 'null',
  apply: ({ state, config, commit }, ms) => advanceClock(config, state, ms, commit),
})

export const tickchain_next = defineControl({
  summary: 'Moves the clock to the next partial block or seal that is due, and performs it.',
  answer: 'null',
  apply: ({ state, config }) => advanceToNext(config, state),
})

export const tickchain_reorg = defineControl({
  summary:
    'Replaces the last blocks by as many empty ones. Unlike those of anvil_reorg, their transactions return to the pool.',
  params: [required('depth', { ...integerFrom(1), name: 'number of blocks' })],
  example: { params: [1], error: 'reorgTooDeep' },
  answer: 'null',
  apply: ({ state, config }, depth) =>
    reorganise(config, state, { depth, blocks: undefined, returning: 'repool' }),
})

export const tickchain_status = defineRead({
  summary:
    'The clock and the block being built: virtual time and the time of the next step, in milliseconds, and the partial blocks so far that have transactions.',
  result:
    'object with now, nextDueAt (null if nothing falls due), blockTimeMs, partialBlockTimeMs, partialBlocksClosed, and partialBlocks with index and transactionHashes; all numbers are JSON numbers',
  handle({ state }) {
    const { blockTimeMs, partialBlockTimeMs } = state.settings
    const partials = hasSlots(state.chain.head) ? [] : (blockBeingBuilt(state)?.partials ?? [])
    return {
      now: state.nowMs,
      nextDueAt: nextDueAt(state) ?? null,
      blockTimeMs,
      partialBlockTimeMs,
      partialBlocksClosed: state.partialsClosed,
      partialBlocks: partials.map(({ index, executed }) => ({
        index,
        transactionHashes: executed.map(({ transaction }) => transaction.hash),
      })),
    }
  },
})

export const tickchain_describeAccounts = defineRead({
  summary:
    'Names of accounts: those that a test has given, the own accounts by their position, and the contracts whose code is known.',
  params: [required('addresses', arrayOf(address, MAX_ADDRESSES))],
  result: 'array of objects with address, name and contract; null where there is none',
  example: { params: [[FIRST_ACCOUNT]] },
  async handle(context, addresses) {
    const { describeAccount } = await context.known.explainer()
    return addresses.map((each) => describeAccount(context, each))
  },
})

export const tickchain_getStorage = defineRead({
  summary:
    'The first 1000 storage slots of an account, in the order of their hashes. If the storage layout of its contract is known, with the variables in them; keys of mappings are looked for among accounts and small numbers.',
  params: [required('address', address), optional('block', block, 'latest', 'state')],
  result: 'array of objects with slot, value, and variables, which have name and value as text',
  example: { params: [FIRST_ACCOUNT, 'latest'] },
  async handle(context, account, selector) {
    const { describeStorage } = await context.known.explainer()
    return describeStorage(context, requireBlock(context.config, context.state, selector).state, account)
  },
})

export const tickchain_traceTransaction = defineRead({
  summary:
    'Runs a transaction again, and returns its calls, events, console.log lines and changes of storage, decoded with the known contracts.',
  params: [required('transactionHash', hash, 'transaction')],
  result:
    'object with transactionHash, status, gasUsed, isCut and call, as `chain.trace` resolves to it; integers that may be large are in decimal, as text',
  example: { params: [NO_HASH], error: 'transactionNotFound' },
  async handle(context, transactionHash) {
    const { traceOfTransaction } = await context.known.explainer()
    return formatCallTrace(await traceOfTransaction(context, transactionHash))
  },
})

export const tickchain_getTransactionOutcome = defineRead({
  summary:
    'What the receipt of a transaction lacks: return data, failure decoded with the registered ABIs, and console.log calls.',
  params: [required('transactionHash', hash, 'transaction')],
  result:
    'object with status, returnData, failure, revert and consoleLogs, decoded integers in decimal; or null if the transaction is in no block',
  example: { params: [NO_HASH] },
  handle(context, transactionHash) {
    const outcome = outcomeOf(context, transactionHash)
    if (outcome === undefined) return null
    const { status, blockNumber, gasUsed, failure = null, revert, consoleLogs } = outcome
    const { name = null, reason = null, args = [], data } = revert ?? {}
    return {
      transactionHash,
      blockNumber: toQuantity(blockNumber),
      status: status === 'success' ? '0x1' : '0x0',
      gasUsed: toQuantity(gasUsed),
      returnData: outcome.returnData,
      failure,
      revert: revert === undefined ? null : { name, args: args.map(formatDecoded), reason, data },
      consoleLogs: consoleLogs.map((log) => ({ ...log, args: log.args.map(formatDecoded) })),
    }
  },
})
