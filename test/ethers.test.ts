// tickchain/ethers: ethers' signers and contracts over the provider of the package, without polling.

import {
  BrowserProvider,
  Contract,
  ContractFactory,
  type EventLog,
  getCreateAddress,
  type Log,
  type LogParams,
  NonceManager,
  type OrphanFilter,
  parseEther,
  type TransactionResponse,
  Wallet,
} from 'ethers'
import { createEmulator, type EmulatorOptions, TickchainError } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { createPublicClient, custom } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Counter, Reverter } from './contracts/generated.ts'
import { forbidTimers, record, settle } from './interop/recorded.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const COUNTER = `0x${'c0'.repeat(20)}`
const REVERTER = `0x${'de'.repeat(20)}`

afterEach(() => {
  vi.restoreAllMocks()
})

/** A chain, and a provider that may set no timer from its creation on. */
async function start(options: EmulatorOptions = {}) {
  const alloc = {
    [COUNTER]: { nonce: 1, code: Counter.deployedBytecode },
    [REVERTER]: { nonce: 1, code: Reverter.deployedBytecode },
  }
  const { chain, methods } = record(await createEmulator({ genesis: { alloc }, ...options }))
  forbidTimers()
  const provider = new EmulatorProvider(chain)
  const signer = await provider.getSigner()
  const counter = new Contract(COUNTER, Counter.abi, signer)
  const reverter = new Contract(REVERTER, Reverter.abi, signer)
  const increment = (): Promise<TransactionResponse> => counter.getFunction('increment').send()
  return { chain, methods, provider, signer, counter, reverter, increment }
}

/** The error of a promise that must fail. */
function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable('it did not fail'),
    (reason) => reason,
  )
}

describe('requests', () => {
  test('are answered without a timer: a contract is deployed, written to and read', async () => {
    const { signer } = await start({ production: 'auto' })
    const deployed = await new ContractFactory(Counter.abi, Counter.bytecode, signer).deploy()
    await deployed.waitForDeployment()
    expect(await deployed.getAddress()).toBe(getCreateAddress({ from: ALICE, nonce: 0 }))
    const response = await deployed.getFunction('add').send(41)
    expect(await response.wait()).toMatchObject({ status: 1, blockNumber: 2 })
    expect(await deployed.getFunction('count').staticCall()).toBe(41n)
  })

  test('the network is known without asking', async () => {
    const { provider, methods } = await start({ chainId: 8453 })
    methods.length = 0
    expect((await provider.getNetwork()).chainId).toBe(8453n)
    expect(provider.ready).toBe(true)
    expect(methods).toEqual([])
  })

  test('the chain id is the current one, and wallets sign for it', async () => {
    const { chain, provider } = await start()
    await chain.setChainId(10)
    expect((await provider.getNetwork()).chainId).toBe(10n)
    const { hash } = await new Wallet(ALICE_KEY, provider).sendTransaction({ to: BOB, value: 1n })
    expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({ chainId: '0xa' })
  })

  test('signers are the accounts of the emulator, or sign by themselves', async () => {
    const { chain, provider, signer } = await start()
    expect(signer.address).toBe(ALICE)
    expect((await provider.getSigner(1)).address).toBe(BOB)
    await expect(provider.getSigner(10)).rejects.toThrow('no such account')
    const wallet = new NonceManager(new Wallet(ALICE_KEY, provider))
    const sent = [await wallet.sendTransaction({ to: BOB }), await wallet.sendTransaction({ to: BOB })]
    await chain.advance(200)
    const receipts = await Promise.all(sent.map((response) => response.wait()))
    expect(receipts).toMatchObject([
      { status: 1, index: 0 },
      { status: 1, index: 1 },
    ])
  })

  test('custom errors are decoded', async () => {
    const { reverter } = await start()
    const call = reverter.getFunction('revertWithCustomError')
    const expected = { code: 'CALL_EXCEPTION', revert: { name: 'CustomError', args: [7n, 'because'] } }
    expect(await rejection(call.staticCall(7, 'because'))).toMatchObject(expected)
    const { data } = (await rejection(call.estimateGas(7, 'because'))) as Error & { data: string }
    expect(reverter.interface.parseError(data)).toMatchObject(expected.revert)
    const panic = reverter.getFunction('divide').staticCall(1, 0)
    expect(await rejection(panic)).toMatchObject({ reason: 'Panic due to DIVIDE_BY_ZERO(18)' })
    expect(await rejection(reverter.getFunction('revertWithString').staticCall('too late'))).toMatchObject({
      reason: 'too late',
    })
  })

  test('errors have the codes of ethers', async () => {
    const { chain, provider, signer } = await start()
    const poor = signer.sendTransaction({ to: BOB, value: parseEther('10000') })
    expect(await rejection(poor)).toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    await signer.sendTransaction({ to: BOB })
    await chain.advance(2000)
    const expired = signer.sendTransaction({ to: BOB, nonce: 0, gasLimit: 21_000 })
    expect(await rejection(expired)).toMatchObject({ code: 'NONCE_EXPIRED' })
    const unknown = provider.send('eth_unheardOf', [])
    expect(await rejection(unknown)).toMatchObject({ code: 'UNSUPPORTED_OPERATION' })
  })

  test('debug events show requests and responses', async () => {
    const { provider } = await start()
    const actions: string[] = []
    await provider.on('debug', ({ action }) => actions.push(action))
    await provider.getBlockNumber()
    await settle()
    expect(actions).toEqual(['sendRpcPayload', 'receiveRpcResult'])
  })
})

