// tickchain/viem: viem's clients over the transport and the chain definition of the package.

import { advanceOnPoll, base, createEmulator, type EmulatorOptions, TickchainError } from 'tickchain'
import { emulatorActions, emulatorChain, emulatorConfig, emulatorTransport } from 'tickchain/viem'
import {
  type Abi,
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  concat,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  multicall3Abi,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainConfig, publicActionsL2 } from 'viem/op-stack'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Counter, Reverter, Token } from './contracts/generated.ts'
import { forbidTimers, record, settle } from './interop/recorded.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const COUNTER = { address: `0x${'c0'.repeat(20)}`, abi: Counter.abi } as const
const REVERTER = { address: `0x${'de'.repeat(20)}`, abi: Reverter.abi } as const

afterEach(() => {
  vi.restoreAllMocks()
})

async function start(options: EmulatorOptions = {}) {
  const alloc = {
    [COUNTER.address]: { nonce: 1, code: Counter.deployedBytecode },
    [REVERTER.address]: { nonce: 1, code: Reverter.deployedBytecode },
  }
  const { chain, methods, calls } = record(await createEmulator({ genesis: { alloc }, ...options }))
  const reader = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
  const wallet = createWalletClient(emulatorConfig(chain))
  const increment = (account: Address = ALICE) =>
    wallet.writeContract({ ...COUNTER, account, functionName: 'increment', gas: 100_000n })
  return { chain, methods, calls, reader, wallet, increment }
}

/** What viem decodes of a revert. */
async function revertOf(promise: Promise<unknown>): Promise<ContractFunctionRevertedError> {
  const error: BaseError = await promise.then(
    () => expect.unreachable('nothing reverted'),
    (reason) => reason,
  )
  const revert = error.walk((it) => it instanceof ContractFunctionRevertedError)
  if (!(revert instanceof ContractFunctionRevertedError)) throw error
  return revert
}

describe('emulatorTransport', () => {
  const custom = { functionName: 'revertWithCustomError', args: [7n, 'because'] } as const

  test('asks once, without a timer, and the revert is decoded', async () => {
    const { reader, methods } = await start()
    forbidTimers()
    const expected = { data: { errorName: 'CustomError', args: [7n, 'because'] } }
    const simulated = reader.simulateContract({ ...REVERTER, ...custom, account: ALICE })
    expect(await revertOf(simulated)).toMatchObject(expected)
    expect(methods).toEqual(['eth_call'])
    // Reverter has no view function, but viem accepts reads of a loosely typed ABI.
    const read = reader.readContract({ ...REVERTER, abi: Reverter.abi as Abi, ...custom })
    expect(await revertOf(read)).toMatchObject(expected)
    expect(methods).toEqual(['eth_call', 'eth_call'])
  })

  test('asks once for what does not exist, and for what fails in a wallet', async () => {
    const { reader, wallet, methods } = await start()
    forbidTimers()
    await expect(reader.request({ method: 'eth_unheardOf' } as never)).rejects.toThrow('does not exist')
    await expect(wallet.writeContract({ ...REVERTER, ...custom, account: ALICE })).rejects.toThrow('because')
    expect(methods.filter((method) => method === 'eth_unheardOf')).toHaveLength(1)
    expect(methods.filter((method) => method === 'eth_sendTransaction').length).toBeLessThan(2)
  })

  test('a client can be made of the transport alone', async () => {
    const { chain } = await start()
    const client = createPublicClient({ transport: emulatorTransport(chain) })
    expect(await client.getChainId()).toBe(31_337)
    expect(client.transport).toMatchObject({ key: 'tickchain', retryCount: 0 })
  })
})

