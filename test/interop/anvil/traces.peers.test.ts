// anvil, installed from npm, and tickchain: the same transactions, and the same answers of trace_* and ots_*.

import { createEmulator, type Emulator } from 'tickchain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Subject, startAnvil } from '../../../benchmarks/comparison/subjects.js'
import {
  comparableOperations,
  entriesOfAnvil,
  innerOperations,
  inWordsOfOpenEthereum,
  withNewAccountsChanged,
  withoutHashes,
} from './differences.ts'
import { ADDRESSES, ALICE, type Hashes, play, type Request, TRANSACTIONS } from './scene.ts'

const NAMES = Object.keys(TRANSACTIONS)

let anvil: Subject
let chain: Emulator
let hashes: Hashes
const there: Request = (method, params) => anvil.request(method, params)
const here: Request = (method, params) => chain.request(method, params as unknown[])

beforeAll(async () => {
  anvil = await startAnvil()
  chain = await createEmulator({ production: 'manual', genesis: { gasLimit: 100_000_000 } })
  const played = await Promise.all([play(there), play(here)])
  expect(played[1]).toEqual(played[0])
  hashes = played[1]
})

afterAll(async () => {
  await anvil.close()
  await chain.dispose()
})

async function both(method: string, ...params: unknown[]): Promise<readonly [unknown, unknown]> {
  return Promise.all([there(method, params), here(method, params)])
}

interface Replay {
  readonly output: string
  readonly trace: readonly Readonly<Record<string, unknown>>[]
  readonly stateDiff: unknown
  readonly vmTrace: unknown
  readonly transactionHash: string
}

async function replays(name: string): Promise<readonly [Replay, Replay]> {
  const number = `0x${(NAMES.indexOf(name) + 1).toString(16)}`
  const types = ['trace', 'stateDiff', 'vmTrace']
  const answers = await both('trace_replayBlockTransactions', number, types)
  return answers.map((answer) => (answer as readonly Replay[])[0]!) as unknown as readonly [Replay, Replay]
}

describe.each(NAMES)('%s', (name) => {
  // anvil's trace_transaction shows precompiles, which its own replays, OpenEthereum, Erigon and reth leave out.
  test('trace_transaction', async () => {
    const [expected, answer] = await both('trace_transaction', hashes[name])
    if (name === 'precompiles') {
      const [replay] = await replays(name)
      const unplaced = (answer as Replay['trace']).map(
        ({ blockHash, blockNumber, transactionHash, transactionPosition, ...trace }) => trace,
      )
      expect(expected).not.toHaveLength(unplaced.length)
      expect(unplaced).toEqual(replay.trace)
      return
    }
    expect(withoutHashes(answer)).toEqual(withoutHashes(inWordsOfOpenEthereum(expected)))
  })

  test('trace_replayBlockTransactions', async () => {
    const [expected, answer] = await replays(name)
    expect(answer.trace).toEqual(inWordsOfOpenEthereum(expected.trace))
    expect(withNewAccountsChanged(answer.stateDiff)).toEqual(expected.stateDiff)
    expect([answer.output, answer.transactionHash]).toEqual([expected.output, expected.transactionHash])
  })

  // anvil hands the frames of nested calls to the wrong operations.
  test.skipIf(name === 'nested' || name === 'precompiles')('its operations', async () => {
    const [expected, answer] = await replays(name)
    expect(comparableOperations(answer.vmTrace, 'isNull')).toEqual(
      comparableOperations(expected.vmTrace, 'hasEffects'),
    )
  })

  test('ots_traceTransaction, ots_getInternalOperations, ots_getTransactionError', async () => {
    const hash = hashes[name]
    const [operationsThere, operations] = await both('ots_getInternalOperations', hash)
    expect(operations).toEqual(innerOperations(operationsThere, ALICE))
    const [errorThere, error] = await both('ots_getTransactionError', hash)
    expect(error).toBe(errorThere)
    if (name === 'precompiles') return
    const [entriesThere, entries] = await both('ots_traceTransaction', hash)
    expect(entriesOfAnvil(entries)).toEqual(entriesThere)
  })
})

const { caller, storer } = ADDRESSES
const PARTIES = [
  { fromAddress: [caller], toAddress: [storer] },
  { toAddress: [storer] },
  { fromAddress: [ALICE] },
  {},
]
const FILTERS = PARTIES.flatMap((parties) =>
  ([undefined, 'union', 'intersection'] as const).map((mode) => ({ ...parties, mode })),
)

