// viem's clients over the emulator.

import { verifyMerkleProof } from '@ethereumjs/mpt'
import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import {
  type Abi,
  type Account,
  type Address,
  BaseError,
  BlockNotFoundError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  encodeFunctionData,
  fromRlp,
  getContractAddress,
  type Hex,
  hexToBytes,
  http,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  keccak256,
  MethodNotFoundRpcError,
  NonceTooLowError,
  parseAbiItem,
  parseEther,
  parseGwei,
  ResourceNotFoundRpcError,
  recoverMessageAddress,
  TipAboveFeeCapError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  verifyTypedData,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { createNonceManager, jsonRpc } from 'viem/nonce'
import { recoverAuthorizationAddress } from 'viem/utils'
import { describe, expect, test, vi } from 'vitest'
import { Counter, Reverter } from '../contracts/generated.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BOB_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

// EIP-1559 by hand: genesis has a base fee of 1 gwei and is empty, so block 1 pays 7/8 of that.
const BASE_FEE_1 = 875_000_000n
const GENESIS_TIMESTAMP = 1_704_067_200n

const POLLING = { interval: 5, timeout: 600_000 }

/** Clients that poll fast and keep nothing: with viem's defaults both take seconds of real time. */
function connect(chain: Emulator, provider: Parameters<typeof custom>[0] = chain) {
  const settings = {
    chain: foundry,
    transport: custom(provider, { retryCount: 0 }),
    cacheTime: 0,
    pollingInterval: 10,
  }
  return { chain, reader: createPublicClient(settings), wallet: createWalletClient(settings) }
}

type Connection = ReturnType<typeof connect>

async function start(options?: EmulatorOptions): Promise<Connection> {
  return connect(await createEmulator(options))
}

/** The same, with a record of the methods that were called. */
async function startRecorded() {
  const chain = await createEmulator()
  const methods: string[] = []
  const request = (call: { method: string; params?: unknown }) => {
    methods.push(call.method)
    return chain.request(call)
  }
  return { ...connect(chain, { request }), methods }
}

/** Deploys a contract and waits until it is sealed. */
async function deploy(
  { chain, reader, wallet }: Connection,
  contract: typeof Counter | typeof Reverter,
): Promise<Address> {
  const hash = await wallet.deployContract({ account: ALICE, abi: contract.abi, bytecode: contract.bytecode })
  await chain.advance(2000)
  const { contractAddress } = await reader.getTransactionReceipt({ hash })
  return contractAddress as Address
}

/** The error of a promise that must fail. */
async function rejection(promise: Promise<unknown>): Promise<BaseError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof BaseError)) throw new Error(`expected an error of viem, got ${error}`)
  return error
}

/** What viem decodes of a revert. */
async function revertOf(promise: Promise<unknown>): Promise<ContractFunctionRevertedError> {
  const error = (await rejection(promise)).walk((it) => it instanceof ContractFunctionRevertedError)
  if (!(error instanceof ContractFunctionRevertedError)) throw new Error('nothing was decoded')
  return error
}

const accounts: readonly [string, Account | Address][] = [
  ['an account of the emulator', ALICE],
  ['a local account that signs by itself', privateKeyToAccount(ALICE_KEY)],
]