describe('events, as the clock moves', () => {
  test('blocks, and what is asked for once', async () => {
    const { chain, methods, provider } = await start()
    const numbers: number[] = []
    const once: number[] = []
    await provider.on('block', (number: number) => numbers.push(number))
    await provider.once('block', (number: number) => once.push(number))
    await chain.advance(6000)
    await provider.getBlockNumber()
    expect(numbers).toEqual([1, 2, 3])
    expect(once).toEqual([1])
    await provider.off('block')
    await chain.advance(2000)
    await provider.getBlockNumber()
    expect(numbers).toHaveLength(3)
    expect(methods.filter((method) => method.startsWith('eth_subscribe'))).toHaveLength(1)
    expect(methods.filter((method) => method === 'eth_unsubscribe')).toHaveLength(1)
  })

  test('all blocks of a long call have arrived with the next answer', async () => {
    const { chain, provider, increment } = await start()
    const numbers: number[] = []
    const logs: string[] = []
    await provider.on('block', (number: number) => numbers.push(number))
    await provider.on({ address: COUNTER }, ({ transactionHash }: Log) => logs.push(transactionHash))
    const sent = await Promise.all(Array.from({ length: 50 }, increment))
    await chain.advance(400_000)
    await provider.getBlockNumber()
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    expect(logs).toEqual(sent.map(({ hash }) => hash))
  })

  test('pending transactions', async () => {
    const { provider, signer } = await start()
    const hashes: string[] = []
    await provider.on('pending', (hash: string) => hashes.push(hash))
    const { hash } = await signer.sendTransaction({ to: BOB })
    expect(hashes).toEqual([hash])
  })

  test('contract events, with their arguments and filters', async () => {
    const { chain, provider, counter, increment } = await start()
    const values: bigint[] = []
    const filtered: unknown[] = []
    await counter.on('Incremented', (_by: string, value: bigint) => values.push(value))
    await counter.on(counter.getEvent('Incremented')(BOB), ({ log }: { log: EventLog }) =>
      filtered.push(log.args),
    )
    await increment()
    const bob = counter.connect(await provider.getSigner(1)) as Contract
    await bob.getFunction('add').send(41)
    await chain.advance(200)
    await settle()
    expect(values).toEqual([])
    await chain.advance(1800)
    await settle()
    expect(values).toEqual([1n, 42n])
    expect(filtered).toEqual([[BOB, 42n]])
  })

  test('a log that a reorganisation removes is reported as removed, and then again', async () => {
    const { chain, provider, increment } = await start()
    const blocks: string[] = []
    const removed: LogParams[] = []
    const seen: Log[] = []
    const filter = { address: COUNTER }
    await provider.on(filter, (log: Log) => {
      blocks.push(log.blockHash)
      seen.push(log)
    })
    await increment()
    await chain.advance(2000)
    await settle()
    const [log] = seen as [Log]
    // ethers knows the log by all that it says.
    const orphan = { orphan: 'drop-log', log: { ...log.toJSON(), removed: true } } as unknown as OrphanFilter
    await provider.on(orphan, (gone: LogParams) => removed.push(gone))
    await chain.reorg({ depth: 1 })
    await settle()
    expect(removed).toMatchObject([{ blockHash: log.blockHash, removed: true }])
    expect(blocks).toEqual([log.blockHash])
    // The transaction is in the pool again, and in the next block.
    await chain.advance(2000)
    await settle()
    expect(blocks).toHaveLength(2)
    expect(blocks[1]).not.toBe(log.blockHash)
  })
})

