import {
  concatHex,
  encodeErrorResult,
  fromRlp,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  toHex,
  toRlp,
  zeroAddress,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { bytesToHex } from '../../../../src/core/primitives/hex.ts'
import {
  bytesOf,
  type Code,
  call,
  finish,
  log,
  op,
  push,
  sload,
  sstore,
} from '../../../differential/bytecode.ts'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer, transferFees } from '../scene.ts'

const CALLER: Hex = `0x${'ca'.repeat(20)}`
const CALLEE: Hex = `0x${'cb'.repeat(20)}`
const REVERTER: Hex = `0x${'cc'.repeat(20)}`
const HASHER: Hex = `0x${'cd'.repeat(20)}`
const UNKNOWN: Hex = `0x${'11'.repeat(32)}`

const word = (value: number | bigint): Hex => pad(toHex(value), { size: 32 })
const codeOf = (code: Code): Hex => bytesToHex(bytesOf(code))

/** `Error("no")`. */
const reason = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['no'] })

/** Copies the last bytes of the code to memory and reverts with them. */
function revertingWith(data: Hex): Hex {
  const length = (data.length - 2) / 2
  // PUSH1 length, PUSH1 offset, PUSH1 0, CODECOPY, PUSH1 length, PUSH1 0, REVERT
  const head: Hex = `0x60${toHex(length).slice(2)}600c60003960${toHex(length).slice(2)}6000fd`
  return concatHex([head, data])
}

const CALLEE_CODE = codeOf([...sstore(0, [...sload(0), ...push(1), op.ADD]), ...finish(op.RETURN, push(9))])

const alloc = {
  // Logs, calls the callee with 5 wei, and logs again.
  [CALLER]: {
    balance: 100n,
    code: codeOf([
      ...log(push(1)),
      ...call({ kind: op.CALL, to: push(CALLEE), gas: 60_000, value: 5, dataSize: 4 }),
      op.POP,
      ...log(push(2)),
    ]),
  },
  [CALLEE]: { code: CALLEE_CODE },
  [REVERTER]: { code: revertingWith(reason) },
  // Hashes the 32 bytes 0x…07.
  [HASHER]: { code: '0x600760005260206000205000' as Hex },
}

let scene: Scene

beforeEach(async () => {
  scene = await startScene({ production: 'manual', genesis: { alloc } })
})

async function sendTo(to: Hex, nonce: number, fields: { readonly data?: Hex } = {}): Promise<Hex> {
  return scene.send(alice, { ...transferFees, gas: 300_000n, to, nonce, ...fields })
}