describe.each(accounts)('with %s', (_, account) => {
  test('in auto production a contract is deployed, written to and read without waiting', async () => {
    const { reader, wallet } = await start({ production: 'auto' })
    const deployment = await wallet.deployContract({ account, abi: Counter.abi, bytecode: Counter.bytecode })
    const deployed = await reader.waitForTransactionReceipt({ hash: deployment })
    expect(deployed).toMatchObject({ status: 'success', blockNumber: 1n, type: 'eip1559', to: null })
    expect(deployed.from).toBe(ALICE.toLowerCase())
    const address = getContractAddress({ from: ALICE, nonce: 0n })
    expect(deployed.contractAddress).toBe(address.toLowerCase())
    expect(await reader.getCode({ address })).toBe(Counter.deployedBytecode)

    const counter = { address, abi: Counter.abi } as const
    const hash = await wallet.writeContract({ ...counter, account, functionName: 'add', args: [41n] })
    const written = await reader.waitForTransactionReceipt({ hash })
    expect(written).toMatchObject({ status: 'success', blockNumber: 2n, contractAddress: null })
    expect(written.to).toBe(address.toLowerCase())
    expect(await reader.readContract({ ...counter, functionName: 'count' })).toBe(41n)
  })

  test('in interval production waiting ends when the clock has moved', async () => {
    const { chain, reader, wallet } = await start()
    const hash = await wallet.sendTransaction({ account, to: BOB, value: parseEther('1') })
    const waiting = reader.waitForTransactionReceipt({ hash })
    await chain.advance(2000)
    const receipt = await waiting
    expect(receipt).toMatchObject({ status: 'success', blockNumber: 1n, gasUsed: 21_000n })
    expect(receipt.effectiveGasPrice).toBe(BASE_FEE_1 + parseGwei('1'))
    expect(await reader.getBalance({ address: BOB })).toBe(parseEther('10001'))
  })

  test('a write is seen as pending before it is sealed', async () => {
    const connection = await start()
    const { chain, reader, wallet } = connection
    const counter = { address: await deploy(connection, Counter), abi: Counter.abi } as const
    const count = (blockTag: 'latest' | 'pending') =>
      reader.readContract({ ...counter, functionName: 'count', blockTag })

    const hash = await wallet.writeContract({ ...counter, account, functionName: 'increment' })
    await expect(reader.getTransactionReceipt({ hash })).rejects.toThrow(TransactionReceiptNotFoundError)
    expect(await reader.getTransaction({ hash })).toMatchObject({ blockNumber: null, blockHash: null })
    expect(await count('pending')).toBe(0n)

    await chain.advance(200)
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', blockNumber: 2n })
    expect(await reader.getTransaction({ hash })).toMatchObject({ blockNumber: 2n, transactionIndex: 0 })
    expect([await count('latest'), await count('pending')]).toEqual([0n, 1n])
    expect(await reader.getBlockNumber()).toBe(1n)
    expect(await reader.getTransactionCount({ address: ALICE })).toBe(1)
    expect(await reader.getTransactionCount({ address: ALICE, blockTag: 'pending' })).toBe(2)

    await chain.advance(1800)
    const sealed = await reader.getBlock({ blockNumber: 2n })
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ blockHash: sealed.hash })
    expect([await count('latest'), await count('pending')]).toEqual([1n, 1n])
  })

  test.each([
    ['legacy', { gasPrice: parseGwei('2') }, 21_000n, parseGwei('2')],
    [
      'eip2930',
      // EIP-2930: 2,400 gas for an address and 1,900 for a key.
      { gasPrice: parseGwei('2'), accessList: [{ address: BOB, storageKeys: [`0x${'00'.repeat(32)}`] }] },
      21_000n + 2_400n + 1_900n,
      parseGwei('2'),
    ],
    [
      'eip1559',
      { maxFeePerGas: parseGwei('3'), maxPriorityFeePerGas: parseGwei('1') },
      21_000n,
      BASE_FEE_1 + parseGwei('1'),
    ],
  ] as const)('an %s transaction is sent and parsed', async (type, fields, gasUsed, effectiveGasPrice) => {
    const { reader, wallet } = await start({ production: 'auto' })
    const hash = await wallet.sendTransaction({ account, to: BOB, value: 1n, ...fields })
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ type, gasUsed, effectiveGasPrice })
    const transaction = await reader.getTransaction({ hash })
    expect(transaction).toMatchObject({ type, value: 1n, nonce: 0, chainId: 31_337, input: '0x' })
    if (type === 'eip2930') expect(transaction.accessList).toMatchObject([{ address: BOB.toLowerCase() }])
  })

  test('a nonce that is used up is too low', async () => {
    const { wallet } = await start({ production: 'auto' })
    await wallet.sendTransaction({ account, to: BOB, value: 1n })
    const error = await rejection(wallet.sendTransaction({ account, to: BOB, value: 1n, nonce: 0 }))
    expect(error.cause).toBeInstanceOf(NonceTooLowError)
    expect(error.details).toBe('nonce too low: next nonce 1, tx nonce 0')
  })

  test('a cost above the balance is insufficient funds, with or without a gas limit', async () => {
    const { wallet } = await start()
    const value = parseEther('10000')
    for (const gas of [{}, { gas: 21_000n }]) {
      const error = await rejection(wallet.sendTransaction({ account, to: BOB, value, ...gas }))
      expect(error.walk((it) => it instanceof InsufficientFundsError)).not.toBeNull()
    }
  })

  test('less than the intrinsic gas is refused', async () => {
    const { wallet } = await start()
    const error = await rejection(wallet.sendTransaction({ account, to: BOB, gas: 20_999n }))
    expect(error.cause).toBeInstanceOf(IntrinsicGasTooLowError)
  })

  test('a replacement with a slightly higher fee is refused, and one with 10% more replaces', async () => {
    const { chain, reader, wallet } = await start()
    const send = (gwei: string) => {
      const fees = { maxFeePerGas: parseGwei(gwei), maxPriorityFeePerGas: parseGwei(gwei) }
      return wallet.sendTransaction({ account, to: BOB, value: 1n, nonce: 0, ...fees })
    }
    const first = await send('10')
    const again = await rejection(send('10'))
    // viem takes `already known` for a nonce that is too low.
    expect(again.cause).toBeInstanceOf(NonceTooLowError)
    expect((await rejection(send('10.9'))).details).toBe('replacement transaction underpriced')
    const second = await send('11')
    await chain.advance(2000)
    expect(await reader.getTransactionReceipt({ hash: second })).toMatchObject({ status: 'success' })
    await expect(reader.getTransaction({ hash: first })).rejects.toThrow(TransactionNotFoundError)
  })
})