describe('tx.wait', () => {
  test('ends when the clock is moved by hand, without a timer', async () => {
    const { chain, methods, increment } = await start()
    const response = await increment()
    const waiting = response.wait()
    await settle()
    await chain.advance(2000)
    expect(await waiting).toMatchObject({ status: 1, blockNumber: 1 })
    // ethers asks for the number itself once, and polls for none.
    expect(methods.filter((method) => method === 'eth_blockNumber').length).toBeLessThan(4)
  })

  test('of a pre-confirmed transaction ends at once', async () => {
    const { chain, increment } = await start()
    const response = await increment()
    await chain.advance(200)
    expect(await response.wait()).toMatchObject({ status: 1, blockNumber: 1 })
    expect(chain.now).toBe(1_704_067_200_200)
  })

  test('ends whenever the clock moves after it began', { tags: 'gate' }, async () => {
    for (let microtasks = 0; microtasks < 60; microtasks++) {
      const { chain, increment } = await start()
      const response = await increment()
      const waiting = response.wait()
      for (let turn = 0; turn < microtasks; turn++) await Promise.resolve()
      await chain.advance(2000)
      await settle()
      expect(await Promise.race([waiting, `not after ${microtasks} microtasks`])).toMatchObject({ status: 1 })
    }
  })

  test('ends with the confirmations that are asked for', async () => {
    const { chain, increment } = await start()
    const response = await increment()
    let isOver = false
    const waiting = response.wait(3).finally(() => {
      isOver = true
    })
    await settle()
    await chain.advance(4000)
    await settle()
    expect(isOver).toBe(false)
    await chain.advance(2000)
    expect(await waiting).toMatchObject({ blockNumber: 1 })
  })

  test('of a transaction that reverts, or is replaced, fails', async () => {
    const { chain, signer, reverter } = await start()
    const reverting = await reverter.getFunction('revertEmpty').send({ gasLimit: 100_000 })
    const failing = rejection(reverting.wait())
    await settle()
    await chain.advance(2000)
    expect(await failing).toMatchObject({ code: 'CALL_EXCEPTION', receipt: { status: 0 } })

    const send = (gasPrice: bigint) =>
      signer.sendTransaction({ to: BOB, nonce: 1, gasLimit: 21_000, gasPrice })
    const first = await send(10n ** 10n)
    const replaced = rejection(first.wait())
    await settle()
    const { hash } = await send(2n * 10n ** 10n)
    await chain.advance(2000)
    expect(await replaced).toMatchObject({ code: 'TRANSACTION_REPLACED', reason: 'repriced', hash })
  })
})