describe('the struct logger', () => {
  test('tells the steps of a transaction', async () => {
    const hash = await sendTo(HASHER, 0)
    await scene.chain.seal()
    // A transaction costs 21,000 gas (yellow paper, appendix G), PUSH 3, MSTORE 3 and 3 for the first word of memory,
    // KECCAK256 30 and 6 for a word, POP 2.
    const steps = [
      { pc: 0, op: 'PUSH1', gas: 279_000, gasCost: 3, depth: 1, stack: [] },
      { pc: 2, op: 'PUSH1', gas: 278_997, gasCost: 3, depth: 1, stack: ['0x7'] },
      { pc: 4, op: 'MSTORE', gas: 278_994, gasCost: 6, depth: 1, stack: ['0x7', '0x0'] },
      { pc: 5, op: 'PUSH1', gas: 278_988, gasCost: 3, depth: 1, stack: [] },
      { pc: 7, op: 'PUSH1', gas: 278_985, gasCost: 3, depth: 1, stack: ['0x20'] },
      { pc: 9, op: 'KECCAK256', gas: 278_982, gasCost: 36, depth: 1, stack: ['0x20', '0x0'] },
      { pc: 10, op: 'POP', gas: 278_946, gasCost: 2, depth: 1, stack: [keccak256(word(7))] },
      { pc: 11, op: 'STOP', gas: 278_944, gasCost: 0, depth: 1, stack: [] },
    ]
    const expected = { gas: 21_056, failed: false, returnValue: '0x', structLogs: steps }
    expect(await scene.ask('debug_traceTransaction', hash)).toEqual(expected)
    expect(await scene.ask('debug_traceTransaction', hash, { timeout: '10s', reexec: 128 })).toEqual(expected)
  })

  test('shows memory and return data if asked to, and leaves out the stack', async () => {
    const hash = await sendTo(HASHER, 0)
    await scene.chain.seal()
    const options = { enableMemory: true, disableStack: true }
    const { structLogs } = await scene.ask<{ structLogs: object[] }>('debug_traceTransaction', hash, options)
    expect(structLogs[2]).toEqual({ pc: 4, op: 'MSTORE', gas: 278_994, gasCost: 6, depth: 1 })
    expect(structLogs[3]).toEqual({
      pc: 5,
      op: 'PUSH1',
      gas: 278_988,
      gasCost: 3,
      depth: 1,
      memory: [word(7)],
    })
    // The same in the words of old clients.
    const old = { disableMemory: false, disableStack: true, debug: true }
    expect(await scene.ask('debug_traceTransaction', hash, old)).toMatchObject({ structLogs })
  })

  test('shows the slots that an account has used, with what they hold or get', async () => {
    await sendTo(CALLEE, 0)
    await scene.chain.seal()
    const hash = await sendTo(CALLEE, 1)
    await scene.chain.seal()
    const { structLogs } = await scene.ask<{ structLogs: { op: string; storage?: object }[] }>(
      'debug_traceTransaction',
      hash,
    )
    expect(structLogs.filter(({ storage }) => storage !== undefined)).toMatchObject([
      { op: 'SLOAD', storage: { [word(0)]: word(1) } },
      { op: 'SSTORE', storage: { [word(0)]: word(2) } },
    ])
    const without = await scene.ask<{ structLogs: object[] }>('debug_traceTransaction', hash, {
      disableStorage: true,
    })
    expect(without.structLogs.filter((step) => 'storage' in step)).toEqual([])
  })

  test('ends after `limit` bytes of JSON', async () => {
    const hash = await sendTo(HASHER, 0)
    await scene.chain.seal()
    const lengthOf = async (limit: number): Promise<number> => {
      const { structLogs } = await scene.ask<{ structLogs: object[] }>('debug_traceTransaction', hash, {
        limit,
      })
      return structLogs.length
    }
    // {"pc":0,"op":"PUSH1","gas":279000,"gasCost":3,"depth":1,"stack":[]} has 67 characters.
    expect([await lengthOf(66), await lengthOf(67), await lengthOf(0)]).toEqual([1, 2, 8])
  })

  test('tells a failed transaction with its revert data', async () => {
    const hash = await sendTo(REVERTER, 0)
    await scene.chain.seal()
    expect(await scene.ask('debug_traceTransaction', hash)).toMatchObject({
      failed: true,
      returnValue: reason,
    })
  })
})