describe('sending', () => {
  test('a tip above the fee cap is refused', async () => {
    const { wallet } = await start()
    const fees = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('3') }
    const error = await rejection(wallet.sendTransaction({ account: ALICE, to: BOB, ...fees }))
    expect(error.walk((it) => it instanceof TipAboveFeeCapError)).not.toBeNull()
  })

  test('a transaction behind a nonce gap waits for the gap to close', async () => {
    const { chain, reader, wallet } = await start()
    const send = (nonce: number) => wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n, nonce })
    const second = await send(1)
    await chain.advance(2000)
    await expect(reader.getTransactionReceipt({ hash: second })).rejects.toThrow(
      TransactionReceiptNotFoundError,
    )
    const first = await send(0)
    await chain.advance(200)
    expect(await reader.getTransactionReceipt({ hash: first })).toMatchObject({ transactionIndex: 0 })
    expect(await reader.getTransactionReceipt({ hash: second })).toMatchObject({ transactionIndex: 1 })
  })

  test('a nonce manager numbers transactions within one partial block', async () => {
    const { chain, reader, wallet } = await start()
    const nonceManager = createNonceManager({ source: jsonRpc() })
    const account = privateKeyToAccount(BOB_KEY, { nonceManager })
    const send = () => wallet.sendTransaction({ account, to: ALICE, value: 1n, gas: 21_000n })
    const hashes = await Promise.all([send(), send(), send()])
    await chain.advance(200)
    const transactions = await Promise.all(hashes.map((hash) => reader.getTransaction({ hash })))
    expect(transactions.map(({ nonce }) => nonce)).toEqual([0, 1, 2])
    expect(transactions.map(({ transactionIndex }) => transactionIndex)).toEqual([0, 1, 2])
  })

  test('waiting for a transaction that is replaced ends with the replacement', async () => {
    const { chain, reader, wallet, methods } = await startRecorded()
    const send = (gwei: string) =>
      wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n, nonce: 0, gasPrice: parseGwei(gwei) })
    const onReplaced = vi.fn()
    const waiting = reader.waitForTransactionReceipt({ hash: await send('10'), onReplaced })
    await vi.waitFor(() => expect(methods).toContain('eth_getTransactionByHash'), {
      interval: 5,
      timeout: 600_000,
    })
    const transactionHash = await send('20')
    await chain.advance(2000)
    expect(await waiting).toMatchObject({ transactionHash, status: 'success' })
    expect(onReplaced).toHaveBeenCalledWith(expect.objectContaining({ reason: 'repriced' }))
  })

  test('sending synchronously ends with the pre-confirmed receipt', async () => {
    const { chain, reader, wallet } = await start()
    const account = privateKeyToAccount(BOB_KEY)
    const serializedTransaction = await account.signTransaction({
      ...{ chainId: 31_337, nonce: 0, gas: 21_000n, to: ALICE, value: 1n },
      ...{ maxFeePerGas: parseGwei('3'), maxPriorityFeePerGas: parseGwei('1') },
    })
    const sending = wallet.sendRawTransactionSync({ serializedTransaction })
    await chain.advance(200)
    expect(await sending).toMatchObject({ status: 'success', blockNumber: 1n, gasUsed: 21_000n })
    expect(await reader.getBlockNumber()).toBe(0n)
  })

  test('a transaction that reverts is sealed with its gas when the sender names the gas', async () => {
    const connection = await start({ production: 'auto' })
    const { reader, wallet } = connection
    const address = await deploy(connection, Reverter)
    const gas = 100_000n
    const request = { address, abi: Reverter.abi, account: ALICE, gas } as const
    const reverted = await wallet.writeContract({ ...request, functionName: 'revertEmpty' })
    const burnt = await wallet.writeContract({ ...request, functionName: 'invalidOpcode' })
    const receipt = await reader.getTransactionReceipt({ hash: reverted })
    expect(receipt).toMatchObject({ status: 'reverted', blockNumber: 2n, logs: [] })
    expect(receipt.gasUsed).toBeLessThan(gas)
    // INVALID consumes all gas.
    expect(await reader.getTransactionReceipt({ hash: burnt })).toMatchObject({
      status: 'reverted',
      gasUsed: gas,
    })
  })
})