describe('provider.waitForTransaction', () => {
  // Block n is sealed after 2n seconds: one call passes all of them, or each is a call of its own.
  test.each([
    [1, [8000]],
    [2, [8000]],
    [2, [2000, 6000]],
    [2, [2000, 2000, 2000]],
  ])('with %d confirmations, by advances of %j', async (confirmations, steps) => {
    for (const when of ['at once', 'before', 'between']) {
      const { chain, provider, increment } = await start()
      const { hash } = await increment()
      let isOver = false
      const wait = () =>
        provider.waitForTransaction(hash, confirmations).finally(() => {
          isOver = true
        })
      let waiting = when === 'between' ? undefined : wait()
      if (when === 'before') await settle()
      for (const ms of steps) {
        await chain.advance(ms)
        waiting ??= wait()
      }
      // Begun after the last call: it is over without another if the confirmations are there.
      if (steps.length === 1) await waiting
      expect(isOver, when).toBe(true)
      expect(await waiting).toMatchObject({ status: 1, blockNumber: 1 })
    }
  })

  test('without confirmations, and with a time-out', async () => {
    const { chain, provider, increment } = await start()
    const { hash } = await increment()
    expect(await provider.waitForTransaction(hash, 0)).toBe(null)
    vi.restoreAllMocks()
    expect(await rejection(provider.waitForTransaction(hash, 1, 1))).toMatchObject({ code: 'TIMEOUT' })
    const waiting = provider.waitForTransaction(hash, undefined, 60_000)
    await chain.advance(2000)
    expect(await waiting).toMatchObject({ hash })
  })
})

describe('destroy', () => {
  test('ends the subscriptions, and the emulator continues', async () => {
    const { chain, methods, provider, counter } = await start()
    const numbers: number[] = []
    await provider.on('block', (number: number) => numbers.push(number))
    await counter.on('Incremented', () => undefined)
    await provider.destroy()
    await settle()
    const count = (name: string) => methods.filter((method) => method === name).length
    expect(count('eth_subscribe')).toBeGreaterThan(0)
    expect(count('eth_unsubscribe')).toBe(count('eth_subscribe'))
    await chain.advance(2000)
    expect(numbers).toEqual([])
    await expect(provider.getBlockNumber()).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' })
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x1')
  })

  test('a pending request is cancelled', async () => {
    const { provider } = await start()
    const asking = provider.getBlockNumber()
    await provider.destroy()
    await expect(asking).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' })
  })
})

test('two providers get the events of their own subscriptions only', async () => {
  const { chain, provider } = await start()
  const other = new EmulatorProvider(chain)
  const mine: number[] = []
  const errors: unknown[] = []
  await provider.on('block', (number: number) => mine.push(number))
  await provider.on('error', (error: unknown) => errors.push(error))
  await other.on('pending', () => undefined)
  await other.on('error', (error: unknown) => errors.push(error))
  await (await other.getSigner()).sendTransaction({ to: BOB })
  await chain.advance(2000)
  await settle()
  expect(mine).toEqual([1])
  expect(errors).toEqual([])
})

describe('ENS, which the chain does not have', () => {
  test('is refused at once', async () => {
    const { provider } = await start()
    const unsupported = { code: 'UNSUPPORTED_OPERATION' }
    await expect(provider.resolveName('vitalik.eth')).rejects.toMatchObject(unsupported)
    await expect(provider.lookupAddress(ALICE)).rejects.toMatchObject(unsupported)
    await expect(provider.getBalance('vitalik.eth')).rejects.toMatchObject(unsupported)
  })

  test('is refused at once by a BrowserProvider', async () => {
    const provider = new BrowserProvider(await createEmulator(), undefined, { cacheTimeout: -1 })
    const unsupported = { code: 'UNSUPPORTED_OPERATION' }
    await expect(provider.resolveName('vitalik.eth')).rejects.toMatchObject(unsupported)
    provider.destroy()
  })

  test('with the chain id of mainnet, the registry does not exist', { tags: 'gate' }, async () => {
    const { provider, methods } = await start({ chainId: 1 })
    methods.length = 0
    await expect(provider.resolveName('vitalik.eth')).rejects.toMatchObject({ code: 'BAD_DATA', value: '0x' })
    expect(methods).toEqual(['eth_call'])
  })

  test('is refused at once by viem', async () => {
    const { chain } = await start()
    const client = createPublicClient({ transport: custom(chain, { retryCount: 0 }) })
    await expect(client.getEnsAddress({ name: 'vitalik.eth' })).rejects.toThrow('client chain not configured')
  })
})