describe('callTracer', () => {
  const frame = {
    from: ALICE,
    gas: toHex(300_000),
    to: CALLER,
    input: '0x',
    value: '0x0',
    type: 'CALL',
  }
  const logs = [
    { address: CALLER, topics: [], data: word(1), index: '0x0', position: '0x0' },
    { address: CALLER, topics: [], data: word(2), index: '0x1', position: '0x1' },
  ]

  test('tells the calls, and their logs if asked to', async () => {
    const hash = await sendTo(CALLER, 0)
    await scene.chain.seal()
    const { gasUsed } = await scene.ask<{ gasUsed: Hex }>('eth_getTransactionReceipt', hash)
    const calls = [
      {
        ...{ from: CALLER, to: CALLEE, gas: toHex(62_300), input: '0x00000000', output: word(9) },
        // SLOAD 2100, SSTORE 20,000, seven times PUSH, ADD, MSTORE and its new word: 3 each.
        ...{ gasUsed: toHex(22_130), value: '0x5', type: 'CALL' },
      },
    ]
    const ask = (tracerConfig: object) =>
      scene.ask('debug_traceTransaction', hash, { tracer: 'callTracer', tracerConfig })
    expect(await ask({})).toEqual({ ...frame, gasUsed, calls })
    expect(await ask({ withLog: true })).toEqual({ ...frame, gasUsed, calls, logs })
    expect(await ask({ onlyTopCall: true })).toEqual({ ...frame, gasUsed })
    expect(await ask({ onlyTopCall: true, withLog: true })).toMatchObject({ logs: [{}, { position: '0x0' }] })
  })

  test('tells why a call reverted', async () => {
    const hash = await sendTo(REVERTER, 0)
    await scene.chain.seal()
    const trace = await scene.ask('debug_traceTransaction', hash, { tracer: 'callTracer' })
    expect(trace).toMatchObject({ error: 'execution reverted', revertReason: 'no', output: reason })
  })
})

// As the receipt has it (ethereum/execution-apis#855): a call that fails gives its indices back.
test.each(['wasm', 'reference'] as const)(
  'logs have their index in the block, on %s',
  async (interpreter) => {
    const inner = codeOf([...log(push(7)), ...push(0), ...push(0), op.REVERT])
    const outer = [...log(push(1)), ...call({ kind: op.CALL, to: push(CALLEE), gas: 60_000 }), op.POP]
    const genesis = {
      alloc: { [CALLER]: { code: codeOf([...outer, ...log(push(2))]) }, [CALLEE]: { code: inner } },
    }
    scene = await startScene({ production: 'manual', interpreter, genesis })
    await sendTo(CALLER, 0)
    const hash = await sendTo(CALLER, 1)
    await scene.chain.seal()
    const { logs } = await scene.ask<{ logs: readonly { logIndex: Hex }[] }>(
      'eth_getTransactionReceipt',
      hash,
    )
    expect(logs.map(({ logIndex }) => logIndex)).toEqual(['0x2', '0x3'])
    const traced = { logs: [{ index: '0x2' }, { index: '0x3' }] }
    for (const [tracer, options] of [
      ['callTracer', {}],
      ['callTracer', { onlyTopCall: true }],
      ['erc7562Tracer', {}],
    ] as const) {
      const tracerConfig = { ...options, withLog: true }
      expect(await scene.ask('debug_traceTransaction', hash, { tracer, tracerConfig })).toMatchObject(traced)
    }
    const options = { tracer: 'callTracer', tracerConfig: { withLog: true } }
    expect(await scene.ask('debug_traceCall', { to: CALLER }, 'latest', options)).toMatchObject({
      logs: [{ index: '0x0' }, { index: '0x1' }],
    })
  },
)

test('flatCallTracer tells CREATE2 from CREATE, and ignores the options of other tracers', async () => {
  // CREATE2 without value, data and salt.
  const data: Hex = '0x5f5f5f5ff500'
  const tracerConfig = { onlyTopCall: true, withLog: true }
  const config = { tracer: 'flatCallTracer', tracerConfig }
  expect(await scene.ask('debug_traceCall', { data }, 'latest', config)).toMatchObject([
    { type: 'create', action: { creationMethod: 'create' } },
    { type: 'create', action: { creationMethod: 'create2' } },
  ])
})

