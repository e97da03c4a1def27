// Dumps of forked chains, which run without their upstream.

import { encodeDeployData, encodeFunctionData } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { Lifecycle, Token } from '../../contracts/generated.ts'
import { ask, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const THIRD: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

let chain: Emulator
let token: Hex
let lifecycle: Hex

async function deploy(data: Hex): Promise<Hex> {
  const hash = await ask(chain, 'eth_sendTransaction', { from: FIRST, data })
  await chain.seal()
  return ((await ask(chain, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }).contractAddress
}

beforeAll(async () => {
  chain = await createEmulator()
  token = await deploy(encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] }))
  lifecycle = await deploy(Lifecycle.bytecode)
  const data = encodeFunctionData({ abi: Lifecycle.abi, functionName: 'fill', args: [0n, 8n] })
  await ask(chain, 'eth_sendTransaction', { from: FIRST, to: lifecycle, data })
  await chain.seal()
  await chain.setStorageAt(lifecycle, '0x2', '0x7')
})

const transfer = (amount: bigint): Hex =>
  encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [SECOND, amount] })

/** A fork that has edits, sealed blocks, an open block and a waiting transaction. */
async function workedOn(upstream: Emulator): Promise<Emulator> {
  const fork = await createEmulator({ fork: { upstream } })
  await fork.setBalance(THIRD, 77n)
  await fork.setStorageAt(lifecycle, '0x1', '0x9')
  await fork.setCode(lifecycle, '0x')
  await ask(fork, 'eth_sendTransaction', { from: FIRST, to: token, data: transfer(30n) })
  await fork.advance(2000)
  await fork.advance(4000)
  await ask(fork, 'eth_sendTransaction', { from: FIRST, to: token, data: transfer(3n) })
  await fork.advance(200)
  await ask(fork, 'eth_sendTransaction', {
    from: SECOND,
    to: token,
    data: transfer(1n),
    gas: '0x20000',
    nonce: '0x0',
  })
  return fork
}

async function seen(on: Emulator): Promise<unknown> {
  const number = Number(await ask(on, 'eth_blockNumber'))
  const blocks = Array.from({ length: number - 2 }, (_, index) => `0x${(index + 3).toString(16)}`)
  return {
    now: on.now,
    blocks: await Promise.all(blocks.slice(1).map((each) => ask(on, 'eth_getBlockByNumber', each, true))),
    pending: await ask(on, 'eth_getBlockByNumber', 'pending', true),
    balances: await Promise.all(
      [FIRST, SECOND, THIRD].map((who) => ask(on, 'eth_getBalance', who, 'latest')),
    ),
    before: await ask(on, 'eth_getBalance', THIRD, '0x3'),
    slots: await Promise.all(
      ['0x1', '0x2'].map((slot) => ask(on, 'eth_getStorageAt', lifecycle, slot, 'latest')),
    ),
    code: await ask(on, 'eth_getCode', lifecycle, 'latest'),
    tokens: await ask(on, 'eth_call', {
      to: token,
      data: encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [SECOND] }),
    }),
    pool: await ask(on, 'txpool_status'),
  }
}

test('a dump of a fork runs without its upstream, and is dumped to the same bytes', async () => {
  const fork = await workedOn(chain)
  const before = await seen(fork)
  const dump = await fork.dump()
  const loaded = await createEmulator({ state: dump })
  expect(await seen(loaded)).toEqual(before)
  expect(await loaded.dump()).toEqual(dump)
  expect(loaded.fork).toMatchObject({ chainId: 31_337, blockNumber: 3 })
  for (const each of [fork, loaded]) await each.advance(2000)
  expect(await seen(loaded)).toEqual(await seen(fork))
  await expect(ask(loaded, 'eth_getBalance', `0x${'ee'.repeat(20)}`, 'latest')).rejects.toMatchObject({
    kind: 'notRecorded',
  })
  await expect(loaded.rollback(9)).rejects.toMatchObject({ kind: 'reorgBelowFork' })
})