describe("reads: 'pending'", () => {
  // Emits Paid(value) when called, and answers 42.
  const CODE =
    '0x345f527f581d416ae9dff30c9305c2b35cb09ed5991897ab97804db29ccf92678e95316060205fa1602a5f5260205ff3'
  const ABI = ['event Paid(uint256 amount)', 'function answer() payable returns (uint256)']
  const VAULT = `0x${'ab'.repeat(20)}`

  test('makes reads and listeners see what is pre-confirmed', async () => {
    const chain = await createEmulator()
    await chain.setCode(VAULT as `0x${string}`, CODE)
    const pending = new EmulatorProvider(chain, { reads: 'pending' })
    const sealed = new EmulatorProvider(chain)
    const signer = await pending.getSigner(0)
    const vault = new Contract(VAULT, ABI, signer)
    const told: bigint[] = []
    await vault.on('Paid', (amount: bigint) => told.push(amount))
    const balances = () => Promise.all([pending.getBalance(VAULT), sealed.getBalance(VAULT)])
    await signer.sendTransaction({ to: VAULT, value: 5n })
    await chain.advance(200)
    expect(await balances()).toEqual([5n, 0n])
    expect(told).toEqual([5n])
    expect(await pending.getBalance(VAULT, 'latest')).toBe(0n)
    expect(await pending.getBlock('latest')).toMatchObject({ number: 0 })
    expect(await pending.getTransactionCount(signer)).toBe(1)
    await chain.advance(1800)
    expect(await balances()).toEqual([5n, 5n])
    expect(told).toEqual([5n])
    await vault.removeAllListeners()
  })

  test('lets a contract be called once it is pre-confirmed', async () => {
    const chain = await createEmulator()
    // Its code answers 42.
    const bytecode = '0x600a600c600039600a6000f3602a5f5260205ff3'
    const [contract, other] = await Promise.all(
      [{ reads: 'pending' } as const, {}].map(async (options, index) => {
        const signer = await new EmulatorProvider(chain, options).getSigner(index)
        return new ContractFactory(['function answer() view returns (uint256)'], bytecode, signer).deploy()
      }),
    )
    await chain.advance(200)
    expect(await contract?.getFunction('answer')()).toBe(42n)
    await expect(other?.getFunction('answer')()).rejects.toMatchObject({ code: 'BAD_DATA' })
  })

  test('is the only option', async () => {
    const chain = await createEmulator()
    const refused = (given: unknown): unknown => {
      try {
        return new EmulatorProvider(chain, given as never)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(TickchainError)
        return (thrown as Error).message
      }
    }
    expect([{ read: 'pending' }, { reads: 'safe' }, 5].map(refused)).toEqual([
      'invalid option read: unknown field, did you mean reads?',
      'invalid option reads: expected one of pending, latest, got "safe"',
      'invalid option options: expected an object, got 5',
    ])
  })

  test('a wait for what is no transaction is refused, and does not last for ever', async () => {
    const provider = new EmulatorProvider(await createEmulator())
    const hash = `0x${'11'.repeat(32)}`
    const waits: [unknown, unknown?, unknown?][] = [[undefined], ['0x12'], [hash, 'two'], [hash, 1, -1]]
    const messages = waits.map((given) =>
      provider.waitForTransaction(...(given as [string])).catch(({ code, message }) => [code, message]),
    )
    const call = 'invalid call waitForTransaction:'
    expect(await Promise.all(messages)).toEqual([
      [-32602, `${call} hash: expected a hash of 32 bytes, got nothing`],
      [-32602, `${call} hash: expected a hash of 32 bytes, got "0x12" (1 byte)`],
      [-32602, `${call} confirms: expected a whole number from 0 to 9007199254740991, got "two"`],
      [-32602, `${call} expected a timeout in milliseconds, from 0, got -1`],
    ])
  })
})
