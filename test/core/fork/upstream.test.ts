// What a fork asks, how often, and what it says of an upstream that fails.

import { encodeDeployData, encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { internalsOf } from '../../../src/core/emulator/internals.ts'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type TickchainError } from '../../../src/index.ts'
import { Console, Lifecycle, Token } from '../../contracts/generated.ts'
import { ask, rpcError, type Wire, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const THIRD: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

let chain: Emulator
let token: Hex
let lifecycle: Hex

async function deploy(data: Hex): Promise<Hex> {
  const hash = await ask(chain, 'eth_sendTransaction', { from: FIRST, data })
  return ((await ask(chain, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }).contractAddress
}

beforeAll(async () => {
  chain = await createEmulator({ production: 'auto' })
  token = await deploy(encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] }))
  lifecycle = await deploy(Lifecycle.bytecode)
  const data = encodeFunctionData({ abi: Lifecycle.abi, functionName: 'fill', args: [0n, 40n] })
  await ask(chain, 'eth_sendTransaction', { from: FIRST, to: lifecycle, data })
  await chain.setStorageAt(lifecycle, '0x1', '0x5')
})

async function forked(manner: Partial<Wire> = {}) {
  const wire = Object.assign(wireTo(chain), manner)
  const fork = await createEmulator({ production: 'auto', fork: { upstream: wire } })
  wire.asked.length = 0
  return { fork, wire }
}

const methodsOf = ({ asked }: Wire): string[] => asked.map(({ method }) => method)

const clear = encodeFunctionData({ abi: Lifecycle.abi, functionName: 'clear', args: [0n, 40n] })

test('a transaction that touches forty slots takes as many requests as it has accounts', async () => {
  const { fork, wire } = await forked()
  await ask(fork, 'eth_sendTransaction', { from: FIRST, to: lifecycle, data: clear, gas: '0x200000' })
  // Sender, contract and fee vault, each with its code; the access list; and the slots, of which the list has 40.
  expect(methodsOf(wire).sort()).toEqual([
    'eth_createAccessList',
    ...Array(3).fill('eth_getCode'),
    ...Array(4).fill('eth_getProof'),
  ])
  expect(fork.fork?.stats()).toMatchObject({ slots: 40 })
})

test('what is prefetched is not asked for again', async () => {
  const { fork, wire } = await forked()
  const slots = Array.from({ length: 41 }, (_, slot): Hex => `0x${slot.toString(16)}`)
  await fork.prefetch([FIRST, { address: lifecycle, slots }, '0x4200000000000000000000000000000000000011'])
  expect(methodsOf(wire).sort()).toEqual([...Array(3).fill('eth_getCode'), ...Array(3).fill('eth_getProof')])
  wire.asked.length = 0
  for (const slot of slots) await ask(fork, 'eth_getStorageAt', lifecycle, slot, 'latest')
  await ask(fork, 'eth_getBalance', FIRST, 'latest')
  expect(wire.asked).toEqual([])
  await expect(chain.prefetch([FIRST])).rejects.toMatchObject({ kind: 'invalidCall' })
  await expect(fork.prefetch(['0x1' as Hex])).rejects.toMatchObject({ kind: 'invalidCall' })
})

test('a fork says what it has cost', async () => {
  const { fork } = await forked()
  const before = fork.fork?.stats()
  await ask(fork, 'eth_getBalance', SECOND, 'latest')
  await ask(fork, 'eth_getBalance', SECOND, 'latest')
  await ask(fork, 'eth_getStorageAt', lifecycle, '0x1', 'latest')
  const after = fork.fork?.stats()
  expect(after).toEqual({
    requests: (before?.requests ?? 0) + 5,
    // Each read again after its misses, the second of the balance, and the account of the slot again.
    hits: (before?.hits ?? 0) + 5,
    waits: (before?.waits ?? 0) + 3,
    accounts: (before?.accounts ?? 0) + 2,
    slots: 1,
    upstreamMs: undefined,
  })
  expect(chain.fork).toBeUndefined()
})

