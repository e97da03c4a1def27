// console.log calls as events and in transaction outcomes; reverts decoded with registered ABIs.

import { BrowserProvider, Contract, Interface, isCallException } from 'ethers'
import {
  createEmulator,
  type Emulator,
  type EmulatorEvents,
  type EmulatorOptions,
  TickchainError,
} from 'tickchain'
import {
  type Abi,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  custom,
  decodeFunctionResult,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { Console, Constructed, Errors, Reverter } from '../../contracts/generated.ts'
import { ALICE, BOB } from '../rpc/scene.ts'

type ConsoleEvent = EmulatorEvents['consoleLog']

const CONSOLE: Hex = `0x${'c0'.repeat(20)}`
const OTHER: Hex = `0x${'c1'.repeat(20)}`
const ERRORS: Hex = `0x${'e0'.repeat(20)}`
const REVERTER: Hex = `0x${'de'.repeat(20)}`
/** Of hardhat's console.sol. */
const CONSOLE_LOG: Hex = '0x000000000000000000636f6e736f6c652e6c6f67'

const alloc = {
  [CONSOLE]: { nonce: 1, code: Console.deployedBytecode },
  [OTHER]: { nonce: 1, code: Console.deployedBytecode },
  [ERRORS]: { nonce: 1, code: Errors.deployedBytecode },
  [REVERTER]: { nonce: 1, code: Reverter.deployedBytecode },
}

interface Scene {
  readonly chain: Emulator
  readonly heard: ConsoleEvent[]
  readonly call: (to: Hex, data: Hex) => Promise<unknown>
  /** With a gas limit, so that nothing is estimated. */
  readonly send: (to: Hex, data: Hex) => Promise<Hex>
}

function over(chain: Emulator): Scene {
  const heard: ConsoleEvent[] = []
  chain.on('consoleLog', (log) => heard.push(log))
  return {
    chain,
    heard,
    call: (to, data) => chain.request('eth_call', [{ from: ALICE, to, data }, 'latest']),
    send: async (to, data) =>
      (await chain.request('eth_sendTransaction', [{ from: ALICE, to, data, gas: '0x100000' }])) as Hex,
  }
}

async function start(options: EmulatorOptions = {}): Promise<Scene> {
  return over(await createEmulator({ genesis: { alloc }, ...options }))
}

const say = (functionName: 'say' | 'sayAndRevert' | 'sayInRevertedCall' | 'sayInView', text: string): Hex =>
  encodeFunctionData({ abi: Console.abi, functionName, args: [text] })

async function failureOf(promise: Promise<unknown>): Promise<TickchainError> {
  const error: unknown = await promise.then(
    () => 'nothing failed',
    (reason) => reason,
  )
  if (!(error instanceof TickchainError)) throw error
  return error
}

const messagesOf = (logs: readonly { readonly message: string }[]): string[] =>
  logs.map(({ message }) => message)

describe('console.log', () => {
  test('of a transaction is emitted when it is pre-confirmed, and stays in its outcome', async () => {
    const { chain, heard, send } = await start()
    const hash = await send(CONSOLE, say('say', 'hello'))
    expect(heard).toEqual([])
    expect(await chain.outcome(hash)).toBeUndefined()
    await chain.advance(200)
    const log = { message: 'hello', args: ['hello'], from: CONSOLE }
    expect(heard).toEqual([{ ...log, origin: 'transaction', transactionHash: hash, blockNumber: 1 }])
    expect(await chain.outcome(hash)).toMatchObject({ status: 'success', blockNumber: 1, consoleLogs: [log] })
    await chain.advance(1800)
    expect(heard).toHaveLength(1)
    expect((await chain.outcome(hash))?.consoleLogs).toEqual([log])
  })

  test('is emitted before the partial block, and is not among its logs', async () => {
    const { chain, send } = await start()
    const order: string[] = []
    for (const name of ['consoleLog', 'partialBlock', 'sealedBlock'] as const) {
      chain.on(name, () => order.push(name))
    }
    const hash = await send(CONSOLE, say('say', 'a'))
    await send(CONSOLE, say('say', 'b'))
    await chain.seal()
    expect(order).toEqual(['consoleLog', 'consoleLog', 'partialBlock', 'sealedBlock'])
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({ logs: [], status: '0x1' })
    expect(JSON.stringify(receipt)).not.toContain('console')
  })

  test('is emitted once in auto production, and once for each call and estimate', async () => {
    const { chain, heard, call, send } = await start({ production: 'auto' })
    const data = say('say', 'x')
    const hash = await send(CONSOLE, data)
    expect(heard.map(({ origin }) => origin)).toEqual(['transaction'])
    await call(CONSOLE, data)
    await chain.request('eth_estimateGas', [{ from: ALICE, to: CONSOLE, data }])
    await chain.request('eth_simulateV1', [{ blockStateCalls: [{ calls: [{ to: CONSOLE, input: data }] }] }])
    expect(heard.slice(1)).toEqual(
      (
        [
          ['call', 1],
          ['estimate', 2],
          ['simulation', 2],
        ] as const
      ).map(([origin, blockNumber]) => ({
        ...{ message: 'x', args: ['x'], from: CONSOLE },
        ...{ origin, blockNumber, transactionHash: undefined },
      })),
    )
    // Without a gas limit there is an estimate before it, which would only say the same.
    await chain.request('eth_sendTransaction', [{ from: ALICE, to: CONSOLE, data }])
    expect(heard.slice(4).map(({ origin }) => origin)).toEqual(['transaction'])
    expect(hash).not.toBe(heard[4]?.transactionHash)
  })

  test('is emitted for a transaction that is not sent because its estimate fails', async () => {
    const { chain, heard } = await start()
    const request = { from: ALICE, to: CONSOLE, data: say('sayAndRevert', 'why') }
    const error = await failureOf(chain.request('eth_sendTransaction', [request]))
    expect(error.kind).toBe('reverted')
    expect(heard).toMatchObject([{ message: 'why', origin: 'estimate' }])
  })

  test('is emitted for a view function, and does not change its result', async () => {
    const { heard, call } = await start()
    const answer = (await call(CONSOLE, say('sayInView', 'seen'))) as Hex
    expect(decodeFunctionResult({ abi: Console.abi, functionName: 'sayInView', data: answer })).toBe(0n)
    expect(heard).toMatchObject([{ message: 'seen', origin: 'call', blockNumber: 0 }])
  })

  test('is emitted for reverted frames and reverted transactions', async () => {
    const { chain, heard, send } = await start({ production: 'auto' })
    const inner = await send(CONSOLE, say('sayInRevertedCall', 'inside'))
    expect(messagesOf(heard)).toEqual(['before', 'inside', 'after'])
    expect(messagesOf((await chain.outcome(inner))?.consoleLogs ?? [])).toEqual(['before', 'inside', 'after'])
    const outer = await send(CONSOLE, say('sayAndRevert', 'lost'))
    expect(await chain.outcome(outer)).toMatchObject({ status: 'failed', consoleLogs: [{ message: 'lost' }] })
  })

  test('is emitted for frames that run out of gas', async () => {
    const { chain, send } = await start({ production: 'auto' })
    const data = encodeFunctionData({ abi: Console.abi, functionName: 'sayUntilOutOfGas' })
    const outcome = await chain.outcome(await send(CONSOLE, data))
    expect(outcome).toMatchObject({
      ...{ status: 'failed', failure: 'out of gas', gasUsed: 0x100000n, returnData: '0x' },
      consoleLogs: [{ message: 'begun' }],
    })
    expect(outcome?.revert).toBeUndefined()
  })

  test('of delegated code is of the contract that delegates', async () => {
    const { heard, send } = await start({ production: 'auto' })
    const data = encodeFunctionData({
      ...{ abi: Console.abi, functionName: 'sayInDelegateCall' },
      args: [OTHER, 'borrowed'],
    })
    await send(CONSOLE, data)
    expect(heard).toMatchObject([{ message: 'borrowed', from: CONSOLE }])
  })

  test('of calls to oneself and others stands in the order of execution', async () => {
    const { heard, send } = await start({ production: 'auto' })
    const data = encodeFunctionData({ abi: Console.abi, functionName: 'sayTwiceAround', args: ['x'] })
    await send(CONSOLE, data)
    expect(messagesOf(heard)).toEqual(['x', 'x', 'x'])
  })

  test('of a constructor is of the contract that is made', async () => {
    const { chain, heard, send } = await start({ production: 'auto' })
    const request = { from: ALICE, data: Constructed.bytecode, gas: '0x100000' }
    const hash = (await chain.request('eth_sendTransaction', [request])) as Hex
    const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as { contractAddress: Hex }
    expect(heard).toMatchObject([{ message: 'constructed', from: receipt.contractAddress }])
    await send(CONSOLE, encodeFunctionData({ abi: Console.abi, functionName: 'sayInCreation' }))
    expect(messagesOf(heard)).toEqual(['constructed', 'constructed'])
    expect(heard[1]?.from).not.toBe(CONSOLE)
  })

  test('of a transaction that calls it itself is of the sender', async () => {
    const { heard, send } = await start({ production: 'auto' })
    await send(CONSOLE_LOG, '0x51973ec9')
    await send(CONSOLE_LOG, '0xdeadbeef')
    expect(heard).toMatchObject([
      { message: '', args: [], from: ALICE },
      { message: '0xdeadbeef', args: ['0xdeadbeef'], from: ALICE },
    ])
  })

  test('is emitted again by a reorganisation that executes it again, and not by a dropped pre-confirmation', async () => {
    const { chain, heard, send } = await start()
    const hash = await send(CONSOLE, say('say', 'again'))
    await chain.advance(2000)
    await chain.reorg({ depth: 1, blocks: [[hash]] })
    expect(heard).toMatchObject([
      { message: 'again', transactionHash: hash, blockNumber: 1 },
      { message: 'again', transactionHash: hash, blockNumber: 1 },
    ])
    const transfer = { from: BOB, to: ALICE, value: '0x1' }
    const dropped = (await chain.request('eth_sendTransaction', [transfer])) as Hex
    const kept = await send(CONSOLE, say('say', 'kept'))
    await chain.advance(200)
    heard.length = 0
    await chain.dropPreconfirmed(dropped)
    expect(heard).toEqual([])
    expect((await chain.outcome(kept))?.consoleLogs).toMatchObject([{ message: 'kept' }])
  })

  test('is emitted for imported blocks', async () => {
    const { chain, send } = await start({ production: 'auto' })
    const hash = await send(CONSOLE, say('say', 'foreign'))
    const importer = await start()
    await importer.chain.importBlocks(await chain.exportBlocks())
    expect(importer.heard).toMatchObject([{ message: 'foreign', transactionHash: hash, blockNumber: 1 }])
  })

  test('is part of snapshots and clones', async () => {
    const { chain, heard, send } = await start({ production: 'auto' })
    const before = chain.snapshot()
    const hash = await send(CONSOLE, say('say', 'x'))
    const after = chain.snapshot()
    await chain.revert(before)
    expect(await chain.outcome(hash)).toBeUndefined()
    await chain.revert(after)
    expect((await chain.outcome(hash))?.consoleLogs).toHaveLength(1)
    expect((await chain.clone().outcome(hash))?.consoleLogs).toHaveLength(1)
    expect(heard).toHaveLength(1)
  })
})

describe('a call of console.log costs what a call of an empty account costs', () => {
  const EMPTY: Hex = `0x${'99'.repeat(20)}`

  function measure(target: Hex, data: Hex): Hex {
    return encodeFunctionData({ abi: Console.abi, functionName: 'measure', args: [target, data] })
  }

  async function measured(scene: Scene, target: Hex, data: Hex, value: Hex): Promise<readonly bigint[]> {
    const request = { from: ALICE, to: CONSOLE, data: measure(target, data), value }
    const answer = (await scene.chain.request('eth_call', [request, 'latest'])) as Hex
    return decodeFunctionResult({ abi: Console.abi, functionName: 'measure', data: answer })
  }

  test.each(['0x0', '0x1'] as const)('with %s wei, in every kind of call', async (value) => {
    const scene = await start()
    const data = say('say', 'x')
    const taken = await measured(scene, CONSOLE_LOG, data, value)
    expect(taken).toEqual(await measured(scene, EMPTY, data, value))
    const [cold = 0n, isDone, returned, warm = 0n] = taken
    // EIP-2929: 2600 gas where it was not touched before, and 100 from then on.
    expect(cold).toBeGreaterThan(2600n)
    expect(warm).toBeLessThan(2600n)
    expect([isDone, returned]).toEqual([1n, 0n])
    expect(scene.heard).toHaveLength(5)
  })

  test('and leaves the same state behind', async () => {
    const roots: unknown[] = []
    for (const target of [CONSOLE_LOG, EMPTY]) {
      const { chain, send } = await start({ production: 'auto' })
      await send(CONSOLE, measure(target, say('say', 'x')))
      const accounts = [CONSOLE_LOG, EMPTY].map((it) => chain.request('eth_getProof', [it, [], 'latest']))
      const proofs = (await Promise.all(accounts)) as { balance: Hex; nonce: Hex }[]
      roots.push(proofs.map(({ balance, nonce }) => [balance, nonce]))
    }
    expect(roots[0]).toEqual(roots[1])
  })
})

describe('registered ABIs', () => {
  const revertWith = {
    insufficient: encodeFunctionData({ abi: Errors.abi, functionName: 'insufficient', args: [1n, 2n] }),
    unauthorized: encodeFunctionData({ abi: Errors.abi, functionName: 'unauthorized', args: [BOB, 'a "b"'] }),
    complex: encodeFunctionData({ abi: Errors.abi, functionName: 'complex' }),
    nothing: encodeFunctionData({ abi: Errors.abi, functionName: 'nothing' }),
  }
  const insufficientData = encodeErrorResult({
    ...{ abi: Errors.abi, errorName: 'InsufficientBalance' },
    args: [1n, 2n],
  })

  test.each([
    ['insufficient', 'InsufficientBalance(1, 2)'],
    ['unauthorized', `Unauthorized(${BOB}, "a \\"b\\"")`],
    ['complex', 'Complex((-1, 2), [[1, 2], [3, 4]], 0xc0ffee, 0x12345678, true)'],
    ['nothing', 'Nothing()'],
  ] as const)('name %s in the message of what fails', async (name, written) => {
    const { chain, call } = await start({ abis: [Errors.abi] })
    const data = revertWith[name]
    const failures = [
      await failureOf(call(ERRORS, data)),
      await failureOf(chain.request('eth_estimateGas', [{ to: ERRORS, data }])),
      await failureOf(chain.request('eth_sendTransaction', [{ from: ALICE, to: ERRORS, data }])),
    ]
    const unknown = await start()
    const plain = await failureOf(unknown.call(ERRORS, data))
    expect(plain.message).toBe('execution reverted')
    for (const { kind, code, message, data: bytes } of failures) {
      expect({ kind, code, message }).toEqual({
        ...{ kind: 'reverted', code: 3 },
        message: `execution reverted: ${written}`,
      })
      expect(bytes).toBe(plain.data)
    }
  })

  test('name it in the messages of other emulators', async () => {
    const hardhat = await start({ abis: Errors.abi, flavor: 'hardhat' })
    expect(await failureOf(hardhat.call(ERRORS, revertWith.insufficient))).toMatchObject({
      ...{ code: 3, data: insufficientData },
      message:
        "VM Exception while processing transaction: reverted with custom error 'InsufficientBalance(1, 2)'",
    })
    const ganache = await start({ abis: Errors.abi, flavor: 'ganache' })
    const { message } = await failureOf(ganache.call(ERRORS, revertWith.insufficient))
    expect(message).toBe('VM Exception while processing transaction: revert InsufficientBalance(1, 2)')
  })

  test('decode the outcome of a transaction', async () => {
    const { chain, send } = await start({ production: 'auto' })
    const hash = await send(ERRORS, revertWith.complex)
    const outcome = await chain.outcome(hash)
    expect(outcome).toMatchObject({ status: 'failed', failure: 'execution reverted' })
    expect(outcome?.revert).toEqual({
      name: undefined,
      args: [],
      reason: undefined,
      data: outcome?.returnData,
    })
    chain.registerAbi(Errors.abi)
    expect(await chain.outcome(hash)).toMatchObject({
      failure: 'execution reverted: Complex((-1, 2), [[1, 2], [3, 4]], 0xc0ffee, 0x12345678, true)',
      revert: {
        name: 'Complex',
        args: [
          { x: -1n, y: 2n },
          [
            [1n, 2n],
            [3n, 4n],
          ],
          '0xc0ffee',
          '0x12345678',
          true,
        ],
        reason: 'Complex((-1, 2), [[1, 2], [3, 4]], 0xc0ffee, 0x12345678, true)',
      },
    })
  })

  test('are not needed for Error(string) and Panic(uint256)', async () => {
    const { chain, send } = await start({ production: 'auto' })
    const abi = Reverter.abi
    const outcomeOf = async (data: Hex) => chain.outcome(await send(REVERTER, data))
    const text = await outcomeOf(
      encodeFunctionData({ abi, functionName: 'revertWithString', args: ['because'] }),
    )
    expect(text?.revert).toMatchObject({ name: 'Error', args: ['because'], reason: 'because' })
    expect(text?.failure).toBe('execution reverted: because')
    const panic = await outcomeOf(encodeFunctionData({ abi, functionName: 'divide', args: [1n, 0n] }))
    expect(panic?.revert).toMatchObject({
      name: 'Panic',
      args: [0x12n],
      reason: 'division or modulo by zero',
    })
    const empty = await outcomeOf(encodeFunctionData({ abi, functionName: 'revertEmpty' }))
    expect(empty?.revert).toEqual({ name: undefined, args: [], reason: undefined, data: '0x' })
    const invalid = await outcomeOf(encodeFunctionData({ abi, functionName: 'invalidOpcode' }))
    expect(invalid).toMatchObject({ status: 'failed', failure: 'invalid opcode: INVALID' })
    expect(invalid?.revert).toBeUndefined()
  })

  test('decode no data that only begins like an error', async () => {
    const { call } = await start({ abis: Errors.abi })
    const returnRaw = (data: Hex): Hex =>
      encodeFunctionData({ abi: Errors.abi, functionName: 'returnRaw', args: [data] })
    const selector = insufficientData.slice(0, 10)
    for (const data of [selector, `${selector}${'00'.repeat(63)}`, '0x12', '0x1234567890'] as Hex[]) {
      const error = await failureOf(call(ERRORS, returnRaw(data)))
      expect(error).toMatchObject({ code: 3, message: 'execution reverted', data })
    }
  })

  test('name the error of a simulated call', async () => {
    const { chain } = await start({ abis: Errors.abi })
    const calls = [{ to: ERRORS, input: revertWith.nothing }]
    const [block] = (await chain.request('eth_simulateV1', [
      { blockStateCalls: [{ calls }] },
    ])) as unknown as [{ calls: unknown[] }]
    expect(block.calls).toMatchObject([{ error: { code: 3, message: 'execution reverted: Nothing()' } }])
  })

  test('may come as JSON, from viem, from ethers, as artifacts, one or many', async () => {
    const signatures = ['error InsufficientBalance(uint256 available, uint256 required)'] as const
    const sources = [
      Errors.abi,
      [Errors.abi],
      Errors,
      [Console.abi, Errors],
      JSON.parse(JSON.stringify(Errors.abi)) as Abi,
      parseAbi(signatures),
      JSON.parse(new Interface(signatures).formatJson()) as object[],
    ]
    for (const source of sources) {
      const { chain, call } = await start()
      chain.registerAbi(source)
      const { message } = await failureOf(call(ERRORS, revertWith.insufficient))
      expect(message).toBe('execution reverted: InsufficientBalance(1, 2)')
    }
  })

  test('are inherited by clones, and those of a clone do not reach its original', async () => {
    const { chain } = await start()
    chain.registerAbi(parseAbi(['error Nothing()']))
    const clone = over(chain.clone())
    clone.chain.registerAbi(Errors.abi)
    expect((await failureOf(clone.call(ERRORS, revertWith.nothing))).message).toMatch('Nothing()')
    expect((await failureOf(clone.call(ERRORS, revertWith.insufficient))).message).toMatch('Insufficient')
    const original = over(chain)
    expect((await failureOf(original.call(ERRORS, revertWith.nothing))).message).toMatch('Nothing()')
    const { message } = await failureOf(original.call(ERRORS, revertWith.insufficient))
    expect(message).toBe('execution reverted')
  })

  test('survive a revert, and change no hash', async () => {
    const { chain, call } = await start({ production: 'auto' })
    const before = chain.snapshot()
    const dump = await chain.exportBlocks()
    chain.registerAbi(Errors.abi)
    await chain.revert(before)
    expect(await chain.exportBlocks()).toEqual(dump)
    expect((await failureOf(call(ERRORS, revertWith.nothing))).message).toMatch('Nothing()')
  })

  const strange: readonly unknown[] = [
    ...[undefined, null, 5, 'error A()', ['error A()'], {}, { abi: 'x' }, [null], [5], [[['x']]], [{}]],
    [{ type: 'error', inputs: [] }],
    [{ type: 'error', name: 'A' }],
    [{ type: 'error', name: 'A(', inputs: [] }],
    [{ type: 'error', name: 'A', inputs: [{ name: 'a', type: 'unit256' }] }],
    [{ type: 'error', name: 'A', inputs: [{ name: 'a', type: 'tuple' }] }],
  ]

  test.each(strange.map((value) => [value]))('%j is refused, and nothing has changed', async (value) => {
    const { chain, call } = await start()
    expect(() => chain.registerAbi([Errors.abi, ...[value].flat()] as never)).toThrow(TickchainError)
    expect(() => chain.registerAbi(value as never)).toThrow(/^invalid call registerAbi: abi: expected /)
    expect((await failureOf(call(ERRORS, revertWith.nothing))).message).toBe('execution reverted')
  })
})

describe('clients', () => {
  test('decode by themselves, with and without an ABI registered here', async () => {
    for (const abis of [[], Errors.abi]) {
      const { chain } = await start({ abis })
      const client = createPublicClient({ transport: custom(chain, { retryCount: 0 }) })
      const reading = client.readContract({
        address: ERRORS,
        abi: Errors.abi,
        functionName: 'insufficient',
        args: [1n, 2n],
      })
      const error: BaseError = await reading.then(
        () => expect.unreachable('nothing reverted'),
        (reason) => reason,
      )
      const revert = error.walk((it) => it instanceof ContractFunctionRevertedError)
      expect(revert).toMatchObject({ data: { errorName: 'InsufficientBalance', args: [1n, 2n] } })

      const provider = new BrowserProvider(chain, undefined, { cacheTimeout: -1 })
      const contract = new Contract(ERRORS, Errors.abi as never, provider)
      const thrown: unknown = await contract
        .getFunction('insufficient')
        .staticCall(1n, 2n)
        .catch((reason) => reason)
      provider.destroy()
      if (!isCallException(thrown)) throw thrown
      expect(thrown.revert).toMatchObject({ name: 'InsufficientBalance' })
      expect([...(thrown.revert?.args ?? [])]).toEqual([1n, 2n])
    }
  })
})

describe('tickchain_getTransactionOutcome', () => {
  test('says the same as JSON', async () => {
    const { chain, send } = await start({ production: 'auto', abis: [Console.abi, Errors.abi] })
    const count = toHex(7, { size: 32 }).slice(2)
    const payloads: Hex[] = [`0xf82c50f1${count}`, `0xdeadbeef`]
    const logged = await send(
      CONSOLE,
      encodeFunctionData({ abi: Console.abi, functionName: 'send', args: [payloads] }),
    )
    expect(await chain.request('tickchain_getTransactionOutcome', [logged])).toMatchObject({
      ...{ transactionHash: logged, blockNumber: '0x1', status: '0x1', failure: null, revert: null },
      consoleLogs: [
        { message: '7', args: ['7'], from: CONSOLE },
        { message: '0xdeadbeef', args: ['0xdeadbeef'], from: CONSOLE },
      ],
    })
    const failed = await send(ERRORS, encodeFunctionData({ abi: Errors.abi, functionName: 'complex' }))
    const reason = 'Complex((-1, 2), [[1, 2], [3, 4]], 0xc0ffee, 0x12345678, true)'
    const args = [
      { x: '-1', y: '2' },
      [
        ['1', '2'],
        ['3', '4'],
      ],
      '0xc0ffee',
      '0x12345678',
      true,
    ]
    const outcome = await chain.request('tickchain_getTransactionOutcome', [failed])
    expect(outcome).toMatchObject({
      ...{ blockNumber: '0x2', status: '0x0', failure: `execution reverted: ${reason}` },
      revert: { name: 'Complex', args, reason },
    })
    const { gasUsed } = (await chain.request('eth_getTransactionReceipt', [failed])) as { gasUsed: Hex }
    expect(outcome).toMatchObject({ gasUsed })
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
  })

  test('is null for a transaction in no block', async () => {
    const { chain, send } = await start()
    const hash = await send(CONSOLE, say('say', 'x'))
    expect(await chain.request('tickchain_getTransactionOutcome', [hash])).toBeNull()
    expect(await chain.outcome(`0x${'ab'.repeat(32)}`)).toBeUndefined()
    await expect(chain.outcome('0xab')).rejects.toThrow(
      'invalid call outcome: transactionHash: expected a hash of 32 bytes, got "0xab" (1 byte)',
    )
  })
})

describe('chain.mineDetailed', () => {
  const fails = encodeFunctionData({ abi: Errors.abi, functionName: 'insufficient', args: [1n, 2n] })

  test('returns the blocks that it has sealed, with the outcome of each transaction', async () => {
    const { chain, send } = await start({ production: 'manual', abis: [Errors.abi] })
    const hashes = [await send(CONSOLE, say('say', 'hello')), await send(ERRORS, fails)]
    const blocks = await chain.mineDetailed(3, { timestamp: 1_800_000_000, intervalSeconds: 60 })
    expect(blocks.map(({ number, timestamp }) => [number, timestamp])).toEqual([
      [1, 1_800_000_000],
      [2, 1_800_000_060],
      [3, 1_800_000_120],
    ])
    const [first, ...empty] = blocks
    expect(first?.transactions).toEqual(await Promise.all(hashes.map((hash) => chain.outcome(hash))))
    expect(first?.transactions).toMatchObject([
      { status: 'success', consoleLogs: [{ message: 'hello' }] },
      { status: 'failed', revert: { name: 'InsufficientBalance', args: [1n, 2n] } },
    ])
    for (const { hash, gasUsed, transactions } of empty) {
      const block = await chain.request('eth_getBlockByHash', [hash, false])
      expect(block).toMatchObject({ gasUsed: '0x0', transactions: [] })
      expect([gasUsed, transactions]).toEqual([0n, []])
    }
  })

  test('seals one block by default, and none for zero', async () => {
    const { chain } = await start()
    expect(await chain.mineDetailed(0)).toEqual([])
    expect(await chain.mineDetailed()).toMatchObject([{ number: 1, transactions: [] }])
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
  })

  test('is refused like mine, under its own name', async () => {
    const { chain } = await start()
    for (const count of [-1, 1.5, null, '1'] as unknown as number[]) {
      await expect(chain.mineDetailed(count)).rejects.toMatchObject({
        kind: 'invalidCall',
        message: expect.stringContaining('mineDetailed'),
      })
    }
    await expect(chain.mineDetailed(1, { timestamp: 1 })).rejects.toMatchObject({ kind: 'timestampTooLow' })
    expect(await chain.request('eth_blockNumber')).toBe('0x0')
  })
})

describe('chain.nodeInfo', () => {
  test('has the contents of anvil_nodeInfo and the metadata', async () => {
    const { chain } = await start({ hardfork: 'cancun', ordering: 'fifo', flavor: 'hardhat' })
    await chain.mine(3)
    const info = await chain.nodeInfo()
    const metadata = await chain.request('hardhat_metadata')
    expect(metadata).toEqual({
      clientVersion: info.clientVersion,
      chainId: info.chainId,
      instanceId: info.instanceId,
      latestBlockNumber: info.blockNumber,
      latestBlockHash: info.blockHash,
    })
    expect(info.clientVersion).toBe(await chain.request('web3_clientVersion'))
    const latest = await chain.request('eth_getBlockByNumber', ['latest', false])
    const pending = await chain.request('eth_getBlockByNumber', ['pending', false])
    expect(latest).toMatchObject({
      hash: info.blockHash,
      timestamp: toHex(info.blockTimestamp),
      number: '0x3',
    })
    expect(pending).toMatchObject({
      baseFeePerGas: toHex(info.baseFeePerGas),
      gasLimit: toHex(info.gasLimit),
    })
    expect(await chain.request('eth_gasPrice')).toBe(toHex(info.gasPrice))
    expect(info).toMatchObject({ hardfork: 'cancun', ordering: 'fifo', chainId: 31_337, blockNumber: 3 })
  })

  test('identifies the run, with another id after a reset', async () => {
    const { chain } = await start()
    const { instanceId } = await chain.nodeInfo()
    expect((await (await start()).chain.nodeInfo()).instanceId).toBe(instanceId)
    await chain.reset()
    expect((await chain.nodeInfo()).instanceId).not.toBe(instanceId)
  })
})

describe('chain.balanceChange', () => {
  const gasPrice = '0x77359400'
  const fee = 21_000n * 2_000_000_000n

  async function payTwice(): Promise<{ chain: Emulator; first: Hex; second: Hex }> {
    const chain = await createEmulator({ genesis: { alloc } })
    const pay = (value: Hex) =>
      chain.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB, value, gasPrice }] })
    return { chain, first: await pay('0x5'), second: await pay('0x7') }
  }

  test('is the change by one transaction alone, wherever its block is', async () => {
    const { chain, first, second } = await payTwice()
    expect(await chain.balanceChange(first, BOB)).toBeUndefined()
    for (const ms of [200, 1800, 10_000]) {
      await chain.advance(ms)
      expect(await chain.balanceChange(first, BOB)).toBe(5n)
      expect(await chain.balanceChange(second, BOB)).toBe(7n)
      expect(await chain.balanceChange(second, ALICE)).toBe(-7n - fee)
      expect(await chain.balanceChange(second, ALICE, { fees: 'excluded' })).toBe(-7n)
      expect(await chain.balanceChange(second, BOB, { fees: 'excluded' })).toBe(7n)
      expect(await chain.balanceChange(second, OTHER)).toBe(0n)
    }
  })

  test('has no side effects, and works on a clone and after a dump', { tags: 'gate' }, async () => {
    const { chain, second } = await payTwice()
    await chain.advance(2000)
    const dump = await chain.dump()
    expect(await chain.balanceChange(second, BOB)).toBe(7n)
    expect(await chain.clone().balanceChange(second, BOB)).toBe(7n)
    expect(await (await createEmulator({ state: dump })).balanceChange(second, BOB)).toBe(7n)
    expect(await chain.dump()).toEqual(dump)
  })

  test('counts internal transfers, and a failed transaction as its fee', async () => {
    const { chain } = await payTwice()
    const data = encodeFunctionData({ abi: Reverter.abi, functionName: 'deposit' })
    const send = (input: Hex) =>
      chain.request({
        method: 'eth_sendTransaction',
        params: [{ from: ALICE, to: REVERTER, gas: '0x20000', value: '0x9', gasPrice, data: input }],
      })
    const [paid, failed] = [await send(data), await send('0xdeadbeef')]
    await chain.advance(200)
    expect(await chain.balanceChange(paid, REVERTER)).toBe(9n)
    expect(await chain.balanceChange(failed, REVERTER)).toBe(0n)
    expect(await chain.balanceChange(failed, ALICE, { fees: 'excluded' })).toBe(0n)
    const gasUsed = (await chain.outcome(failed))?.gasUsed as bigint
    expect(await chain.balanceChange(failed, ALICE)).toBe(-gasUsed * 2_000_000_000n)
  })

  test('an impersonated contract pays like any account', async () => {
    const chain = await createEmulator({ genesis: { alloc } })
    await chain.impersonate(REVERTER)
    await chain.setBalance(REVERTER, 10n ** 18n)
    const request = { from: REVERTER, to: BOB, value: '0x5', gasPrice } as const
    const hash = await chain.request({ method: 'eth_sendTransaction', params: [request] })
    await chain.advance(2000)
    await chain.stopImpersonating(REVERTER)
    expect(await chain.balanceChange(hash, REVERTER)).toBe(-5n - fee)
  })

  test('does not depend on later edits of accounts', async () => {
    const { chain, first, second } = await payTwice()
    await chain.advance(200)
    await chain.setNonce(ALICE, 9n)
    await chain.setBalance(ALICE, 1n)
    expect(await chain.balanceChange(first, BOB)).toBe(5n)
    expect(await chain.balanceChange(second, ALICE)).toBe(-7n - fee)
    await chain.advance(2000)
    expect(await chain.balanceChange(second, BOB)).toBe(7n)
  })

  test('is refused without the state before, or where a dump has lost edits', async () => {
    const chain = await createEmulator({ stateHistory: 2 })
    const send = () =>
      chain.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, to: OTHER, gas: '0x20000' }] })
    const first = await send()
    await chain.advance(200)
    // Reverts: PUSH0, PUSH0, REVERT.
    await chain.setCode(OTHER, '0x5f5ffd')
    const failed = await send()
    await chain.advance(2000)
    const dump = await chain.dump()
    await chain.mine(5)
    await expect(chain.balanceChange(first, OTHER)).rejects.toMatchObject({ kind: 'stateNotAvailable' })
    const loaded = await createEmulator({ state: dump })
    await expect(loaded.balanceChange(failed, OTHER)).rejects.toMatchObject({
      kind: 'replayDiffers',
      code: -32000,
    })
  })

  test.each([
    ['invalidCall', '0x12', BOB, {}],
    ['invalidCall', undefined, BOB, {}],
    ['invalidCall', 'hash', '0x12', {}],
    ['invalidCall', 'hash', undefined, {}],
    ['invalidCall', 'hash', BOB, { token: 5 }],
    ['invalidCall', 'hash', BOB, { fees: true }],
    ['invalidCall', 'hash', BOB, 5],
    ['tokenNotReadable', 'hash', BOB, { token: BOB }],
    ['tokenNotReadable', 'hash', BOB, { token: REVERTER }],
  ])('%s for %o, %o, %o', async (kind, given, account, options) => {
    const { chain, first } = await payTwice()
    await chain.advance(200)
    const hash = given === 'hash' ? first : given
    await expect(chain.balanceChange(hash as Hex, account as Hex, options as never)).rejects.toMatchObject({
      kind,
    })
  })
})