test('flatCallTracer tells the same frames with the place of the transaction', async () => {
  const hash = await sendTo(CALLER, 0)
  await scene.chain.seal()
  const { blockHash, gasUsed } = await scene.ask<{ blockHash: Hex; gasUsed: Hex }>(
    'eth_getTransactionReceipt',
    hash,
  )
  const place = { blockHash, blockNumber: 1, transactionHash: hash, transactionPosition: 0 }
  expect(await scene.ask('debug_traceTransaction', hash, { tracer: 'flatCallTracer' })).toEqual([
    {
      action: { callType: 'call', from: ALICE, gas: toHex(300_000), input: '0x', to: CALLER, value: '0x0' },
      ...place,
      result: { gasUsed, output: '0x' },
      ...{ subtraces: 1, traceAddress: [], type: 'call' },
    },
    {
      action: {
        callType: 'call',
        from: CALLER,
        gas: toHex(62_300),
        input: '0x00000000',
        to: CALLEE,
        value: '0x5',
      },
      ...place,
      result: { gasUsed: toHex(22_130), output: word(9) },
      ...{ subtraces: 0, traceAddress: [0], type: 'call' },
    },
  ])
})

describe('prestateTracer', () => {
  test('shows the touched accounts before, or what changed', async () => {
    const hash = await sendTo(CALLEE, 0)
    await scene.chain.seal()
    const ask = <Result = object>(tracerConfig: object) =>
      scene.ask<Result>('debug_traceTransaction', hash, { tracer: 'prestateTracer', tracerConfig })
    const code = CALLEE_CODE
    const callee = { balance: '0x0', code, codeHash: keccak256(code), storage: { [word(0)]: word(0) } }
    const balance = toHex(10_000n * 10n ** 18n)
    expect(await ask({})).toMatchObject({ [ALICE]: { balance }, [CALLEE]: callee })
    const { code: _, ...withoutCode } = callee
    expect((await ask<Record<Hex, object>>({ disableCode: true }))[CALLEE]).toEqual(withoutCode)
    const { storage: __, ...withoutStorage } = callee
    expect((await ask<Record<Hex, object>>({ disableStorage: true }))[CALLEE]).toEqual(withoutStorage)
    const { pre, post } = await ask<Record<'pre' | 'post', Record<Hex, object>>>({ diffMode: true })
    expect(pre[CALLEE]).toEqual({ balance: '0x0', code, codeHash: keccak256(code) })
    expect(post[CALLEE]).toEqual({ storage: { [word(0)]: word(1) } })
    expect(post[ALICE]).toMatchObject({ nonce: 1 })
  })

  test('shows accounts that are empty only if asked to', async () => {
    const empty: Hex = `0x${'ee'.repeat(20)}`
    const hash = await scene.send(alice, transfer(empty, 0))
    await scene.chain.seal()
    const tracer = 'prestateTracer'
    expect(await scene.ask('debug_traceTransaction', hash, { tracer })).not.toHaveProperty(empty)
    const tracerConfig = { includeEmpty: true }
    const all = await scene.ask<Record<Hex, object>>('debug_traceTransaction', hash, { tracer, tracerConfig })
    expect(all[empty]).toEqual({ balance: '0x0' })
    const both = { tracer, tracerConfig: { includeEmpty: true, diffMode: true } }
    await expect(scene.ask('debug_traceTransaction', hash, both)).rejects.toThrow(
      'cannot use diffMode with includeEmpty',
    )
  })
})

// geth's vector eip7702_deauth: the account stays, and what it has is told.
test('a delegation that ends leaves empty code in the difference', async () => {
  const code: Hex = `0xef0100${CALLEE.slice(2)}`
  scene = await startScene({ production: 'manual', genesis: { alloc: { [BOB]: { code, nonce: 1n } } } })
  const authorization = await bob.signAuthorization({ address: zeroAddress, chainId: 31_337, nonce: 1 })
  const hash = await scene.send(alice, {
    ...{ ...transferFees, type: 'eip7702', to: CALLEE, gas: 100_000n, nonce: 0 },
    authorizationList: [authorization],
  })
  await scene.chain.seal()
  const ask = (tracerConfig: object) =>
    scene.ask('debug_traceTransaction', hash, {
      ...{ tracer: 'prestateTracer', tracerConfig: { diffMode: true, ...tracerConfig } },
    })
  expect(await ask({})).toMatchObject({
    pre: { [BOB]: { nonce: 1, code, codeHash: keccak256(code) } },
    post: { [BOB]: { nonce: 2, code: '0x', codeHash: keccak256('0x') } },
  })
  const { post } = (await ask({ disableCode: true })) as { post: Record<Hex, object> }
  expect(post[BOB]).toEqual({ nonce: 2, codeHash: keccak256('0x') })
})