describe('EIP-7702', () => {
  const increment = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })
  const bob = privateKeyToAccount(BOB_KEY)

  test.each([
    ['another account sends', ALICE, undefined],
    ['the authority itself sends', bob, 'self'],
  ] as const)('%s what delegates an account to a contract', async (_, account, executor) => {
    const connection = await start({ production: 'auto' })
    const { reader, wallet } = connection
    const counter = await deploy(connection, Counter)
    const authorization = await wallet.signAuthorization({
      account: bob,
      contractAddress: counter,
      ...(executor === undefined ? {} : { executor }),
    })
    const hash = await wallet.sendTransaction({
      account,
      to: bob.address,
      data: increment,
      authorizationList: [authorization],
    })
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', type: 'eip7702' })
    expect(await reader.getCode({ address: bob.address })).toBe(`0xef0100${counter.slice(2)}`)
    const read = { abi: Counter.abi, functionName: 'count' } as const
    expect(await reader.readContract({ ...read, address: bob.address })).toBe(1n)
    expect(await reader.readContract({ ...read, address: counter })).toBe(0n)

    const { authorizationList } = await reader.getTransaction({ hash })
    expect(authorizationList).toHaveLength(1)
    for (const sent of authorizationList ?? []) {
      expect(await recoverAuthorizationAddress({ authorization: sent })).toBe(bob.address)
    }
  })
})