test('the time of requests is that of the clock of the upstream, of overlapping ones once', async () => {
  let nowMs = 0
  const wire = Object.assign(wireTo(chain), {
    clock: () => nowMs,
    answer: () => {
      nowMs += 50
      return undefined
    },
  })
  const fork = await createEmulator({ production: 'auto', fork: { upstream: wire } })
  expect(fork.fork?.stats().upstreamMs).toBe(50 * wire.asked.length)
  const before = wire.asked.length
  nowMs += 1_000_000
  await ask(fork, 'eth_getBalance', SECOND, 'latest')
  expect(wire.asked.length).toBe(before + 2)
  expect(fork.fork?.stats().upstreamMs).toBe(50 * wire.asked.length)
})

test('requests go out together, up to a bound, and equal ones once', async () => {
  const wire = wireTo(chain)
  const fork = await createEmulator({ production: 'auto', fork: { upstream: wire, concurrency: 3 } })
  wire.asked.length = 0
  const balance = (who: Hex) => ask(fork, 'eth_getBalance', who, 'latest')
  const others = Array.from({ length: 8 }, (_, index): Hex => `0x${`${index + 1}`.repeat(40)}`)
  await Promise.all([...others, ...others].map(balance))
  expect(wire.asked).toHaveLength(16)
  expect(wire.mostAtOnce).toBe(3)
})

test('clones share what was read, and go their own ways', async () => {
  const { fork, wire } = await forked()
  const copy = fork.clone()
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, 10n] })
  await ask(fork, 'eth_sendTransaction', { from: FIRST, to: token, data })
  const { length } = wire.asked
  await ask(copy, 'eth_sendTransaction', { from: FIRST, to: token, data })
  expect(wire.asked).toHaveLength(length)
  await ask(copy, 'eth_sendTransaction', { from: FIRST, to: token, data })
  const nonceOn = (on: Emulator) => ask(on, 'eth_getTransactionCount', FIRST, 'latest')
  expect([await nonceOn(fork), await nonceOn(copy)]).toEqual(['0x4', '0x5'])
})

test('a snapshot brings back what was forked, deleted or overridden', async () => {
  const { fork } = await forked()
  const seen = async () => [
    await ask(fork, 'eth_getStorageAt', lifecycle, '0x1', 'latest'),
    await ask(fork, 'eth_getCode', lifecycle, 'latest'),
    await ask(fork, 'eth_getBalance', FIRST, 'latest'),
  ]
  const before = await seen()
  expect(before[0]).toBe(`0x${'5'.padStart(64, '0')}`)
  const snapshot = fork.snapshot()
  await fork.setStorageAt(lifecycle, '0x1', '0x0')
  await fork.setCode(lifecycle, '0x')
  await fork.setBalance(FIRST, 1n)
  expect(await seen()).toEqual([`0x${'0'.repeat(64)}`, '0x', '0x1'])
  await fork.revert(snapshot)
  expect(await seen()).toEqual(before)
})

test('forked accounts are impersonated, dealt to and overridden like any other', async () => {
  const { fork } = await forked()
  const holder: Hex = '0x00000000000000000000000000000000000000ab'
  await fork.impersonate(holder)
  await fork.setBalance(holder, 10n ** 18n)
  await fork.deal({ token, to: holder, amount: 77n })
  const balance = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [holder] })
  expect(BigInt((await ask(fork, 'eth_call', { to: token, data: balance }, 'latest')) as Hex)).toBe(77n)
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, 7n] })
  await ask(fork, 'eth_sendTransaction', { from: holder, to: token, data })
  expect(BigInt((await ask(fork, 'eth_call', { to: token, data: balance }, 'latest')) as Hex)).toBe(70n)
  const overridden = await ask(fork, 'eth_call', { to: token, data: balance }, 'latest', {
    [token]: { code: '0x602a5f5260205ff3' },
  })
  expect(BigInt(overridden as Hex)).toBe(42n)
})

test('test accounts have at least their balance, the nonce of the upstream, and no delegation of others', async () => {
  const delegated = chain.clone()
  await delegated.setBalance(FIRST, 5n)
  await delegated.setCode(SECOND, `0xef0100${'ab'.repeat(20)}`)
  await delegated.setBalance(SECOND, 20_000n * 10n ** 18n)
  const fork = await createEmulator({ fork: { upstream: delegated } })
  expect(BigInt((await ask(fork, 'eth_getBalance', FIRST, 'latest')) as Hex)).toBe(10_000n * 10n ** 18n)
  expect(await ask(fork, 'eth_getTransactionCount', FIRST, 'latest')).toBe('0x3')
  expect(BigInt((await ask(fork, 'eth_getBalance', SECOND, 'latest')) as Hex)).toBe(20_000n * 10n ** 18n)
  expect(await ask(fork, 'eth_getCode', SECOND, 'latest')).toBe('0x')
})