// geth tells its tracer of such an opcode with an error, on which prestateTracer returns.
test.each(['wasm', 'reference'] as const)(
  'what an opcode could not pay for is not touched, on %s',
  async (interpreter) => {
    const account = `73${BOB.slice(2)}`
    scene = await startScene({
      interpreter,
      genesis: {
        alloc: { [CALLER]: { code: '0x6001545f5460015500' }, [CALLEE]: { code: `0x${account}31` } },
      },
    })
    const ask = (to: Hex, gas: number) =>
      scene.ask<Record<Hex, { storage?: object }>>('debug_traceCall', { to, gas: toHex(gas) }, 'latest', {
        tracer: 'prestateTracer',
      })
    // PUSH1 and PUSH0 take 5, a cold SLOAD 2100.
    const storage = { [word(1)]: word(0) }
    expect((await ask(CALLER, 21_000 + 2_105 + 2_099))[CALLER]?.storage).toEqual(storage)
    // The SSTORE after them has no second operand.
    expect((await ask(CALLER, 100_000))[CALLER]?.storage).toEqual({ ...storage, [word(0)]: word(0) })
    // PUSH20 takes 3, BALANCE of a cold account 2600.
    expect(await ask(CALLEE, 21_000 + 2_602)).not.toHaveProperty(BOB)
    expect(await ask(CALLEE, 21_000 + 2_603)).toHaveProperty(BOB)
  },
)

test('the small tracers, one by one and in one run', async () => {
  const hash = await sendTo(HASHER, 0, { data: '0x0102030405' })
  await scene.chain.seal()
  const expected = {
    '4byteTracer': { '0x01020304-1': 1 },
    keccak256PreimageTracer: { [keccak256(word(7))]: word(7) },
    noopTracer: {},
  }
  for (const [tracer, result] of Object.entries(expected))
    expect(await scene.ask('debug_traceTransaction', hash, { tracer })).toEqual(result)
  const tracerConfig = {
    '4byteTracer': {},
    keccak256PreimageTracer: null,
    noopTracer: {},
    callTracer: { onlyTopCall: true },
  }
  const callTracer = await scene.ask('debug_traceTransaction', hash, { tracer: 'callTracer' })
  expect(await scene.ask('debug_traceTransaction', hash, { tracer: 'muxTracer', tracerConfig })).toEqual({
    ...expected,
    callTracer,
  })
})

// As geth since 1.14: init code has no selector, and a precompile is no contract, also for the transaction itself.
test('4byteTracer counts calls of contracts only', async () => {
  const config = { tracer: '4byteTracer' }
  for (const request of [{ data: '0x5f5ff300' }, { to: `0x${'04'.padStart(40, '0')}`, data: '0x01020304' }])
    expect(await scene.ask('debug_traceCall', request, 'latest', config)).toEqual({})
})

test('erc7562Tracer tells what frames use', async () => {
  const hash = await sendTo(CALLER, 0)
  await scene.chain.seal()
  const trace = await scene.ask<{ calls: object[] }>('debug_traceTransaction', hash, {
    tracer: 'erc7562Tracer',
  })
  expect(trace).toMatchObject({
    contractSize: { [CALLEE]: { contractSize: (CALLEE_CODE.length - 2) / 2, opcode: op.CALL } },
    usedOpcodes: { '0xa0': 2, '0xf1': 1, '0x52': 2 },
    outOfGas: false,
  })
  expect(trace.calls).toMatchObject([
    {
      accessedSlots: {
        ...{ reads: { [word(0)]: [word(0)] }, writes: { [word(0)]: 1 } },
        ...{ transientReads: {}, transientWrites: {} },
      },
      usedOpcodes: { '0x54': 1, '0x55': 1, '0x52': 1, '0xf3': 1 },
    },
  ])
  const tracerConfig = { ignoredOpcodes: ['0xa0', '0x52'], withLog: true }
  const narrow = await scene.ask<{ usedOpcodes: object; logs: object[] }>('debug_traceTransaction', hash, {
    ...{ tracer: 'erc7562Tracer', tracerConfig },
  })
  expect(narrow.usedOpcodes).not.toHaveProperty('0xa0')
  expect(narrow.logs).toHaveLength(2)
})

