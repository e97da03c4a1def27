// What an explorer asks beside the standard methods: the controls of the clock, and accounts and traces for people.

import { advanceClock, advanceToNext, nextDueAt } from '../../node/clock/clock.ts'
import { reorganise } from '../../node/control/reorg.ts'
import { requireBlock } from '../../node/lookup.ts'
import { blockBeingBuilt } from '../../node/node-state.ts'
import { formatCallTrace } from '../call-trace.ts'
import { address, arrayOf, hash } from '../codecs/basic.ts'
import { block } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { integer, integerFrom } from '../codecs/numbers.ts'
import { defineCommand, defineRead } from '../method.ts'

const MAX_ADDRESSES = 1000
const EXAMPLE_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const depth = { ...integerFrom(1), name: 'number of blocks' }

export const tickchain_advance = defineCommand({
  summary: 'Advances virtual time, and performs every partial block and seal that falls due on the way.',
  params: [required('ms', integer)],
  result: 'null',
  example: { params: [2000] },
  async handle({ node }, ms): Promise<null> {
    await node.execute((state, _, commit) => advanceClock(node.config, state, ms, commit))
    return null
  },
})

export const tickchain_next = defineCommand({
  summary: 'Moves the clock to the next partial block or seal that is due, and performs it.',
  params: [],
  result: 'null',
  example: { params: [] },
  async handle({ node }): Promise<null> {
    await node.execute((state) => advanceToNext(node.config, state))
    return null
  },
})

export const tickchain_reorg = defineCommand({
  summary:
    'Replaces the last blocks by as many empty ones. Unlike those of anvil_reorg, their transactions return to the pool.',
  params: [required('depth', depth)],
  result: 'null',
  example: { params: [1], error: 'reorgTooDeep' },
  async handle({ node }, depth): Promise<null> {
    await node.execute((state) =>
      reorganise(node.config, state, { depth, blocks: undefined, returning: 'repool' }),
    )
    return null
  },
})

export const tickchain_status = defineRead({
  summary:
    'The clock and the block being built: virtual time and the time of the next step, in milliseconds, and the partial blocks so far that have transactions.',
  params: [],
  beforeFork: 'handler',
  result:
    'object with now, nextDueAt (null if nothing falls due), blockTimeMs, partialBlockTimeMs, partialBlocksClosed, and partialBlocks with index and transactionHashes; all numbers are JSON numbers',
  example: { params: [] },
  handle({ state }) {
    const { blockTimeMs, partialBlockTimeMs } = state.settings
    return {
      now: state.nowMs,
      nextDueAt: nextDueAt(state) ?? null,
      blockTimeMs,
      partialBlockTimeMs,
      partialBlocksClosed: state.partialsClosed,
      partialBlocks: (blockBeingBuilt(state)?.partials ?? []).map(({ index, executed }) => ({
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
  beforeFork: 'handler',
  result: 'array of objects with address, name and contract; null where there is none',
  example: { params: [[EXAMPLE_ACCOUNT]] },
  async handle(context, addresses) {
    const { describeAccount } = await context.known.explainer()
    return addresses.map((each) => describeAccount(context, each))
  },
})

export const tickchain_getStorage = defineRead({
  summary:
    'The first 1000 storage slots of an account, in the order of their hashes. If the storage layout of its contract is known, with the variables in them; keys of mappings are looked for among accounts and small numbers.',
  params: [required('address', address), optional('block', block, 'latest')],
  beforeFork: ['state', 1],
  result: 'array of objects with slot, value, and variables, which have name and value as text',
  example: { params: [EXAMPLE_ACCOUNT, 'latest'] },
  async handle(context, account, selector) {
    const { describeStorage } = await context.known.explainer()
    return describeStorage(context, requireBlock(context.config, context.state, selector).state, account)
  },
})

export const tickchain_traceTransaction = defineRead({
  summary:
    'Runs a transaction again, and returns its calls, events, console.log lines and changes of storage, decoded with the known contracts.',
  params: [required('transactionHash', hash)],
  beforeFork: ['transaction', 0],
  result:
    'object with transactionHash, status, gasUsed, isCut and call, as `chain.trace` resolves to it; integers that may be large are in decimal, as text',
  example: { params: [`0x${'11'.repeat(32)}`], error: 'transactionNotFound' },
  async handle(context, transactionHash) {
    const { traceOfTransaction } = await context.known.explainer()
    return formatCallTrace(await traceOfTransaction(context, transactionHash))
  },
})