describe('emulatorChain', () => {
  test('has the id and the times of the emulator', async () => {
    const chain = await createEmulator({ chainId: 8453, blockTimeMs: 1000, partialBlockTimeMs: 250 })
    const definition = emulatorChain(chain)
    expect(definition).toMatchObject({ id: 8453, blockTime: 1000 })
    expect(definition.experimental_preconfirmationTime).toBeUndefined()
    expect(emulatorChain(chain, { reads: 'pending' })).toMatchObject({
      experimental_preconfirmationTime: 250,
    })
  })

  test('of a rollup has what the actions for a layer 2 call', async () => {
    const chain = await createEmulator(base({ production: 'auto' }))
    await chain.mine()
    const client = createPublicClient(emulatorConfig(chain)).extend(publicActionsL2())
    expect(client.chain.sourceId).toBe(1)
    expect(await client.getL1BaseFee()).toBe(10n ** 9n)
    expect(await client.multicall({ contracts: [] })).toEqual([])
    expect((await client.getCode({ address: client.chain.contracts!.multicall3!.address }))?.length).toBe(
      7618,
    )
    for (const [name, { address }] of Object.entries(chainConfig.contracts)) {
      expect(client.chain.contracts?.[name]).toEqual({ address: address.toLowerCase() })
    }
  })

  test('has the chain id that is in force, and clients sign for it', async () => {
    const chain = await createEmulator()
    const account = privateKeyToAccount(ALICE_KEY)
    const wallet = createWalletClient({ account, ...emulatorConfig(chain) })
    await chain.setChainId(10)
    expect(wallet.chain.id).toBe(10)
    const hash = await wallet.sendTransaction({ to: BOB, value: 1n })
    expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({ chainId: '0xa' })
    expect({ ...emulatorChain(chain) }.id).toBe(10)
  })

  test('with pending reads a client sees what is pre-confirmed', async () => {
    const { chain, wallet } = await start()
    const eager = createPublicClient(emulatorConfig(chain, { reads: 'pending' }))
    const patient = createPublicClient(emulatorConfig(chain))
    await wallet.sendTransaction({ account: ALICE, to: BOB, value: parseEther('1') })
    await chain.advance(200)
    expect(await eager.getBalance({ address: BOB })).toBe(parseEther('10001'))
    expect(await patient.getBalance({ address: BOB })).toBe(parseEther('10000'))
  })

  test('with pending reads, those too for which viem has latest on every client', async () => {
    const { chain, increment } = await start()
    const config = emulatorConfig(chain, { reads: 'pending' })
    const plain = createPublicClient(config)
    const reader = createPublicClient(config).extend(emulatorActions(chain))
    const wallet = createWalletClient({ ...config, account: BOB })
    const deployed = getContractAddress({ from: BOB, nonce: 0n })
    await wallet.deployContract({ abi: Counter.abi, bytecode: Counter.bytecode, gas: 1_000_000n })
    await increment()
    await chain.advance(200)
    // viem leaves the range out.
    const range = { address: COUNTER.address, abi: Counter.abi, eventName: 'Incremented' } as const
    for (const client of [plain, reader]) {
      expect(await client.getContractEvents(range)).toMatchObject([{ blockNumber: 1n, args: { value: 1n } }])
      expect(await client.getLogs({ fromBlock: 0n })).toHaveLength(1)
      expect(await client.getLogs({ toBlock: 'latest' })).toEqual([])
    }
    const of = { address: deployed, slot: '0x0' } as const
    const proven = { address: COUNTER.address, storageKeys: [`0x${'0'.repeat(64)}` as Hex] }
    expect((await reader.getCode(of))?.length).toBe(Counter.deployedBytecode.length)
    expect(await reader.getCode({ ...of, blockTag: 'latest' })).toBeUndefined()
    expect(await reader.getCode({ ...of, blockNumber: 0n })).toBeUndefined()
    expect(BigInt((await reader.getStorageAt({ ...COUNTER, slot: '0x0' })) ?? 0)).toBe(1n)
    expect(await reader.getTransactionCount({ address: ALICE })).toBe(1)
    expect(await reader.getTransactionCount({ address: ALICE, blockTag: 'latest' })).toBe(0)
    expect((await reader.getProof(proven)).storageProof).toMatchObject([{ value: 1n }])
    expect(await reader.getBlockTransactionCount()).toBe(2)
    expect((await reader.getFeeHistory({ blockCount: 1, rewardPercentiles: [] })).oldestBlock).toBe(1n)
    const data = encodeFunctionData({ abi: Counter.abi, functionName: 'count' })
    expect((await reader.createAccessList({ to: deployed, data })).accessList).toHaveLength(1)
    // Without the actions they read sealed blocks.
    expect(await plain.getCode(of)).toBeUndefined()
    expect(await plain.getCode({ ...of, blockTag: 'pending' })).toBeDefined()
  })
})