describe('events', () => {
  async function count() {
    const connection = await start()
    const { chain, wallet } = connection
    const counter = { address: await deploy(connection, Counter), abi: Counter.abi } as const
    const add = (account: Address, amount: bigint) =>
      wallet.writeContract({ ...counter, account, functionName: 'add', args: [amount] })
    await add(ALICE, 5n)
    await chain.advance(2000)
    const hash = await add(BOB, 7n)
    await chain.advance(200)
    return { ...connection, counter, hash }
  }

  test('of sealed blocks are decoded and filtered by argument', async () => {
    const { reader, counter } = await count()
    const query = { ...counter, eventName: 'Incremented', fromBlock: 0n } as const
    const events = await reader.getContractEvents(query)
    expect(events).toMatchObject([{ blockNumber: 2n, logIndex: 0, args: { by: ALICE, value: 5n } }])
    expect(await reader.getContractEvents({ ...query, args: { by: ALICE } })).toEqual(events)
    expect(await reader.getContractEvents({ ...query, args: { by: BOB } })).toEqual([])
  })

  test('of the block being built are those from pending to pending', async () => {
    const { chain, reader, counter, hash } = await count()
    const event = parseAbiItem('event Incremented(address indexed by, uint256 value)')
    const pending = { address: counter.address, event, fromBlock: 'pending', toBlock: 'pending' } as const
    expect(await reader.getLogs(pending)).toMatchObject([
      { blockNumber: 3n, transactionHash: hash, args: { by: BOB, value: 12n }, removed: false },
    ])
    await chain.advance(1800)
    expect(await reader.getLogs(pending)).toEqual([])
    const { hash: blockHash } = await reader.getBlock()
    expect(await reader.getLogs({ event, blockHash })).toMatchObject([
      { args: { by: BOB, value: 12n }, blockHash },
    ])
  })
})

describe('filters and watchers', () => {
  async function watched() {
    const connection = await startRecorded()
    const counter = { address: await deploy(connection, Counter), abi: Counter.abi } as const
    const increment = () =>
      connection.wallet.writeContract({ ...counter, account: ALICE, functionName: 'increment' })
    return { ...connection, counter, increment }
  }

  test('filters return what is new since the last poll', async () => {
    const { chain, reader, counter, increment } = await watched()
    const events = await reader.createContractEventFilter({ ...counter, eventName: 'Incremented' })
    const blocks = await reader.createBlockFilter()
    const transactions = await reader.createPendingTransactionFilter()
    const hash = await increment()
    expect(await reader.getFilterChanges({ filter: transactions })).toEqual([hash])
    expect(await reader.getFilterChanges({ filter: events })).toEqual([])
    await chain.advance(2000)
    expect(await reader.getFilterChanges({ filter: events })).toMatchObject([
      { args: { by: ALICE, value: 1n } },
    ])
    expect(await reader.getFilterChanges({ filter: events })).toEqual([])
    const block = await reader.getBlock()
    expect(await reader.getFilterChanges({ filter: blocks })).toEqual([block.hash])
    expect(await reader.getFilterLogs({ filter: events })).toHaveLength(1)
    expect(await reader.uninstallFilter({ filter: blocks })).toBe(true)
  })

  test('watchers see every event and every block', async () => {
    const { chain, reader, counter, increment, methods } = await watched()
    const values: (bigint | undefined)[] = []
    const numbers: bigint[] = []
    const unwatchers = [
      reader.watchContractEvent({
        ...counter,
        eventName: 'Incremented',
        onLogs: (logs) => values.push(...logs.map(({ args }) => args.value)),
      }),
      reader.watchBlockNumber({
        emitOnBegin: true,
        emitMissed: true,
        onBlockNumber: (number) => numbers.push(number),
      }),
    ]
    try {
      await vi.waitFor(() => expect(methods).toContain('eth_getFilterChanges'), POLLING)
      await vi.waitFor(() => expect(numbers).toEqual([1n]), POLLING)
      for (let block = 0; block < 3; block++) {
        await increment()
        await chain.advance(2000)
      }
      await vi.waitFor(() => expect(values).toEqual([1n, 2n, 3n]), POLLING)
      await vi.waitFor(() => expect(numbers).toEqual([1n, 2n, 3n, 4n]), POLLING)
    } finally {
      for (const unwatch of unwatchers) unwatch()
    }
  })
})