describe('blocks', () => {
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }

  test('are traced by number, by hash and as RLP', async () => {
    const hashes = [await sendTo(CALLEE, 0), await sendTo(REVERTER, 1)]
    await scene.chain.seal()
    const traces = await scene.ask<object[]>('debug_traceBlockByNumber', '0x1', tracer)
    expect(traces).toMatchObject([
      { txHash: hashes[0], result: { to: CALLEE } },
      { txHash: hashes[1], result: { to: REVERTER, error: 'execution reverted' } },
    ])
    const { hash } = await scene.ask<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(await scene.ask('debug_traceBlockByHash', hash, tracer)).toEqual(traces)
    const rlp = await scene.ask<Hex>('debug_getRawBlock', 'latest')
    expect(await scene.ask('debug_traceBlock', rlp, tracer)).toEqual(traces)
  })

  test('that are foreign are traced on their parent', async () => {
    const hash = await sendTo(CALLEE, 0)
    await scene.chain.seal()
    const [header, ...body] = fromRlp(await scene.ask<Hex>('debug_getRawBlock', 'latest'), 'hex') as Hex[][]
    // Another coinbase and another state root make another block.
    const foreign = (header as Hex[]).map((field, index) =>
      index === 2 ? BOB : index === 3 ? UNKNOWN : field,
    )
    const [traced] = await scene.ask<{ txHash: Hex; result: { post: object } }[]>(
      'debug_traceBlock',
      toRlp([foreign, ...body] as never),
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    )
    expect(traced?.txHash).toBe(hash)
    expect(traced?.result.post).toHaveProperty(BOB)
    const orphan = toRlp([foreign.with(0, UNKNOWN), ...body] as never)
    await expect(scene.ask('debug_traceBlock', orphan)).rejects.toMatchObject({
      code: -32_000,
      message: `block ${UNKNOWN} not found`,
    })
    await expect(scene.ask('debug_traceBlock', '0x')).rejects.toMatchObject({ kind: 'undecodableBlocks' })
  })

  test('that are not there, and genesis, are refused in the words of geth', async () => {
    const refusals = [
      ['debug_traceBlockByNumber', '0x9', 'block #9 not found'],
      ['debug_traceBlockByHash', UNKNOWN, `block ${UNKNOWN} not found`],
      ['debug_traceBlockByNumber', '0x0', 'genesis is not traceable'],
      ['debug_traceBlock', await scene.ask<Hex>('debug_getRawBlock', '0x0'), 'genesis is not traceable'],
    ] as const
    for (const [method, block, message] of refusals)
      await expect(scene.ask(method, block)).rejects.toMatchObject({ code: -32_000, message })
  })

  test('whose state is gone are refused', async () => {
    scene = await startScene({ production: 'manual', genesis: { alloc }, stateHistory: 1 })
    const hash = await sendTo(CALLEE, 0)
    await scene.chain.mine(5)
    await expect(scene.ask('debug_traceTransaction', hash)).rejects.toMatchObject({
      kind: 'stateNotAvailable',
    })
  })
})