test.each(FILTERS)('trace_filter %o', async (filter) => {
  // Up to the block before the precompiles.
  const range = { fromBlock: '0x1', toBlock: '0x13' }
  for (const page of [{}, { after: 1, count: 5 }, { count: 1 }]) {
    const [expected, answer] = await both('trace_filter', { ...range, ...filter, ...page })
    expect(withoutHashes(answer)).toEqual(withoutHashes(inWordsOfOpenEthereum(expected)))
  }
})

describe('Otterscan', () => {
  test.each([
    ['ots_searchTransactionsBefore', storer, 0, 2],
    ['ots_searchTransactionsBefore', storer, 9, 2],
    ['ots_searchTransactionsBefore', storer, 0, 100],
    ['ots_searchTransactionsAfter', storer, 0, 2],
    ['ots_searchTransactionsAfter', storer, 9, 2],
    ['ots_searchTransactionsAfter', ALICE, 0, 100],
  ])('%s %s %i %i', async (method, ...params) => {
    interface Page {
      readonly txs: readonly { readonly hash: string }[]
      readonly receipts: readonly Readonly<Record<string, unknown>>[]
    }
    const [expected, answer] = (await both(method, ...params)) as readonly [Page, Page]
    const shown = ({ txs, receipts, ...ends }: Page) => ({
      txs: txs.map(({ hash }) => hash),
      receipts: receipts.map(({ transactionHash, status, gasUsed }) => [transactionHash, status, gasUsed]),
      ...ends,
    })
    expect(shown(answer)).toEqual(shown(expected))
    expect(Object.keys(expected.receipts[0]!)).toContain('timestamp')
    expect(Object.keys(answer.receipts[0]!)).toContain('timestamp')
  })

  test('ots_getBlockDetails', async () => {
    interface Details {
      readonly block: Readonly<Record<string, unknown>>
    }
    const [expected, answer] = (await both('ots_getBlockDetails', 8)) as readonly [Details, Details]
    const shown = ({ block: { number, miner, gasUsed, transactionCount }, ...rest }: Details) => {
      return { number, miner, gasUsed, transactionCount, ...rest }
    }
    expect(shown(answer)).toEqual(shown(expected))
    // As Otterscan's documentation says; anvil sends the filter.
    expect(answer.block['logsBloom']).toBeNull()
  })

  test('ots_getContractCreator, ots_hasCode, ots_getTransactionBySenderAndNonce, ots_getApiLevel', async () => {
    const deployed = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'
    for (const request of [
      ['ots_getContractCreator', deployed],
      ['ots_getContractCreator', storer],
      ['ots_getContractCreator', ALICE],
      ['ots_hasCode', deployed, '0x2'],
      ['ots_hasCode', deployed, '0x3'],
      ['ots_getTransactionBySenderAndNonce', ALICE, 1],
      ['ots_getTransactionBySenderAndNonce', ALICE, 1000],
      ['ots_getApiLevel'],
    ] as const) {
      const [expected, answer] = await both(...(request as unknown as [string, ...unknown[]]))
      expect(answer, request.join(' ')).toEqual(expected)
    }
    expect(await here('ots_getContractCreator', [deployed])).toEqual({
      hash: hashes['deploy'],
      creator: ALICE,
    })
  })
})

test('a difference that is listed is one', async () => {
  const ask = (method: string, name: string) => there(method, [hashes[name]])
  const underflow = await ask('trace_transaction', 'stack underflow')
  expect(inWordsOfOpenEthereum(underflow)).not.toEqual(underflow)
  const [, { stateDiff }] = await replays('transfer to a new account')
  expect(withNewAccountsChanged(stateDiff)).not.toEqual(stateDiff)
  const entries = await here('ots_traceTransaction', [hashes['factory']])
  expect(entriesOfAnvil(entries)).not.toEqual(entries)
  const operations = await ask('ots_getInternalOperations', 'transfer')
  expect(innerOperations(operations, ALICE)).not.toEqual(operations)
  const [nestedThere, nested] = await replays('nested')
  expect(comparableOperations(nested.vmTrace, 'isNull')).not.toEqual(
    comparableOperations(nestedThere.vmTrace, 'hasEffects'),
  )
})