describe('over http() with the fetch of the emulator', () => {
  test.each([false, true])('requests are answered, in batches: %s', async (batch) => {
    const connection = await start({ production: 'auto' })
    const address = await deploy(connection, Reverter)
    const transport = http('http://chain.test', { fetchFn: connection.chain.fetch, batch, retryCount: 0 })
    const reader = createPublicClient({ chain: foundry, transport, cacheTime: 0 })
    const answers = await Promise.all([
      reader.getBlockNumber(),
      reader.getChainId(),
      reader.getCode({ address }),
    ])
    expect(answers).toEqual([1n, 31_337, Reverter.deployedBytecode])
    const call = { address, abi: Reverter.abi, functionName: 'revertWithCustomError' } as const
    const { data } = await revertOf(reader.simulateContract({ ...call, args: [7n, 'because'] }))
    expect(data).toMatchObject({ errorName: 'CustomError', args: [7n, 'because'] })
  })
})

describe('a revert', () => {
  async function reverter() {
    const connection = await start({ production: 'auto' })
    const address = await deploy(connection, Reverter)
    return { ...connection, address }
  }

  const calls = [
    ['a string', { functionName: 'revertWithString', args: ['too late'] }, { reason: 'too late' }],
    [
      'a custom error',
      { functionName: 'revertWithCustomError', args: [7n, 'because'] },
      { data: { errorName: 'CustomError', args: [7n, 'because'] } },
    ],
    // Solidity: panic 0x12 is a division by zero, 0x01 a failed assertion.
    [
      'a division by zero',
      { functionName: 'divide', args: [1n, 0n] },
      { data: { errorName: 'Panic', args: [18n] } },
    ],
    ['a failed assertion', { functionName: 'panicAssert' }, { data: { errorName: 'Panic', args: [1n] } }],
    ['nothing', { functionName: 'revertEmpty' }, { raw: '0x', data: undefined }],
  ] as const

  test.each(calls)('with %s is decoded, however the contract is called', async (_, call, expected) => {
    const { reader, wallet, address } = await reverter()
    const request = { address, abi: Reverter.abi, account: ALICE, ...call } as const
    const local = { ...request, account: privateKeyToAccount(BOB_KEY) }
    // Reverter has no view function, but viem accepts reads of a loosely typed ABI.
    const loose = { ...request, abi: Reverter.abi as Abi }
    const attempts = [
      () => reader.simulateContract(request),
      () => reader.estimateContractGas(request),
      () => wallet.writeContract(request),
      () => wallet.writeContract(local),
      () => reader.readContract(loose),
    ]
    for (const attempt of attempts) expect(await revertOf(attempt())).toMatchObject(expected)
  })

  test('of the counter below zero is an arithmetic panic', async () => {
    const connection = await start({ production: 'auto' })
    const address = await deploy(connection, Counter)
    const call = { address, abi: Counter.abi, functionName: 'decrement', account: ALICE } as const
    const { data } = await revertOf(connection.reader.simulateContract(call))
    expect(data).toMatchObject({ errorName: 'Panic', args: [0x11n] })
  })

  test('makes estimateGas fail with the reason', async () => {
    const { reader, address } = await reverter()
    const data = encodeFunctionData({ abi: Reverter.abi, functionName: 'writeThenRevert', args: [1n] })
    const error = await rejection(reader.estimateGas({ account: ALICE, to: address, data }))
    expect(error.details).toBe('execution reverted: written')
    expect(error.shortMessage).toBe('Execution reverted with reason: written.')
  })
})