test('a dump loaded over the fork of the same block goes on with its upstream', async () => {
  const fork = await workedOn(chain)
  const dump = await fork.dump()
  const wire = wireTo(chain)
  const other = await createEmulator({ fork: { upstream: wire }, state: dump })
  expect(await seen(other)).toEqual(await seen(fork))
  wire.asked.length = 0
  expect(await ask(other, 'eth_getBalance', `0x${'ee'.repeat(20)}`, 'latest')).toBe('0x0')
  expect(wire.asked.length).toBeGreaterThan(0)
  await fork.advance(10_000)
  await fork.load(dump)
  expect(await seen(fork)).toEqual(await seen(other))
})

test('a dump loaded over a fork of the same block with other accounts asks for the rest, too', async () => {
  const dump = await (await workedOn(chain)).dump()
  const other = await createEmulator({
    accounts: { count: 1 },
    fork: { upstream: wireTo(chain) },
    state: dump,
  })
  expect(await ask(other, 'eth_getBalance', `0x${'ee'.repeat(20)}`, 'latest')).toBe('0x0')
})

test('a dump of a fork that has no blocks of its own, loaded', async () => {
  const fork = await createEmulator({ fork: { upstream: chain } })
  await ask(fork, 'eth_getBalance', SECOND, 'latest')
  const loaded = await createEmulator({ state: await fork.dump() })
  expect(await ask(loaded, 'eth_blockNumber')).toBe('0x3')
  expect(await ask(loaded, 'eth_getBalance', SECOND, 'latest')).toBe(
    await ask(fork, 'eth_getBalance', SECOND, 'latest'),
  )
  await loaded.mine(2)
  expect(await ask(loaded, 'eth_blockNumber')).toBe('0x5')
})

test('a contract that was deleted on the fork stays without its slots', async () => {
  // SELFDESTRUCT deletes before cancun; what is deployed there again starts anew.
  const options = { hardfork: 'shanghai', production: 'auto' } as const
  const old = await createEmulator(options)
  const hash = await ask(old, 'eth_sendTransaction', { from: FIRST, data: Lifecycle.bytecode })
  const { contractAddress } = (await ask(old, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }
  await old.setStorageAt(contractAddress, '0x2', '0x9')
  await old.setCode(contractAddress, '0x33ff')
  const fork = await createEmulator({ ...options, fork: { upstream: old } })
  const slot = (on: Emulator) => ask(on, 'eth_getStorageAt', contractAddress, '0x2', 'latest')
  expect(await slot(fork)).toBe(`0x${'9'.padStart(64, '0')}`)
  await ask(fork, 'eth_sendTransaction', { from: FIRST, to: contractAddress, gas: '0x20000' })
  await ask(fork, 'eth_sendTransaction', { from: FIRST, to: contractAddress, value: '0x5' })
  const loaded = await createEmulator({ ...options, state: await fork.dump() })
  for (const each of [fork, loaded]) {
    expect(await ask(each, 'eth_getBalance', contractAddress, 'latest')).toBe('0x5')
    expect(await slot(each)).toBe(`0x${'0'.repeat(64)}`)
  }
})

test('a dump whose recording lacks what its blocks changed is refused', async () => {
  const fork = await workedOn(chain)
  const text = new TextDecoder().decode(await gunzipped(await fork.dump()))
  const dump = JSON.parse(text) as { tickchain: { fork: { recording: string } } }
  dump.tickchain.fork.recording = dump.tickchain.fork.recording.replace(/^account 0xf39f.*\n/m, '')
  const bytes = new TextEncoder().encode(JSON.stringify(dump))
  await expect(createEmulator({ state: bytes })).rejects.toMatchObject({
    kind: 'undecodableState',
    message: `failed to decode state dump: its fork does not know the account ${FIRST}`,
  })
})

async function gunzipped(bytes: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).arrayBuffer()
}