describe('emulatorConfig', () => {
  test('nothing is remembered: a block number is asked for anew', async () => {
    const { chain, reader } = await start()
    expect(await reader.getBlockNumber()).toBe(0n)
    await chain.advance(2000)
    expect(await reader.getBlockNumber()).toBe(1n)
  })
})

describe('what is no option, and no chain', () => {
  test('is refused with the value', async () => {
    const { chain } = await start()
    const codeAndMessage = (use: () => unknown): unknown => {
      try {
        return use()
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(TickchainError)
        const { code, message } = thrown as TickchainError
        return [code, message]
      }
    }
    const options = [{ read: 'pending' }, { reads: 'pendng' }, { reads: 5 }, 5, null, { reads: null }]
    for (const use of [emulatorConfig, emulatorChain, emulatorTransport])
      expect(options.map((each) => codeAndMessage(() => use(chain, each as never)))).toEqual([
        [-32602, 'invalid option read: unknown field, did you mean reads?'],
        [
          -32602,
          'invalid option reads: expected one of pending, latest, got "pendng", did you mean pending?',
        ],
        [-32602, 'invalid option reads: expected one of pending, latest, got 5'],
        [-32602, 'invalid option options: expected an object, got 5'],
        [-32602, 'invalid option options: expected an object, got null'],
        [-32602, 'invalid option reads: expected one of pending, latest, got null'],
      ])
    expect(codeAndMessage(() => emulatorActions(undefined as never))).toEqual([
      -32602,
      'invalid call emulatorActions: expected an emulator, which await createEmulator() gives, got nothing',
    ])
    for (const client of [undefined, chain])
      expect(() => emulatorActions(chain)(client as never)).toThrow(
        `invalid call emulatorActions: expected a client of viem, got ${client === undefined ? 'nothing' : 'an object'}`,
      )
    const pending = createPublicClient(emulatorConfig(chain, { reads: 'pending' }))
    for (const given of [undefined, {}, { onBlock: 5 }])
      expect(() => pending.extend(emulatorActions(chain)).watchBlocks(given as never)).toThrow(
        'invalid call watchBlocks: expected a function onBlock, got',
      )
    expect(() => advanceOnPoll(chain, { ms: 0 })).toThrow('ms: expected')
  })
})

test('a wait for what is no transaction is refused with the value', async () => {
  const chain = await createEmulator()
  const client = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
  const hash = `0x${'11'.repeat(32)}`
  const given = [undefined, {}, { hash: '0x12' }, { hash, confirmations: '2' }, { hash, confirmations: 1n }]
  const all = [...given, { hash, timeout: -1 }, { hash, timeout: Number.NaN }, { hash, timeout: '1 s' }]
  const messages = all.map((each) =>
    client.waitForTransactionReceipt(each as never).catch(({ code, message }) => [code, message]),
  )
  const call = 'invalid call waitForTransactionReceipt:'
  expect(await Promise.all(messages)).toEqual([
    [-32602, `${call} hash: expected a hash of 32 bytes, got nothing`],
    [-32602, `${call} hash: expected a hash of 32 bytes, got nothing`],
    [-32602, `${call} hash: expected a hash of 32 bytes, got "0x12" (1 byte)`],
    [-32602, `${call} confirmations: expected a whole number from 0 to 9007199254740991, got "2"`],
    [-32602, `${call} confirmations: expected a whole number from 0 to 9007199254740991, got 1n`],
    [-32602, `${call} expected a timeout in milliseconds, from 0, got -1`],
    [-32602, `${call} expected a timeout in milliseconds, from 0, got NaN`],
    [-32602, `${call} expected a timeout in milliseconds, from 0, got "1 s"`],
  ])
})

