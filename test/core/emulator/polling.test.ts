// The polling provider, which lets time pass with every poll, so that polling clients terminate.

import { BrowserProvider, Contract } from 'ethers'
import { advanceOnPoll, createEmulator, type Emulator, type Provider } from 'tickchain'
import { emulatorTransport } from 'tickchain/viem'
import { createPublicClient, createWalletClient, custom, type Hex, parseEther, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Counter } from '../../contracts/generated.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const COUNTER = { address: `0x${'c0'.repeat(20)}`, abi: Counter.abi } as const
const START_MS = 1_704_067_200_000

const cleanups: (() => unknown)[] = []

afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

function makeChain(): Promise<Emulator> {
  const alloc = { [COUNTER.address]: { nonce: 1, code: Counter.deployedBytecode } }
  return createEmulator({ genesis: { alloc } })
}

function connect(provider: Provider) {
  const transport = custom(provider, { retryCount: 0 })
  const settings = { chain: foundry, transport, cacheTime: 0, pollingInterval: 1 }
  return createWalletClient({ ...settings, account: ALICE }).extend(publicActions)
}

describe('viem', () => {
  test('a wait ends with the first poll: the transaction is pre-confirmed', async () => {
    const chain = await makeChain()
    const client = connect(advanceOnPoll(chain))
    const hash = await client.sendTransaction({ to: BOB, value: parseEther('1') })
    expect(chain.now).toBe(START_MS)
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      blockNumber: 1n,
    })
    expect(chain.now).toBe(START_MS + 200)
    expect(await client.getBalance({ address: BOB, blockTag: 'pending' })).toBe(parseEther('10001'))
    expect(await client.getBalance({ address: BOB })).toBe(parseEther('10000'))
  })

  test('with the block time per poll, a transaction with a receipt is sealed', async () => {
    const chain = await makeChain()
    const client = connect(advanceOnPoll(chain, { ms: 2000 }))
    const hash = await client.sendTransaction({ to: BOB, value: parseEther('1') })
    await client.waitForTransactionReceipt({ hash })
    expect(chain.now).toBe(START_MS + 2000)
    expect(await client.getBalance({ address: BOB })).toBe(parseEther('10001'))
  })

  test('a wait for confirmations ends too', async () => {
    const client = connect(advanceOnPoll(await makeChain(), { ms: 1000 }))
    const hash = await client.sendTransaction({ to: BOB })
    const receipt = await client.waitForTransactionReceipt({ hash, confirmations: 3 })
    expect(receipt.blockNumber).toBe(1n)
    expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(3n)
  })

  test('watchers continue on their own', async () => {
    const client = connect(advanceOnPoll(await makeChain(), { ms: 1000 }))
    const numbers: bigint[] = []
    const values: unknown[] = []
    cleanups.push(
      client.watchBlockNumber({ emitMissed: true, onBlockNumber: (number) => numbers.push(number) }),
      client.watchContractEvent({
        ...COUNTER,
        eventName: 'Incremented',
        onLogs: (logs) => values.push(...logs.map(({ args }) => args.value)),
      }),
    )
    await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(0), { interval: 2 })
    await client.writeContract({ ...COUNTER, functionName: 'increment' })
    await vi.waitFor(() => expect(values).toEqual([1n]), { interval: 2 })
    await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(3), { interval: 2 })
    const [first] = numbers as [bigint]
    expect(numbers.slice(0, 4)).toEqual([first, first + 1n, first + 2n, first + 3n])
  })

  test('over emulatorTransport watchers poll, because nothing is pushed while the clock stands still', async () => {
    const transport = emulatorTransport(advanceOnPoll(await makeChain(), { ms: 1000 }))
    const client = createPublicClient({ chain: foundry, transport, pollingInterval: 1, cacheTime: 0 })
    expect(client.transport).toMatchObject({ type: 'custom', key: 'tickchain', retryCount: 0 })
    const numbers: bigint[] = []
    cleanups.push(client.watchBlockNumber({ onBlockNumber: (number) => numbers.push(number) }))
    await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(1), { interval: 2 })
  })

  test('a bundle of calls completes', async () => {
    const client = connect(advanceOnPoll(await makeChain()))
    const { id } = await client.sendCalls({ calls: [{ to: BOB, value: 1n }] })
    expect(await client.waitForCallsStatus({ id, pollingInterval: 1 })).toMatchObject({ status: 'success' })
  })
})