describe('what is not sealed', () => {
  test('a pre-confirmed transaction is traced, by itself and at pending', async () => {
    scene = await startScene({ genesis: { alloc } })
    const hash = await sendTo(CALLEE, 0)
    await expect(scene.ask('debug_traceTransaction', hash)).rejects.toMatchObject({
      kind: 'transactionNotFound',
      message: `transaction not found: ${hash} waits in the pool, and has not run yet`,
    })
    await scene.chain.advance(200)
    const options = { tracer: 'callTracer' }
    const result = await scene.ask<{ to: Hex }>('debug_traceTransaction', hash, options)
    expect(result.to).toBe(CALLEE)
    expect(await scene.ask('debug_traceBlockByNumber', 'pending', options)).toEqual([
      { txHash: hash, result },
    ])
    // The next call reads the slot that the pre-confirmed transaction has written.
    const diff = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    const called = await scene.ask<{ post: Record<Hex, object> }>(
      'debug_traceCall',
      { to: CALLEE },
      'pending',
      diff,
    )
    expect(called.post[CALLEE]).toEqual({ storage: { [word(0)]: word(2) } })
  })

  test('an unknown transaction is refused', async () => {
    await expect(scene.ask('debug_traceTransaction', UNKNOWN)).rejects.toMatchObject({
      code: -32_000,
      message: `transaction not found: ${UNKNOWN}`,
    })
  })
})

describe('calls', () => {
  const returned = async (options: object = {}, block: unknown = 'latest', request: object = {}) => {
    const call = { from: ALICE, to: CALLEE, ...request }
    const { returnValue } = await scene.ask<{ returnValue: Hex }>('debug_traceCall', call, block, options)
    return BigInt(returnValue)
  }

  test('take overrides of state and block', async () => {
    const showing = (code: Code) => ({ [CALLEE]: { code: codeOf(finish(op.RETURN, code)) } })
    expect(await returned({ stateOverrides: showing(push(77)) })).toBe(77n)
    const NUMBER = 0x43
    expect(await returned({ stateOverrides: showing([NUMBER]), blockOverrides: { number: 1234 } })).toBe(
      1234n,
    )
  })

  test('run before a transaction of the block, or at its end', async () => {
    await sendTo(CALLEE, 0)
    await sendTo(CALLEE, 1)
    await scene.chain.seal()
    const diff = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    const written = async (fields: object) => {
      const { post } = await scene.ask<{ post: Record<Hex, { storage: Record<Hex, Hex> }> }>(
        'debug_traceCall',
        { to: CALLEE },
        'latest',
        { ...diff, ...fields },
      )
      return BigInt(post[CALLEE]?.storage[word(0)] ?? 0)
    }
    expect(await written({ txIndex: '0x0' })).toBe(1n)
    expect(await written({ txIndex: '0x1' })).toBe(2n)
    expect(await written({})).toBe(3n)
    await expect(written({ txIndex: '0x7' })).rejects.toThrow(
      /^transaction index 7 out of range for block 0x/,
    )
  })

  test('get at most the gas of limits.callGas', async () => {
    scene = await startScene({ genesis: { alloc }, limits: { callGas: 30_000 } })
    const trace = await scene.ask('debug_traceCall', { to: CALLEE, gas: toHex(10n ** 9n) }, 'latest', {
      tracer: 'callTracer',
    })
    expect(trace).toMatchObject({ gas: toHex(30_000), error: 'out of gas' })
  })

  test('pay for their gas, if they name a fee', async () => {
    const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    const request = { from: ALICE, to: BOB, gas: toHex(21_000), gasPrice: toHex(2n * 10n ** 9n) }
    const { pre, post } = await scene.ask<
      Record<'pre' | 'post', Record<Hex, { balance: Hex; nonce?: number }>>
    >('debug_traceCall', request, 'latest', tracer)
    const paid = BigInt(pre[ALICE]?.balance ?? 0) - BigInt(post[ALICE]?.balance ?? 0)
    expect(paid).toBe(21_000n * 2n * 10n ** 9n)
    expect(post[ALICE]?.nonce).toBe(1)
  })

  test('in bundles see what the calls before them did', async () => {
    const TIMESTAMP = 0x42
    const show = { [REVERTER]: { code: codeOf(finish(op.RETURN, [TIMESTAMP])) } }
    const bundles = [
      { transactions: [{ to: CALLEE }, { to: CALLEE }] },
      { transactions: [{ to: CALLEE }, { to: REVERTER }], blockOverride: { time: 4_000_000_000 } },
    ]
    const config = { stateOverrides: show, disableStack: true }
    const traces = await scene.ask<
      { returnValue: Hex; structLogs: { op: string; storage?: Record<Hex, Hex> }[] }[][]
    >('debug_traceCallMany', bundles, { blockNumber: 'latest', transactionIndex: -1 }, config)
    const stored = traces.map((results) =>
      results.map(({ structLogs }) => structLogs.find(({ op }) => op === 'SSTORE')?.storage?.[word(0)]),
    )
    expect(stored).toEqual([
      [word(1), word(2)],
      [word(3), undefined],
    ])
    expect(traces[1]?.[1]?.returnValue).toBe(word(4_000_000_000))
    await expect(scene.ask('debug_traceCallMany', [])).rejects.toThrow('expected at least one bundle')
  })
})