describe('watching, as the clock moves', () => {
  test('contract events arrive before the call that moves the clock resolves', async () => {
    const { chain, methods, reader, increment } = await start()
    forbidTimers()
    const values: unknown[] = []
    const unwatch = reader.watchContractEvent({
      ...COUNTER,
      eventName: 'Incremented',
      args: { by: ALICE },
      onLogs: (logs) => values.push(...logs.map(({ args, blockNumber }) => [blockNumber, args.value])),
    })
    await increment()
    await increment(BOB)
    await chain.advance(2000)
    expect(values).toEqual([[1n, 1n]])
    await increment()
    await chain.advance(2000)
    expect(values).toEqual([
      [1n, 1n],
      [2n, 3n],
    ])
    unwatch()
    await increment()
    await chain.advance(2000)
    expect(values).toHaveLength(2)
    expect(methods).not.toContain('eth_getFilterChanges')
  })

  test.each(['pending', 'latest'] as const)('logs of contracts with reads: %s', async (reads) => {
    const { chain, increment } = await start()
    const reader = createPublicClient(emulatorConfig(chain, { reads }))
    const seen: string[] = []
    const unwatchers = [
      reader.watchContractEvent({ ...COUNTER, onLogs: (logs) => seen.push(`contract ${logs.length}`) }),
      reader.watchEvent({ address: COUNTER.address, onLogs: (logs) => seen.push(`any ${logs.length}`) }),
      reader.watchEvent({ address: BOB, onLogs: () => seen.push('of another address') }),
    ]
    await increment()
    await chain.closePartial()
    const heard = ['contract 1', 'any 1']
    expect(seen).toEqual(reads === 'pending' ? heard : [])
    await chain.seal()
    expect(seen).toEqual(heard)
    for (const unwatch of unwatchers) unwatch()
  })

  test('with reads: pending and the actions, blocks are told after each partial block', async () => {
    const { chain, increment } = await start()
    const settings = emulatorConfig(chain, { reads: 'pending' })
    const reader = createPublicClient(settings).extend(emulatorActions(chain))
    const [short, full]: [unknown[], unknown[]] = [[], []]
    const unwatchers = [
      reader.watchBlocks({
        onBlock: ({ number, transactions }, before) =>
          short.push([number, transactions, before?.transactions.length]),
      }),
      reader.watchBlocks({
        includeTransactions: true,
        onBlock: ({ transactions }) => full.push(transactions.map(({ from }) => from.toLowerCase())),
      }),
    ]
    const hash = await increment()
    await chain.closePartial()
    const other = await increment(BOB)
    await chain.closePartial()
    expect(short).toEqual([
      [1n, [hash], undefined],
      [1n, [hash, other], 1],
    ])
    expect(full).toEqual([[ALICE.toLowerCase()], [ALICE.toLowerCase(), BOB.toLowerCase()]])
    for (const unwatch of unwatchers) unwatch()
    await chain.seal()
    expect(short).toHaveLength(2)
  })

  test('logs that a reorganisation takes back are told as removed', async () => {
    const { chain, reader, increment } = await start()
    const seen: unknown[] = []
    const unwatch = reader.watchContractEvent({
      ...COUNTER,
      onLogs: (logs) => seen.push(...logs.map(({ blockNumber, removed }) => [blockNumber, removed])),
    })
    await increment()
    await chain.advance(2000)
    await chain.reorg({ depth: 1 })
    unwatch()
    expect(seen).toEqual([
      [1n, false],
      [1n, true],
    ])
  })

  test('block numbers, blocks and pending transactions', async () => {
    const { chain, methods, reader, increment } = await start()
    forbidTimers()
    const numbers: bigint[] = []
    const blocks: unknown[] = []
    const hashes: Hex[] = []
    const unwatchers = [
      reader.watchBlockNumber({ onBlockNumber: (number) => numbers.push(number) }),
      reader.watchBlocks({ onBlock: ({ number, transactions }) => blocks.push([number, transactions]) }),
      reader.watchPendingTransactions({ onTransactions: (transactions) => hashes.push(...transactions) }),
    ]
    const hash = await increment()
    expect(hashes).toEqual([hash])
    await chain.advance(4000)
    expect(numbers).toEqual([1n, 2n])
    expect(blocks).toEqual([
      [1n, [hash]],
      [2n, []],
    ])
    for (const unwatch of unwatchers) unwatch()
    await chain.advance(2000)
    expect([numbers.length, blocks.length]).toEqual([2, 2])
    expect(methods).not.toContain('eth_blockNumber')
  })

  test.each(['advance', 'seal', 'jump'] as const)(
    'blocks are there when %s resolves, of a plain client, too',
    async (move) => {
      const { chain } = await start()
      const reader = createPublicClient(emulatorConfig(chain))
      const blocks: (bigint | null)[] = []
      const unwatch = reader.watchBlocks({
        includeTransactions: true,
        onBlock: ({ number }) => blocks.push(number),
      })
      await chain[move](6000)
      expect(blocks).toEqual(move === 'advance' ? [1n, 2n, 3n] : [1n])
      unwatch()
    },
  )

  test('a subscription that is refused is told to onError', async () => {
    const { chain, reader } = await start()
    chain.dispose()
    const onError = vi.fn()
    reader.watchBlockNumber({ onBlockNumber: () => undefined, onError })
    await settle()
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 4900 }))
  })
})