describe('reading', () => {
  test('blocks parse, sealed or being built', async () => {
    const { chain, reader, wallet } = await start()
    const genesis = await reader.getBlock()
    expect(genesis).toMatchObject({
      number: 0n,
      timestamp: GENESIS_TIMESTAMP,
      gasLimit: 60_000_000n,
      gasUsed: 0n,
      baseFeePerGas: 1_000_000_000n,
      parentHash: `0x${'00'.repeat(32)}`,
      transactions: [],
    })
    const hash = await wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n })
    await chain.advance(200)
    const pending = await reader.getBlock({ blockTag: 'pending', includeTransactions: true })
    expect(pending).toMatchObject({
      number: 1n,
      timestamp: GENESIS_TIMESTAMP + 2n,
      parentHash: genesis.hash,
      gasUsed: 21_000n,
      baseFeePerGas: BASE_FEE_1,
      transactions: [{ hash, blockNumber: 1n, from: ALICE.toLowerCase(), typeHex: '0x2' }],
    })
    await chain.advance(1800)
    const block = await reader.getBlock({ blockNumber: 1n })
    expect(block).toEqual({ ...pending, transactions: [hash] })
    const { hash: blockHash } = block
    expect(await reader.getBlock({ blockHash })).toEqual(block)
    const types = Object.fromEntries(Object.entries(block).map(([field, value]) => [field, typeof value]))
    expect(types).toMatchObject({
      number: 'bigint',
      timestamp: 'bigint',
      size: 'bigint',
      difficulty: 'bigint',
      blobGasUsed: 'bigint',
      excessBlobGas: 'bigint',
      parentBeaconBlockRoot: 'string',
      withdrawalsRoot: 'string',
    })
  })

  test('missing objects are reported as viem reports them', async () => {
    const { reader } = await start()
    const hash = keccak256('0x')
    await expect(reader.getBlock({ blockNumber: 5n })).rejects.toThrow(BlockNotFoundError)
    await expect(reader.getTransaction({ hash })).rejects.toThrow(TransactionNotFoundError)
    await expect(reader.getTransactionReceipt({ hash })).rejects.toThrow(TransactionReceiptNotFoundError)
    await expect(reader.getBalance({ address: BOB, blockNumber: 5n })).rejects.toThrow(
      ResourceNotFoundRpcError,
    )
    const unknown = { method: 'eth_unheardOf' } as unknown as Parameters<typeof reader.request>[0]
    await expect(reader.request(unknown)).rejects.toThrow(MethodNotFoundRpcError)
  })

  test('a chain with a pre-confirmation time reads pending by default', async () => {
    const chain = await createEmulator()
    const { wallet } = connect(chain)
    const preconfirming = createPublicClient({
      chain: defineChain({ ...foundry, experimental_preconfirmationTime: 200 }),
      transport: custom(chain, { retryCount: 0 }),
    })
    await wallet.sendTransaction({ account: ALICE, to: BOB, value: parseEther('1') })
    await chain.advance(200)
    expect(await preconfirming.getBalance({ address: BOB })).toBe(parseEther('10001'))
    expect(await preconfirming.getBalance({ address: BOB, blockTag: 'latest' })).toBe(parseEther('10000'))
    expect(await preconfirming.getBlock()).toMatchObject({ number: 1n, gasUsed: 21_000n })
  })

  test('fees: history, suggestions and estimates', async () => {
    const { chain, reader, wallet } = await start()
    await wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n })
    await chain.advance(2000)
    const history = await reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })
    expect(history).toMatchObject({
      oldestBlock: 0n,
      // Block 1 used 21,000 of a target of 30,000,000: 875,000,000 × 29,979,000 / 30,000,000 / 8 = 109,298,437.
      baseFeePerGas: [1_000_000_000n, BASE_FEE_1, 765_701_563n],
      gasUsedRatio: [0, 21_000 / 60_000_000],
      reward: [[0n], [parseGwei('1')]],
    })
    // viem's multiplier for the base fee of the latest block is 1.2.
    expect(await reader.estimateFeesPerGas()).toEqual({
      maxPriorityFeePerGas: parseGwei('1'),
      maxFeePerGas: (BASE_FEE_1 * 12n) / 10n + parseGwei('1'),
    })
    expect(await reader.estimateGas({ account: ALICE, to: BOB, value: 1n })).toBe(21_000n)
  })

  test('proofs hold against the state root', async () => {
    const connection = await start({ production: 'auto' })
    const { reader, wallet } = connection
    const address = await deploy(connection, Counter)
    const add = { address, abi: Counter.abi, functionName: 'add', account: ALICE } as const
    await wallet.writeContract({ ...add, args: [300n] })
    const slot: Hex = `0x${'00'.repeat(32)}`
    const proof = await reader.getProof({ address, storageKeys: [slot] })
    const prove = async (key: Hex, nodes: readonly Hex[]) => {
      const value = await verifyMerkleProof(
        hexToBytes(key),
        nodes.map((node) => hexToBytes(node)),
        { useKeyHashing: true },
      )
      return { root: keccak256(nodes[0] as Hex), value: fromRlp(value ?? '0x', 'hex') }
    }
    const { stateRoot } = await reader.getBlock()
    expect(await prove(address, proof.accountProof)).toEqual({
      root: stateRoot,
      // A contract starts with nonce 1 (EIP-161).
      value: ['0x01', '0x', proof.storageHash, keccak256(Counter.deployedBytecode)],
    })
    const [storage] = proof.storageProof
    expect(storage?.value).toBe(300n)
    expect(await prove(slot, storage?.proof ?? [])).toEqual({ root: proof.storageHash, value: '0x012c' })
  })
})

