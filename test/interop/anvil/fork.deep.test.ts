// A fork of anvil, installed from npm, over a connection that loses, refuses, delays and reorders: the same transactions
// on both from there on, and the same receipts.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createEmulator, type Emulator } from 'tickchain'
import { httpUpstream, type UpstreamFetch, type UpstreamResponse } from 'tickchain/upstream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Subject, startAnvil } from '../../../benchmarks/comparison/subjects.js'
import { ADDRESSES, ALICE, type Hashes, play, type Request, TRANSACTIONS } from './scene.ts'

const install = fileURLToPath(new URL('../../migration/install.js', import.meta.url))

let anvil: Subject
let fork: Emulator
/** The transactions before the fork, and those of both sides after it. */
let before: Hashes
let there: Hashes
let here: Hashes
let faults = 0

function response(status: number, body: unknown): UpstreamResponse {
  return { status, headers: { get: () => null }, text: async () => JSON.stringify(body) }
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

async function answerOf({ id, method, params }: Call): Promise<unknown> {
  try {
    return { id, result: await anvil.request(method, params) }
  } catch (error) {
    const { code = -32000, message } = error as Error & { code?: number }
    return { id, error: { code, message } }
  }
}

/** Every fourth request is refused, every seventh loses its connection, and the others take from 0 to 19 ms. */
function faultyFetch(): UpstreamFetch {
  let count = 0
  return async (_, { body }) => {
    count++
    const delayMs = (count * 37) % 20
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (count % 7 === 0 || count % 4 === 0) faults++
    if (count % 7 === 0) throw new Error('ECONNRESET')
    if (count % 4 === 0) return response(429, 'slow down')
    const calls = JSON.parse(body) as Call | Call[]
    return response(
      200,
      Array.isArray(calls) ? await Promise.all(calls.map(answerOf)) : await answerOf(calls),
    )
  }
}

const askThere: Request = (method, params) => anvil.request(method, params)
const askHere: Request = (method, params) => fork.request(method, params as unknown[])

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [install])
  anvil = await startAnvil()
  before = await play(askThere)
  const upstream = httpUpstream('http://anvil.example', { fetch: faultyFetch(), backoffMs: 1, batchSize: 3 })
  fork = await createEmulator({ production: 'manual', accounts: { balance: 0n }, fork: { upstream } })
  // The fork is of the block before, whatever anvil does meanwhile.
  there = await play(askThere)
  here = await play(askHere)
}, 600_000)

afterAll(async () => {
  fork.dispose()
  await anvil.close()
})

const SHOWN = [
  'status',
  'gasUsed',
  'cumulativeGasUsed',
  'contractAddress',
  'from',
  'to',
  'type',
  'effectiveGasPrice',
]

async function receiptOn(request: Request, hash: string | undefined): Promise<unknown> {
  const receipt = (await request('eth_getTransactionReceipt', [hash])) as Record<string, unknown>
  const logs = receipt['logs'] as readonly { address: string; topics: string[]; data: string }[]
  return {
    ...Object.fromEntries(SHOWN.map((name) => [name, receipt[name]])),
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
  }
}

test.each(Object.keys(TRANSACTIONS))('%s has the same receipt on the fork', async (name) => {
  expect(here[name]).toBe(there[name])
  expect(await receiptOn(askHere, here[name])).toEqual(await receiptOn(askThere, there[name]))
})

test('states after all of them are equal', async () => {
  for (const address of [ALICE, ...Object.values(ADDRESSES)]) {
    for (const [method, ...params] of [
      ['eth_getBalance', address, 'latest'],
      ['eth_getTransactionCount', address, 'latest'],
      ['eth_getStorageAt', address, '0x1', 'latest'],
    ] as const) {
      expect(await askHere(method, params), `${method} ${address}`).toEqual(await askThere(method, params))
    }
  }
})

test('what was before the fork is as anvil has it', async () => {
  for (const hash of Object.values(before)) {
    const params = [hash]
    expect(await askHere('eth_getTransactionReceipt', params)).toEqual(
      await askThere('eth_getTransactionReceipt', params),
    )
  }
  const block = ['0x5', true]
  expect(await askHere('eth_getBlockByNumber', block)).toEqual(await askThere('eth_getBlockByNumber', block))
})

test('the connection was as bad as it was meant to be', () => {
  expect(faults).toBeGreaterThan(10)
})