describe('emulatorActions: waiting for a receipt', () => {
  test('ends with the partial block that brings it, without a timer', async () => {
    const { chain, reader, increment } = await start()
    forbidTimers()
    const waiting = reader.waitForTransactionReceipt({ hash: await increment() })
    await settle()
    await chain.advance(200)
    expect(await waiting).toMatchObject({ status: 'success', blockNumber: 1n })
    expect(chain.now).toBe(1_704_067_200_200)
  })

  test('ends whenever the clock moves after it began', { tags: 'gate' }, async () => {
    for (let microtasks = 0; microtasks < 60; microtasks++) {
      const { chain, reader, increment } = await start()
      const waiting = reader.waitForTransactionReceipt({ hash: await increment() })
      for (let turn = 0; turn < microtasks; turn++) await Promise.resolve()
      await chain.advance(2000)
      expect(await waiting).toMatchObject({ status: 'success' })
    }
  })

  test('ends with the confirmations that are asked for', async () => {
    const { chain, reader, increment } = await start()
    forbidTimers()
    const hash = await increment()
    let isOver = false
    const waiting = reader.waitForTransactionReceipt({ hash, confirmations: 3 }).finally(() => {
      isOver = true
    })
    await chain.advance(4000)
    await settle()
    expect(isOver).toBe(false)
    await chain.advance(2000)
    expect(await waiting).toMatchObject({ blockNumber: 1n })
  })

  test('ends with what replaced the transaction', async () => {
    const { chain, reader, wallet } = await start()
    forbidTimers()
    const send = (gasPrice: bigint) =>
      wallet.sendTransaction({ account: ALICE, to: BOB, value: 1n, nonce: 0, gas: 21_000n, gasPrice })
    const onReplaced = vi.fn()
    const waiting = reader.waitForTransactionReceipt({ hash: await send(10n ** 10n), onReplaced })
    await settle()
    const transactionHash = await send(2n * 10n ** 10n)
    await chain.advance(2000)
    expect(await waiting).toMatchObject({ transactionHash, status: 'success' })
    expect(onReplaced).toHaveBeenCalledWith(expect.objectContaining({ reason: 'repriced' }))
  })

  test.each([200, 4000, 20_000])('ends with it also when %d ms pass at once', async (ms) => {
    const { chain, reader, wallet } = await start()
    forbidTimers()
    const send = (value: bigint, gasPrice: bigint) =>
      wallet.sendTransaction({ account: ALICE, to: BOB, value, nonce: 0, gas: 21_000n, gasPrice })
    const onReplaced = vi.fn()
    const waiting = reader.waitForTransactionReceipt({ hash: await send(1n, 10n ** 10n), onReplaced })
    await settle()
    const transactionHash = await send(2n, 2n * 10n ** 10n)
    await chain.advance(ms)
    expect(await waiting).toMatchObject({ transactionHash, status: 'success', blockNumber: 1n })
    expect(onReplaced).toHaveBeenCalledWith(expect.objectContaining({ reason: 'replaced' }))
  })

  test('a wait on an emulator that has ended is refused', async () => {
    const { chain, reader, increment } = await start()
    const hash = await increment()
    chain.dispose()
    await expect(reader.waitForTransactionReceipt({ hash })).rejects.toThrow('disposed')
  })
})