test('probes are told once of an execution that begins again', async () => {
  const { fork } = await forked({
    answer: ({ method }) => (method === 'eth_createAccessList' ? rpcError(-32601, 'unknown') : undefined),
  })
  const told: string[] = []
  const { probes } = internalsOf('test', fork).session.node.config
  probes.add({
    begin(kind) {
      told.push(`begin ${kind}`)
      return { observer: { log: () => told.push('log') }, end: (gas) => told.push(`end ${gas}`) }
    },
  })
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, 10n] })
  const hash = await ask(fork, 'eth_sendTransaction', { from: FIRST, to: token, data, gas: '0x20000' })
  const { gasUsed } = (await ask(fork, 'eth_getTransactionReceipt', hash)) as { gasUsed: Hex }
  expect(told).toEqual(['begin transaction', 'log', `end ${BigInt(gasUsed)}`])
})

test('what a contract logs is told once', async () => {
  const { fork } = await forked({
    answer: ({ method }) => (method === 'eth_createAccessList' ? rpcError(-32601, 'unknown') : undefined),
  })
  const logged: string[] = []
  fork.on('consoleLog', ({ message }) => logged.push(message))
  const hash = await ask(fork, 'eth_sendTransaction', {
    from: FIRST,
    data: Console.bytecode,
    gas: '0x400000',
  })
  const { contractAddress: to } = (await ask(fork, 'eth_getTransactionReceipt', hash)) as {
    contractAddress: Hex
  }
  const data = encodeFunctionData({
    abi: Console.abi,
    functionName: 'sayTwiceAround',
    args: ['hello'],
  })
  const from: Hex = '0x00000000000000000000000000000000000000cc'
  await ask(fork, 'eth_estimateGas', { from, to, data })
  expect(logged).toEqual(['hello', 'hello', 'hello'])
  logged.length = 0
  await ask(fork, 'eth_sendTransaction', { from: SECOND, to, data, gas: '0x100000' })
  expect(logged).toEqual(['hello', 'hello', 'hello'])
})

test('transactions that are signed elsewhere are taken, whosever they may be', { tags: 'gate' }, async () => {
  const { fork } = await forked()
  // The key of the second account of the "test … junk" mnemonic.
  const signer = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
  // After some recoveries, signers are guessed among the test accounts, whose nonces are not known here.
  const count = 40
  for (let nonce = 0; nonce < count; nonce++) {
    const raw = await signer.signTransaction({
      ...{ chainId: 31_337, type: 'eip1559', nonce, gas: 21_000n, to: THIRD, value: 1n },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
    })
    await ask(fork, 'eth_sendRawTransaction', raw)
  }
  expect(await ask(fork, 'eth_getTransactionCount', SECOND, 'latest')).toBe('0x28')
})

test('transactions and failed calls on a fork are traced', async () => {
  const { fork } = await forked()
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, 10n] })
  const hash = (await ask(fork, 'eth_sendTransaction', { from: FIRST, to: token, data })) as Hex
  const { call } = await fork.trace(hash)
  expect(call).toMatchObject({ to: token, from: FIRST, error: undefined })
  const traced = (await ask(fork, 'debug_traceTransaction', hash, { tracer: 'prestateTracer' })) as object
  expect(Object.keys(traced)).toContain(token)
  const poor = { from: SECOND, to: token, data: data.replace(/a$/, 'f') }
  const error = (await ask(fork, 'eth_call', { ...poor, from: `0x${'ab'.repeat(20)}` }).catch(
    (each) => each,
  )) as Error
  expect((await fork.trace(error)).call.error).toBeDefined()
  expect(await ask(fork, 'trace_block', await ask(fork, 'eth_blockNumber'))).toHaveLength(1)
})

const failed = async (asked: Promise<unknown>): Promise<TickchainError> =>
  (await asked.catch((error) => error)) as TickchainError

