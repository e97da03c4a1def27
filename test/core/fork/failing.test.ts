// Upstreams that fail or answer wrongly, beside a recording: an error that names the request, and a file that is whole.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type TickchainError } from '../../../src/index.ts'
import { recordingFile } from '../../../src/recording.ts'
import { ask, rpcError, type Wire, wireTo } from './upstreams.ts'

const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const account = (digit: number): Hex => `0x${`${digit}`.repeat(40)}`

let folder: string
let path: string
let chain: Emulator
let wire: Wire

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'failing-'))
  path = join(folder, 'recording.txt')
  chain = await createEmulator({ production: 'auto' })
  await chain.mine(2)
  wire = wireTo(chain)
})

afterEach(() => rmSync(folder, { recursive: true }))

const start = (mode?: 'auto' | 'record' | 'replay') =>
  createEmulator({
    fork: {
      ...{ upstream: wire, block: 2, recording: recordingFile(path) },
      ...(mode === undefined ? {} : { mode }),
    },
  })

const refused = async (asked: Promise<unknown>): Promise<TickchainError> =>
  (await asked.then(
    () => Promise.reject(new Error('it was not refused')),
    (error) => error,
  )) as TickchainError

const text = () => readFileSync(path, 'utf8')

test('an upstream that is down from the start is named, and no file is made', async () => {
  wire.answer = () => new Error('connect ECONNREFUSED 127.0.0.1:8545')
  const error = await refused(start())
  expect(error.kind).toBe('upstreamFailed')
  expect(error.message).toMatch(
    /^connect ECONNREFUSED 127.0.0.1:8545: the upstream did not answer eth_(chainId|getBlockByNumber)\(.*\)$/,
  )
  expect(readdirSync(folder)).toEqual([])
})

test.each(['auto', 'record'] as const)(
  'an upstream that fails later leaves the file whole: %s',
  async (mode) => {
    const fork = await start(mode)
    await ask(fork, 'eth_getBalance', account(1), 'latest')
    const before = text()
    wire.answer = () => rpcError(-32000, 'missing trie node')
    expect((await refused(ask(fork, 'eth_getBalance', account(2), 'latest'))).kind).toBe('upstreamFailed')
    await refused(fork.prefetch([account(3), account(4)]))
    expect(text()).toBe(before)
    expect(readdirSync(folder)).toEqual(['recording.txt'])
    wire.answer = () => undefined
    await ask(fork, 'eth_getBalance', account(2), 'latest')
    expect(text()).toContain(`account ${account(2)} `)
    await start('replay')
  },
)

test('an answer of the wrong shape is not recorded', async () => {
  const fork = await start()
  const before = text()
  for (const [method, answer] of [
    ['eth_getProof', { balance: '0x' }],
    ['eth_getCode', null],
    ['eth_getCode', '0x6'],
  ] as const) {
    wire.answer = (asked) => (asked.method === method ? answer : undefined)
    expect((await refused(ask(fork, 'eth_getBalance', account(5), 'latest'))).kind).toBe('upstreamAnswer')
    expect(text(), method).toBe(before)
  }
})

test('answers of another shape, or about something else, are refused, and not recorded', async () => {
  const fork = await start()
  const block = (await ask(chain, 'eth_getBlockByNumber', '0x1', false)) as { hash: Hex }
  const hash = `0x${'12'.repeat(32)}` as const
  // BLOCKHASH of its input, returned.
  await fork.setCode(SECOND, '0x5f35405f5260205ff3')
  const hashOfFirst = [{ to: SECOND, data: `0x${'0'.repeat(64)}` }, 'pending']
  for (const [method, answer, asked, params, reason] of [
    [
      'eth_getLogs',
      { logs: [] },
      'eth_getLogs',
      [{ fromBlock: '0x0', toBlock: 'latest' }],
      'expected an array',
    ],
    ['eth_getBlockByNumber', block, 'eth_call', hashOfFirst, 'result.number: expected 0x0'],
    ['eth_getBlockByNumber', block, 'eth_getBlockByNumber', ['0x0', true], 'result.number: expected 0x0'],
    ['eth_getBlockByHash', block, 'eth_getBlockByHash', [hash, false], `result.hash: expected ${hash}`],
    ['eth_getBlockByHash', [], 'eth_getBlockByHash', [hash, false], 'result: expected an object'],
    ['eth_getTransactionByHash', { hash: block.hash }, 'eth_getTransactionReceipt', [hash], 'result.hash'],
  ] as const) {
    wire.answer = (sent) => (sent.method === method ? answer : undefined)
    const error = await refused(ask(fork, asked, ...params))
    expect(error.kind, error.message).toBe('upstreamAnswer')
    expect(error.message).toContain(`the upstream's answer to ${method}(`)
    expect(error.message).toContain(reason)
    for (const part of ['{"logs":[]}', `"hash":"${block.hash}"`]) expect(text()).not.toContain(part)
  }
})