describe('predeploys', () => {
  test('Multicall3 answers several reads in one call', async () => {
    const { reader, wallet, chain, methods } = await start({ predeploys: ['multicall3'] })
    const supply = 10n ** 18n
    await wallet.deployContract({ account: BOB, abi: Token.abi, bytecode: Token.bytecode, args: [supply] })
    await chain.advance(2000)
    const token = { address: getContractAddress({ from: BOB, nonce: 0n }), abi: erc20Abi } as const
    const multicall3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11', abi: multicall3Abi } as const
    methods.length = 0
    const results = await reader.multicall({
      contracts: [
        { ...token, functionName: 'totalSupply' },
        { ...token, functionName: 'balanceOf', args: [BOB] },
        { ...REVERTER, functionName: 'revertWithString', args: ['no'] },
        { ...multicall3, functionName: 'getEthBalance', args: [ALICE] },
        { ...multicall3, functionName: 'getCurrentBlockTimestamp' },
      ],
    })
    expect(methods).toEqual(['eth_call'])
    expect(results.map(({ result }) => result)).toEqual([
      supply,
      supply,
      undefined,
      parseEther('10000'),
      1_704_067_202n,
    ])
    expect(results[2]?.error?.message).toContain('no')
  })

  test('Multicall3 is the one that viem sends along with a call without a deployment', async () => {
    const { reader, calls } = await start({ predeploys: ['multicall3'] })
    const contracts = [{ ...COUNTER, functionName: 'count' }] as const
    expect(await reader.multicall({ contracts, deployless: true })).toEqual([
      { result: 0n, status: 'success' },
    ])
    const [call] = calls as unknown as [{ params: [{ data: Hex }] }]
    const code = await reader.getCode({ address: '0xcA11bde05977b3631167028862bE2a173976CA11' })
    expect(call.params[0].data).toContain(code?.slice(2))
  })

  test('the CREATE2 proxy deploys where EIP-1014 says', async () => {
    const { reader, wallet, chain } = await start({ predeploys: ['create2'] })
    const proxy = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
    // What chains have there, by its hash.
    expect(keccak256((await reader.getCode({ address: proxy })) ?? '0x')).toBe(
      '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
    )
    const salt: Hex = `0x${'5a'.repeat(32)}`
    const bytecode = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [7n] })
    await wallet.sendTransaction({ account: ALICE, to: proxy, data: concat([salt, bytecode]) })
    await chain.advance(2000)
    const address = getCreate2Address({ from: proxy, salt, bytecode })
    const read = { address, abi: erc20Abi } as const
    expect(await reader.readContract({ ...read, functionName: 'totalSupply' })).toBe(7n)
    expect(await reader.readContract({ ...read, functionName: 'balanceOf', args: [proxy] })).toBe(7n)
  })

  test('none is there unless it is asked for, and the allocation wins', async () => {
    const address = '0xcA11bde05977b3631167028862bE2a173976CA11'
    const { reader } = await start()
    expect(await reader.getCode({ address })).toBeUndefined()
    const alloc = { [address]: { code: '0x00' } } as const
    const own = await start({ predeploys: ['multicall3', 'create2'], genesis: { alloc } })
    expect(await own.reader.getCode({ address })).toBe('0x00')
  })

  test.each([['multicall3'], [['multicall2']], [[1]]])('%j is refused', async (predeploys) => {
    await expect(createEmulator({ predeploys } as never)).rejects.toMatchObject({ kind: 'invalidOption' })
  })
})