test('an upstream that fails is named with the request, and nothing has changed', async () => {
  const { fork, wire } = await forked()
  wire.answer = () => new Error('connect ECONNREFUSED')
  const error = await failed(ask(fork, 'eth_sendTransaction', { from: SECOND, to: token, value: '0x1' }))
  expect(error).toMatchObject({ kind: 'upstreamFailed', code: -32000 })
  expect(error.message).toMatch(
    /^connect ECONNREFUSED: the upstream did not answer eth_get(Proof|Code)\("0x70997970c51812dc3a010c7d01b50e0d17dc79c8".*\)$/,
  )
  wire.answer = () => undefined
  expect(await ask(fork, 'eth_getTransactionCount', SECOND, 'pending')).toBe('0x0')
  await ask(fork, 'eth_sendTransaction', { from: SECOND, to: FIRST, value: '0x1' })
  expect(await ask(fork, 'eth_getTransactionCount', SECOND, 'latest')).toBe('0x1')
})

test('an upstream that has pruned the block is named with the plain request that it refused', async () => {
  const wire = wireTo(chain)
  wire.answer = ({ method }) =>
    ['eth_chainId', 'eth_getBlockByNumber'].includes(method)
      ? undefined
      : rpcError(-32000, 'missing trie node')
  // What is asked ahead may be refused; what a read needs may not.
  const fork = await createEmulator({ fork: { upstream: wire } })
  const error = await failed(fork.request('eth_getBalance', [`0x${'77'.repeat(20)}`, 'latest']))
  expect(error.kind).toBe('upstreamFailed')
  expect(error.message).toMatch(/^missing trie node: the upstream refused eth_getCode\("0x\w{40}", "0x3"\)$/)
})

test.each([
  ['eth_chainId', 'mainnet', 'result: expected a quantity in hex, got "mainnet", in the'],
  ['eth_chainId', 100, 'result: expected a quantity in hex, got 100, in the'],
  ['eth_chainId', 100n, 'result: expected a quantity in hex, got 100n, in the'],
  ['eth_getBlockByNumber', [], 'result: expected an object'],
  ['eth_getBlockByNumber', { number: '0x1' }, 'result.parentHash: expected 32 bytes of hex'],
  ['eth_getProof', {}, 'result.codeHash: expected 32 bytes of hex'],
  ['eth_getCode', 7, 'result: expected hex bytes'],
  ['eth_getCode', '0x1234', 'expected code with the hash'],
])('%s answered with %o is an error that says so', async (method, answer, reason) => {
  const wire = wireTo(chain)
  wire.answer = (asked) => (asked.method === method ? answer : undefined)
  const error = await failed(createEmulator({ fork: { upstream: wire } }))
  expect(error.kind).toBe('upstreamAnswer')
  expect(error.message).toContain(`the upstream's answer to ${method}(`)
  expect(error.message).toContain(reason)
})

test('the answer for another block is refused, and a block that is not there', async () => {
  const wire = wireTo(chain)
  const block = await ask(chain, 'eth_getBlockByNumber', '0x1', false)
  wire.answer = ({ method }) => (method.startsWith('eth_getBlockBy') ? block : undefined)
  const hash = `0x${'12'.repeat(32)}` as const
  for (const [other, reason] of [
    [2, 'result.number: expected 0x2'],
    [hash, `result.hash: expected ${hash}`],
  ] as const) {
    const error = await failed(createEmulator({ fork: { upstream: wire, block: other } }))
    expect(error.kind).toBe('upstreamAnswer')
    expect(error.message).toContain(reason)
  }
  wire.answer = () => undefined
  expect(await failed(createEmulator({ fork: { upstream: wire, block: 99 } }))).toMatchObject({
    kind: 'forkBlockNotFound',
    message: 'the upstream has no block 99',
  })
})

test('a slot other than the one asked for is refused', async () => {
  const { fork, wire } = await forked()
  wire.answer = ({ method, params }) =>
    method === 'eth_getProof' && (params[1] as unknown[]).length > 0
      ? {
          nonce: '0x1',
          balance: '0x0',
          codeHash: `0x${'00'.repeat(32)}`,
          storageHash: `0x${'11'.repeat(32)}`,
          storageProof: [
            { key: '0x9', value: '0x1' },
            { key: '0x2', value: '0x1' },
          ],
        }
      : undefined
  const error = await failed(fork.prefetch([{ address: lifecycle, slots: ['0x1', '0x2'] }]))
  expect(error.message).toContain(`result.storageProof[0]: expected slot 0x${'0'.repeat(63)}1`)
})