test('the wrong chain, a cut file and another block leave the file as it is', async () => {
  await start()
  const whole = text()
  const other = await createEmulator({ chainId: 5 })
  await other.mine(2)
  const wrong = await createEmulator({ fork: { upstream: other, block: 2, recording: recordingFile(path) } })
  expect((await refused(ask(wrong, 'eth_getBalance', account(1), 'latest'))).message).toMatch(
    /it is of block 2 of chain 31337, 0x\w+, and the fork of block 2 of chain 5/,
  )
  expect((await refused(ask(wrong, 'eth_getBalance', account(1), 'latest'))).kind).toBe('invalidRecording')
  expect(text()).toBe(whole)
  const cut = whole.slice(0, whole.length / 2)
  writeFileSync(path, cut)
  for (const mode of ['auto', 'replay', 'record'] as const)
    expect((await refused(start(mode))).kind, mode).toBe('invalidRecording')
  expect(text()).toBe(cut)
  expect(readdirSync(folder)).toEqual(['recording.txt'])
})

test('a replay asks nobody, from its start', async () => {
  await ask(await start(), 'eth_getBalance', account(1), 'latest')
  wire.asked.length = 0
  const fork = await start('replay')
  expect(await ask(fork, 'eth_getBalance', account(1), 'latest')).toBe('0x0')
  await fork.mine(3)
  expect((await refused(ask(fork, 'eth_getBalance', account(2), 'latest'))).kind).toBe('notRecorded')
  expect(wire.asked).toEqual([])
})

test('an upstream that was down is asked again, beside a recording', async () => {
  await start()
  const fork = await start()
  wire.answer = () => new Error('connect ECONNREFUSED 127.0.0.1:8545')
  expect((await refused(ask(fork, 'eth_getBalance', account(1), 'latest'))).kind).toBe('upstreamFailed')
  wire.answer = () => undefined
  expect(await ask(fork, 'eth_getBalance', account(1), 'latest')).toBe('0x0')
})

test('a disposal rejects what waits for an upstream that never answers', { tags: 'gate' }, async () => {
  const fork = await start()
  wire.answer = () => new Promise(() => undefined)
  const clone = fork.clone()
  const waiting = [
    ask(fork, 'eth_getBalance', account(1), 'latest'),
    fork.prefetch([account(2)]),
    fork.setBalance(account(3), 1n),
    ask(fork, 'eth_blockNumber'),
  ]
  const outcomes = Promise.all(waiting.map(async (each) => (await refused(each)).kind))
  // The first command waits by the time that the other chain has sealed a block.
  await chain.mine(1)
  fork.dispose()
  expect(await outcomes).toEqual(['disposed', 'disposed', 'disposed', 'disposed'])
  expect(await ask(clone, 'eth_blockNumber')).toBe('0x2')
})

test('the state is that of the block with the hash, or none, after a reorganisation of the upstream', async () => {
  await chain.setBalance(account(1), 7n)
  await chain.mine(1)
  const fork = await createEmulator({ fork: { upstream: wire, recording: recordingFile(path) } })
  const forked = (await ask(chain, 'eth_getBlockByNumber', '0x3', false)) as { hash: Hex }
  await chain.reorg({ depth: 1 })
  await chain.setBalance(account(1), 8n)
  await chain.mine(1)
  const error = await refused(ask(fork, 'eth_getBalance', account(1), 'latest'))
  expect(error.kind).toBe('upstreamReorganised')
  expect(error.message).toContain(`block 3 was ${forked.hash}`)
  expect(text()).not.toContain(`account ${account(1)}`)
})

test('a node that knows blocks by their numbers only is asked by them', async () => {
  await chain.setBalance(account(1), 7n)
  await chain.mine(1)
  const isByHash = ({ params }: { readonly params: readonly unknown[] }) =>
    JSON.stringify(params).includes('blockHash')
  wire.answer = (asked) => (isByHash(asked) ? rpcError(-32602, 'expected a block number') : undefined)
  const fork = await createEmulator({ fork: { upstream: wire, block: 3 } })
  wire.asked.length = 0
  expect(await ask(fork, 'eth_getBalance', account(1), 'latest')).toBe('0x7')
  expect(wire.asked.filter(isByHash)).toEqual([])
})

test('an AbortSignal stops a beginning that waits, and later calls', async () => {
  const never = { request: () => new Promise<never>(() => undefined) }
  const stop = new AbortController()
  const beginning = createEmulator({ fork: { upstream: never }, signal: stop.signal })
  stop.abort(new Error('enough'))
  const error = await refused(beginning)
  expect(error.kind).toBe('upstreamFailed')
  expect(error.message).toMatch(/^aborted \(enough\): the upstream did not answer eth_/)
  expect((await refused(createEmulator({ fork: { upstream: wire }, signal: stop.signal }))).kind).toBe(
    'upstreamFailed',
  )
  const later = new AbortController()
  const fork = await createEmulator({ fork: { upstream: wire }, signal: later.signal })
  wire.answer = () => new Promise<never>(() => undefined)
  const waiting = ask(fork, 'eth_getBalance', account(7), 'latest')
  later.abort()
  expect((await refused(waiting)).kind).toBe('upstreamFailed')
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x2')
})