describe('signing with an account of the emulator', () => {
  test('a message verifies, and has the signature that the same key makes elsewhere', async () => {
    const { reader, wallet } = await start()
    const message = 'Grüße aus Block 1'
    const signature = await wallet.signMessage({ account: ALICE, message })
    expect(signature).toBe(await privateKeyToAccount(ALICE_KEY).signMessage({ message }))
    expect(await recoverMessageAddress({ message, signature })).toBe(ALICE)
    // viem verifies on the chain, through a call that deploys its verifier.
    expect(await reader.verifyMessage({ address: ALICE, message, signature })).toBe(true)
    expect(await reader.verifyMessage({ address: BOB, message, signature })).toBe(false)
  })

  test('the example of EIP-712 has the signature that EIP-712 gives', async () => {
    // The private key is keccak256('cow').
    const { reader, wallet } = await start({
      accounts: { privateKeys: ['0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4'] },
    })
    const [cow] = await wallet.getAddresses()
    expect(cow).toBe('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826')
    const typed = {
      domain: {
        name: 'Ether Mail',
        version: '1',
        chainId: 1,
        verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
      },
      types: {
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallet', type: 'address' },
        ],
        Mail: [
          { name: 'from', type: 'Person' },
          { name: 'to', type: 'Person' },
          { name: 'contents', type: 'string' },
        ],
      },
      primaryType: 'Mail',
      message: {
        from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
        to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
        contents: 'Hello, Bob!',
      },
    } as const
    const signature = await wallet.signTypedData({ account: cow as Address, ...typed })
    expect(signature).toBe(
      '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d' +
        '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562' +
        '1c',
    )
    expect(await verifyTypedData({ address: cow as Address, signature, ...typed })).toBe(true)
    expect(await reader.verifyTypedData({ address: cow as Address, signature, ...typed })).toBe(true)
  })
})