describe('calls without a deployment', () => {
  const count = encodeFunctionData({ abi: Counter.abi, functionName: 'count' })

  test('by code', async () => {
    const { reader } = await start()
    const { data } = await reader.call({ code: Counter.bytecode, data: count })
    expect(BigInt(data ?? '0x1')).toBe(0n)
  })

  test('by factory', async () => {
    const { reader } = await start({ predeploys: ['create2'] })
    const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
    const salt: Hex = `0x${'00'.repeat(32)}`
    const to = getCreate2Address({ from: factory, salt, bytecode: Counter.bytecode })
    const factoryData = concat([salt, Counter.bytecode])
    const { data } = await reader.call({ to, data: count, factory, factoryData })
    expect(BigInt(data ?? '0x1')).toBe(0n)
    expect(await reader.getCode({ address: to })).toBeUndefined()
  })
})

describe('simulation (eth_simulateV1)', () => {
  const add = (amount: bigint) =>
    encodeFunctionData({ abi: Counter.abi, functionName: 'add', args: [amount] })

  test('calls see what those before them did, and the chain does not', async () => {
    const { reader } = await start()
    const { results } = await reader.simulateCalls({
      account: ALICE,
      calls: [
        { to: COUNTER.address, data: add(41n) },
        { to: COUNTER.address, abi: Counter.abi, functionName: 'increment' },
        { to: COUNTER.address, abi: Counter.abi, functionName: 'count' },
        { to: REVERTER.address, abi: Reverter.abi, functionName: 'revertWithString', args: ['no'] },
      ],
    })
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'failure'])
    expect(results[2]?.result).toBe(42n)
    expect(results[3]?.error?.message).toContain('no')
    expect(results[1]?.logs).toMatchObject([{ address: COUNTER.address }])
    expect(await reader.readContract({ ...COUNTER, functionName: 'count' })).toBe(0n)
  })

  test('blocks come one after another, with overrides', async () => {
    const { reader } = await start()
    const poor = `0x${'ee'.repeat(20)}` as const
    const blocks = await reader
      .simulateBlocks({
        blocks: [
          {
            blockOverrides: { number: 5n },
            stateOverrides: [{ address: poor, balance: parseEther('2') }],
            calls: [{ account: poor, to: BOB, value: parseEther('1') }],
          },
          { calls: [{ account: poor, to: BOB, value: parseEther('2') }] },
        ],
      })
      .catch((error) => error)
    // The second call has but one ether left.
    expect(String(blocks)).toContain('insufficient funds')
    const [first, second] = await reader.simulateBlocks({
      blocks: [
        { blockOverrides: { number: 1n }, calls: [{ account: ALICE, to: COUNTER.address, data: add(1n) }] },
        { calls: [{ account: ALICE, ...COUNTER, to: COUNTER.address, functionName: 'count' }] },
      ],
    })
    expect([first?.number, second?.number]).toEqual([1n, 2n])
    expect(second?.parentHash).toBe(first?.hash)
    expect(second?.calls[0]).toMatchObject({ status: 'success', result: 1n })
  })

  test('what assets change is traced', async () => {
    const { reader } = await start()
    const { assetChanges } = await reader.simulateCalls({
      account: ALICE,
      calls: [{ to: BOB, value: parseEther('1') }],
      traceAssetChanges: true,
    })
    expect(assetChanges).toMatchObject([{ token: { symbol: 'ETH' }, value: { diff: -parseEther('1') } }])
  })
})

test('a proof has the account and the slots that are asked for', async () => {
  const { chain, reader, increment } = await start()
  await increment()
  await chain.advance(2000)
  const slot: Hex = `0x${'00'.repeat(32)}`
  const proof = await reader.getProof({ address: COUNTER.address, storageKeys: [slot] })
  expect(proof).toMatchObject({ balance: 0n, nonce: 1, codeHash: keccak256(Counter.deployedBytecode) })
  expect(proof.storageProof).toMatchObject([{ value: 1n }])
  // A proof begins with the root's node, whose hash the block has.
  const { stateRoot } = await reader.getBlock()
  expect(keccak256(proof.accountProof[0] ?? '0x')).toBe(stateRoot)
})