describe('ethers', () => {
  function open(provider: Provider): BrowserProvider {
    const browser = new BrowserProvider(provider, undefined, { cacheTimeout: -1, pollingInterval: 2 })
    cleanups.push(() => browser.destroy())
    return browser
  }

  test('a wait ends with the first poll', async () => {
    const chain = await makeChain()
    const signer = await open(advanceOnPoll(chain)).getSigner()
    const response = await signer.sendTransaction({ to: BOB, value: 1n })
    expect(await response.wait()).toMatchObject({ status: 1, blockNumber: 1 })
  })

  test('a wait for confirmations ends, and events arrive', async () => {
    const signer = await open(advanceOnPoll(await makeChain(), { ms: 1000 })).getSigner()
    const counter = new Contract(COUNTER.address, Counter.abi, signer)
    const values: bigint[] = []
    await counter.on('Incremented', (_by: string, value: bigint) => values.push(value))
    const response = await counter.getFunction('increment').send()
    expect(await response.wait(2)).toMatchObject({ status: 1 })
    await counter.getFunction('increment').send()
    await vi.waitFor(() => expect(values).toContain(2n), { interval: 2 })
  })
})

describe('advanceOnPoll', () => {
  const send = (provider: Provider): Promise<Hex> =>
    provider.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB }] })

  test('advances by the time of a partial block, whatever that is', async () => {
    const chain = await createEmulator({ partialBlockTimeMs: 250 })
    const provider = advanceOnPoll(chain)
    await provider.request({ method: 'eth_blockNumber' })
    await provider.request('eth_blockNumber')
    expect(chain.now).toBe(START_MS + 500)
  })

  test('the clock moves before the poll is answered, and for no other request', async () => {
    const chain = await makeChain()
    const provider = advanceOnPoll(chain)
    const hash = await send(provider)
    await provider.request({ method: 'eth_getBalance', params: [BOB, 'latest'] })
    expect(chain.now).toBe(START_MS)
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    expect(receipt).toMatchObject({ status: '0x1' })
  })

  test('the methods that count as polls can be set', async () => {
    const chain = await makeChain()
    const provider = advanceOnPoll(chain, { ms: 10, methods: ['eth_chainId'] })
    await provider.request({ method: 'eth_blockNumber' })
    expect(chain.now).toBe(START_MS)
    await provider.request({ method: 'eth_chainId' })
    expect(chain.now).toBe(START_MS + 10)
  })

  test('listens through', async () => {
    const chain = await makeChain()
    const provider = advanceOnPoll(chain)
    const heard = vi.fn()
    provider.on('sealedBlock', heard)
    await chain.advance(2000)
    provider.removeListener('sealedBlock', heard)
    await chain.advance(2000)
    expect(heard).toHaveBeenCalledTimes(1)
  })

  test('a failing poll, or a disposed chain, rejects once', async () => {
    const chain = await makeChain()
    const provider = advanceOnPoll(chain)
    const poll = () => provider.request({ method: 'eth_getFilterChanges', params: ['0x1'] })
    await expect(poll()).rejects.toMatchObject({ code: -32000 })
    chain.dispose()
    await expect(poll()).rejects.toMatchObject({ kind: 'disposed' })
    await expect((provider.request as (call: unknown) => Promise<unknown>)(null)).rejects.toMatchObject({
      code: -32600,
    })
  })

  test.each([-1, 0.5, Number.NaN, '200'])('%j milliseconds are refused', async (ms) => {
    const chain = await makeChain()
    expect(() => advanceOnPoll(chain, { ms: ms as number })).toThrow('invalid option ms')
  })
})
