// The same workload on a chain and on a fork of it: everything that a user sees is equal, but the roots.

import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import type { Hash, Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'
import { Counter, Environment, Lifecycle, Token } from '../../contracts/generated.ts'
import { ask, rpcError, type Wire, wireTo } from './upstreams.ts'

interface Scene {
  readonly accounts: readonly Hex[]
  readonly token: Hex
  readonly counter: Hex
  readonly lifecycle: Hex
}

async function send(chain: Emulator, request: Record<string, unknown>): Promise<Hash> {
  return (await ask(chain, 'eth_sendTransaction', request)) as Hash
}

async function deploy(chain: Emulator, from: Hex, data: Hex): Promise<Hex> {
  const hash = await send(chain, { from, data, gas: '0x200000' })
  await chain.seal()
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return receipt?.contractAddress as Hex
}

/** A chain with contracts, tokens and slots. */
async function prepare(chain: Emulator): Promise<Scene> {
  const accounts = (await chain.request({ method: 'eth_accounts' })) as Hex[]
  const [alice, bob] = accounts as [Hex, Hex]
  const token = await deploy(
    chain,
    alice,
    encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1_000_000n] }),
  )
  const counter = await deploy(chain, bob, Counter.bytecode)
  const lifecycle = await deploy(chain, alice, Lifecycle.bytecode)
  await send(chain, {
    from: alice,
    to: token,
    data: encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [bob, 700n] }),
  })
  await send(chain, {
    from: alice,
    to: lifecycle,
    data: encodeFunctionData({ abi: Lifecycle.abi, functionName: 'fill', args: [0n, 20n] }),
  })
  await chain.seal()
  return { accounts, token, counter, lifecycle }
}

/** Transactions of all kinds, over several blocks, and the receipts of all. */
async function work(chain: Emulator, { accounts, token, counter, lifecycle }: Scene): Promise<unknown[]> {
  const [alice, bob, carol] = accounts as [Hex, Hex, Hex]
  const hashes: Hash[] = []
  const add = async (request: Record<string, unknown>): Promise<void> => {
    hashes.push(await send(chain, { gas: '0x100000', ...request }))
  }
  const transfer = (to: Hex, amount: bigint) =>
    encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [to, amount] })
  await add({ from: bob, to: token, data: transfer(carol, 300n) })
  await add({
    from: alice,
    to: counter,
    data: encodeFunctionData({ abi: Counter.abi, functionName: 'increment' }),
  })
  await chain.advance(2000)
  await add({ from: carol, to: token, data: transfer(alice, 301n) })
  await add({ from: carol, to: token, data: transfer(alice, 300n) })
  await add({ from: alice, to: '0x00000000000000000000000000000000000000aa', value: '0x5' })
  await add({
    from: bob,
    to: lifecycle,
    data: encodeFunctionData({ abi: Lifecycle.abi, functionName: 'clear', args: [5n, 10n] }),
  })
  await chain.advance(2000)
  await add({
    from: alice,
    to: lifecycle,
    value: '0x7',
    data: encodeFunctionData({ abi: Lifecycle.abi, functionName: 'createChild' }),
  })
  await add({ from: bob, data: Environment.bytecode })
  await chain.advance(2400)
  return Promise.all(
    hashes.map((hash) => chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
}

/** Receipts and logs without what names the block, whose hash has the state root. */
function withoutRoots(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item) => (key === 'blockHash' ? undefined : item)))
}

async function reads(chain: Emulator, { accounts, token, lifecycle }: Scene): Promise<unknown> {
  const each = (method: string, params: readonly unknown[]) => ask(chain, method, ...params)
  const slots = Array.from({ length: 24 }, (_, slot) => `0x${slot.toString(16)}`)
  return {
    number: await each('eth_blockNumber', []),
    balances: await Promise.all(accounts.map((account) => each('eth_getBalance', [account, 'latest']))),
    nonces: await Promise.all(
      accounts.map((account) => each('eth_getTransactionCount', [account, 'pending'])),
    ),
    slots: await Promise.all(slots.map((slot) => each('eth_getStorageAt', [lifecycle, slot, 'latest']))),
    code: await each('eth_getCode', [token, 'latest']),
    gas: await each('eth_estimateGas', [
      {
        from: accounts[0],
        to: token,
        data: encodeFunctionData({
          abi: Token.abi,
          functionName: 'transfer',
          args: [accounts[5] as Hex, 1n],
        }),
      },
    ]),
    baseFee: ((await each('eth_getBlockByNumber', ['latest', false])) as { baseFeePerGas: Hex })
      .baseFeePerGas,
  }
}

/** Test accounts have on the fork what they have on the chain. */
const AS_THEY_ARE = { accounts: { balance: 0n } } as const

async function forkOf(wire: Wire, options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ ...AS_THEY_ARE, ...options, fork: { upstream: wire } })
}

const withoutProofs: Wire['answer'] = ({ method }) =>
  method === 'eth_getProof' ? rpcError(-32601, 'no such method') : undefined
const withoutHints: Wire['answer'] = ({ method }) =>
  method === 'eth_createAccessList' ? rpcError(-32601, 'no such method') : undefined
const withoutEither: Wire['answer'] = (asked) => withoutProofs(asked) ?? withoutHints(asked)

test.each([
  ['an upstream', {}],
  ['an upstream that answers the last request first', { order: 'last' }],
  ['an upstream without proofs', { answer: withoutProofs }],
  ['an upstream without access lists', { answer: withoutHints }],
  ['an upstream with the plain methods only', { answer: withoutEither }],
] as const)('a fork of %s goes on as the chain does', async (_, manner) => {
  const chain = await createEmulator()
  const scene = await prepare(chain)
  const wire = Object.assign(wireTo(chain.clone()), manner)
  const fork = await forkOf(wire)
  const [expected, got] = [await work(chain, scene), await work(fork, scene)]
  expect(withoutRoots(got)).toEqual(withoutRoots(expected))
  expect(await reads(fork, scene)).toEqual(await reads(chain, scene))
})

test('the interpreter of @ethereumjs stops at a miss, too', { tags: 'gate' }, async () => {
  const chain = await createEmulator({ interpreter: 'reference' })
  const scene = await prepare(chain)
  const fork = await forkOf(wireTo(chain.clone()), { interpreter: 'reference' })
  expect(withoutRoots(await work(fork, scene))).toEqual(withoutRoots(await work(chain, scene)))
})

test('a call on a fork that is repeated asks the upstream for nothing', async () => {
  const chain = await createEmulator()
  const { token, accounts } = await prepare(chain)
  const wire = wireTo(chain)
  const fork = await forkOf(wire)
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [accounts[1] as Hex] })
  const call = async () =>
    decodeFunctionResult({
      abi: Token.abi,
      functionName: 'balanceOf',
      data: await fork.request({ method: 'eth_call', params: [{ to: token, data }] }),
    })
  expect(await call()).toBe(700n)
  const { length } = wire.asked
  expect(await call()).toBe(700n)
  expect(wire.asked).toHaveLength(length)
})