describe('bad configurations', () => {
  test.each([
    [{ tracer: 'callTrace' }, 'unknown tracer "callTrace", did you mean callTracer?'],
    [{ tracer: 'nothing' }, 'unknown tracer "nothing", expected one of callTracer, flatCallTracer,'],
    [{ tracer: '{step: function() {}, fault: function() {}}' }, 'tracers in JavaScript are not supported'],
    [{ tracer: 'callTracer', tracerConfig: { withLogs: true } }, 'unknown field, did you mean withLog?'],
    [{ tracer: 'muxTracer', tracerConfig: { callTrace: {} } }, 'unknown tracer "callTrace"'],
    [{ tracer: 'muxTracer', tracerConfig: { muxTracer: {} } }, 'expected the tracers themselves'],
    [{ enablememory: true }, 'unknown field, did you mean enableMemory?'],
    [{ enableMemory: 1 }, 'expected true or false, got 1'],
  ])('%o', async (config, message) => {
    await expect(scene.ask('debug_traceTransaction', UNKNOWN, config)).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(message),
    })
  })
})

test('a trace is no larger than limits.traceBytes', async () => {
  scene = await startScene({ production: 'manual', genesis: { alloc }, limits: { traceBytes: 500 } })
  const hash = await sendTo(HASHER, 0)
  await scene.chain.seal()
  await expect(scene.ask('debug_traceTransaction', hash)).rejects.toMatchObject({
    kind: 'traceTooLarge',
    message:
      'the trace is larger than 500 bytes, the option limits.traceBytes: leave out stack, memory or storage, or cut the steps with limit',
  })
  expect(await scene.ask('debug_traceTransaction', hash, { limit: 100 })).toHaveProperty('structLogs')
  expect(await scene.ask('debug_traceTransaction', hash, { tracer: 'callTracer' })).toHaveProperty('gasUsed')
})

describe.each(['wasm', 'reference'] as const)('a REVERT that fails, on the interpreter %s', (interpreter) => {
  // The costs and words of geth: stack and memory are checked before the opcode is told (core/vm/interpreter.go).
  test.each([
    ['PUSH0 REVERT', '0x5ffd', { pc: 1, gasCost: 0, error: 'stack underflow (1 <=> 2)' }],
    [
      'PUSH8 2^64 - 1, PUSH0, REVERT',
      '0x67ffffffffffffffff5ffd',
      { pc: 10, gasCost: 0, error: 'gas uint64 overflow' },
    ],
  ] as const)('%s', async (_, code, step) => {
    scene = await startScene({
      production: 'manual',
      interpreter,
      genesis: { alloc: { [CALLEE]: { code } } },
    })
    const { structLogs } = await scene.ask<{ structLogs: object[] }>('debug_traceCall', { to: CALLEE })
    expect(structLogs.at(-1)).toMatchObject({ op: 'REVERT', ...step })
  })
})
