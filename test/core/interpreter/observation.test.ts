// What observers are told: by hand, with geth's costs and words, and the same from both interpreters.

import { concat, type Hex, padHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FrameEnd, FrameStart, Observer, StepEnd } from '../../../src/core/execution/trace/observer.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { CONTRACT, codeOf, INTRINSIC, OTHER, push, type Run, runCode } from './scene.ts'

beforeAll(loadCrypto)

interface ToldStep extends StepEnd {
  readonly depth: number
  readonly pc: number
  readonly gas: number
  readonly memorySize: number
  readonly refund: number
  readonly stack: readonly bigint[]
  readonly returnData: Uint8Array
}

type Told = { readonly enter: FrameStart } | { readonly step: ToldStep } | { readonly exit: FrameEnd }

const DELEGATE = padHex('0xde', { size: 20 })

const INTERPRETERS = ['wasm', 'reference'] as const

async function observed(code: Hex, run: Run = {}): Promise<readonly Told[]> {
  const told: Told[] = []
  let step: Omit<ToldStep, keyof StepEnd> | undefined
  const observer: Observer = {
    enter: (enter) => told.push({ enter }),
    exit: (exit) => told.push({ exit }),
    step(view) {
      const { depth, pc, gas, memorySize, refund } = view
      step = { depth, pc, gas, memorySize, refund, stack: view.stack(), returnData: view.returnData() }
    },
    stepEnd(end) {
      told.push({ step: { ...(step as ToldStep), ...end } })
    },
  }
  await runCode(code, { ...run, observer })
  return told
}

function stepsOf(told: readonly Told[]): ToldStep[] {
  return told.flatMap((it) => ('step' in it ? [it.step] : []))
}

function endsOf(told: readonly Told[]): FrameEnd[] {
  return told.flatMap((it) => ('exit' in it ? [it.exit] : []))
}

function costsOf(told: readonly Told[]): number[] {
  return stepsOf(told).map(({ cost }) => cost)
}

/** Sends to an account: 7 operands, of which all but the first three are zero. */
function send(opcode: Hex, to: Hex, gas: number, value = 0): Hex {
  return concat(['0x5f5f5f5f', push(value, BigInt(to), gas), opcode])
}

describe.each(INTERPRETERS)('%s', (interpreter) => {
  test('costs of arithmetic and memory', async () => {
    // PUSH1 3, PUSH1 5, ADD, PUSH1 0x40, MSTORE, MSIZE, and the end of the code.
    const told = await observed('0x60036005016040525900', { interpreter, gas: INTRINSIC + 100n })
    const steps = stepsOf(told)
    expect(steps.map(({ pc }) => pc)).toEqual([0, 2, 4, 5, 7, 8, 9])
    // MSTORE: 3, and 3 for each of three words.
    expect(costsOf(told)).toEqual([3, 3, 3, 3, 12, 2, 0])
    expect(steps.map(({ gas }) => gas)).toEqual([100, 97, 94, 91, 88, 76, 74])
    expect(steps.map(({ memorySize }) => memorySize)).toEqual([0, 0, 0, 0, 0, 96, 96])
    expect(steps[2]?.stack).toEqual([3n, 5n])
    expect(steps[5]?.stack).toEqual([])
    expect(endsOf(told)).toEqual([{ output: new Uint8Array(0), gasUsed: 26, error: undefined }])
  })

  test('memory that a call has paid for and not written', async () => {
    // DELEGATECALL of an account without code with a byte of output at 10,000, MSIZE, and the end of the code.
    const told = await observed('0x60016127105f5f60995af459', { interpreter })
    expect(
      stepsOf(told)
        .slice(-2)
        .map(({ memorySize }) => memorySize),
    ).toEqual([10_016, 10_016])
    expect(stepsOf(told).at(-1)?.stack).toEqual([1n, 10_016n])
  })

  test('the end of the code is a STOP', async () => {
    const steps = stepsOf(await observed('0x6001', { interpreter }))
    expect(steps.map(({ pc, cost, stack }) => [pc, cost, stack])).toEqual([
      [0, 3, []],
      [2, 0, [1n]],
    ])
  })

  test('a jump to a constant is a step for each opcode', async () => {
    // PUSH2 5, JUMP, INVALID, JUMPDEST, PUSH0, PUSH2 2, JUMPI, STOP
    const steps = stepsOf(await observed('0x61000556fe5b5f6100025700', { interpreter }))
    expect(steps.map(({ pc, cost }) => [pc, cost])).toEqual([
      [0, 3],
      [3, 8],
      [5, 1],
      [6, 2],
      [7, 3],
      [10, 10],
      [11, 0],
    ])
  })

  test('costs and refunds of storage (EIP-2929, EIP-3529)', async () => {
    // PUSH0, SLOAD, POP twice; PUSH1 1, PUSH0, SSTORE; PUSH0, PUSH0, SSTORE; STOP
    const told = await observed('0x5f54505f545060015f555f5f5500', { interpreter })
    expect(costsOf(told)).toEqual([2, 2100, 2, 2, 100, 2, 3, 2, 20_000, 2, 2, 100, 0])
    expect(stepsOf(told).map(({ refund }) => refund)).toEqual([...Array(11).fill(0), 19_900, 19_900])
  })

  test('a call costs what its message gets, and ends before its frame begins', async () => {
    const to = padHex('0xdead', { size: 20 })
    const told = await observed(concat([send('0xf1', to, 1000, 7), '0x00']), { interpreter })
    // A cold account, a value, a new account, and the gas of the message; the stipend is not paid for.
    expect(costsOf(told)).toEqual([2, 2, 2, 2, 3, 3, 3, 2600 + 9000 + 25_000 + 1000, 0])
    expect(told.slice(-5)).toMatchObject([
      { step: { pc: 103, depth: 0 } },
      { enter: { kind: 'CALL', depth: 1, from: CONTRACT, to, value: 7n, gas: 3300, isPrecompile: false } },
      { exit: { gasUsed: 0, error: undefined } },
      { step: { pc: 104, stack: [1n] } },
      { exit: { error: undefined } },
    ])
  })

  test('return data, kinds of calls, and a write in a static frame', async () => {
    // The callee: MSTORE of 42 and RETURN of a word; or SSTORE of 1 to slot 0.
    const [answer, writer] = ['0x602a5f5260205ff3', '0x60015f5500'] as const
    const accounts = { [OTHER]: codeOf(answer), [padHex('0x77', { size: 20 })]: codeOf(writer) }
    const calls = concat([
      '0x5f5f5f5f',
      push(BigInt(OTHER), 5000),
      '0xf4',
      '0x5f5f5f5f',
      push(0x77, 50_000),
      '0xfa',
    ])
    const told = await observed(calls, { interpreter, accounts })
    expect(
      told.flatMap((it) => ('enter' in it ? [[it.enter.kind, it.enter.from, it.enter.to]] : [])),
    ).toEqual([
      ['CALL', '0xcacacacacacacacacacacacacacacacacacacaca', CONTRACT],
      ['DELEGATECALL', CONTRACT, OTHER],
      ['STATICCALL', CONTRACT, padHex('0x77', { size: 20 })],
    ])
    const after = stepsOf(told).filter(({ depth }) => depth === 0)
    expect(after.map(({ returnData }) => returnData.length)).toEqual([
      ...Array(7).fill(0),
      ...Array(7).fill(32),
      0,
    ])
    // SSTORE is told with its cost, as geth does, and then refused.
    expect(
      stepsOf(told)
        .filter(({ depth }) => depth === 1)
        .at(-1),
    ).toMatchObject({
      cost: 22_100,
      error: undefined,
    })
    expect(endsOf(told)[1]).toMatchObject({ error: 'write protection', gasUsed: 50_000 })
  })

  test('an access that cannot be paid is told with the stack before it', async () => {
    const peeked: unknown[] = []
    const observer: Observer = { access: ({ opcode, peek }) => peeked.push([opcode, peek(0), peek(1)]) }
    await runCode('0x600147', { interpreter, gas: INTRINSIC + 5n, observer })
    expect(peeked).toEqual([[0x47, 1n, undefined]])
  })

  test('a write that a static frame refuses has the cost of a slot that the frame has read', async () => {
    const accounts = { [OTHER]: codeOf('0x5f5460015f55') }
    const told = await observed(send('0xfa', OTHER, 50_000), { interpreter, accounts })
    const inside = stepsOf(told).filter(({ depth }) => depth === 1)
    expect(inside.map(({ cost }) => cost)).toEqual([2, 2100, 3, 2, 20_000])
    expect(endsOf(told)[0]).toMatchObject({ error: 'write protection', gasUsed: 50_000 })
  })

  test.each<[what: string, code: Hex, cost: number, error: string | undefined, reason: string, gas?: bigint]>(
    [
      ['ADD of one word', '0x5f01', 3, 'stack underflow (1 <=> 2)', 'stack underflow (1 <=> 2)'],
      [
        'a word too many',
        concat(Array<Hex>(1025).fill('0x30')),
        2,
        'stack limit reached 1024 (1023)',
        'stack limit reached 1024 (1023)',
      ],
      ['static gas', '0x60016001', 3, 'out of gas', 'out of gas', 5n],
      ['gas of memory', '0x6120005100', 3 + 3 * 257 + 129, 'out of gas', 'out of gas', 500n],
      ['SLOAD', '0x5f54', 2100, 'out of gas', 'out of gas', 2000n],
      ['an unknown opcode', '0x0c', 0, undefined, 'invalid opcode: opcode 0xc not defined'],
      ['the invalid opcode', '0xfe', 0, undefined, 'invalid opcode: INVALID'],
      ['a jump to no JUMPDEST', '0x5f56', 8, undefined, 'invalid jump destination'],
      ['REVERT', '0x5f5ffd', 0, undefined, 'execution reverted'],
      [
        'SSTORE with the gas of a stipend',
        '0x5f5f55',
        0,
        'out of gas: not enough gas for reentrancy sentry',
        'out of gas: not enough gas for reentrancy sentry',
        2304n,
      ],
      [
        'memory beyond 64 bits',
        concat([push(2n ** 64n), '0x51']),
        3,
        'gas uint64 overflow',
        'gas uint64 overflow',
      ],
      [
        'memory beyond what gas can pay',
        concat([push(2n ** 40n), '0x51']),
        3,
        'out of gas: gas uint64 overflow',
        'out of gas: gas uint64 overflow',
      ],
      ['return data out of bounds', '0x60015f5f3e', 9, undefined, 'return data out of bounds'],
      [
        'a call of a cold account',
        '0x5f5f5f5f5f60995ff1',
        100,
        'out of gas: out of gas',
        'out of gas: out of gas',
        1000n,
      ],
      [
        'the value for a new account, which BALANCE has made warm',
        '0x609931505f5f5f5f600160995ff1',
        100 + 9000 + 25_000,
        'out of gas',
        'out of gas',
        3600n,
      ],
      [
        'the value for CALLCODE of a contract that its creation has made warm',
        '0x5f5f5ff05f5f5f5f6001855ff2',
        100 + 9000,
        'out of gas',
        'out of gas',
        32_000n + 22n + 1000n,
      ],
      [
        'the value for CALL of a contract that the frame has created',
        '0x5f5f5ff05f5f5f5f6001855ff1',
        100 + 9000,
        'out of gas',
        'out of gas',
        32_000n + 22n + 1000n,
      ],
      [
        'the value for CALL of an account that the frame has sent value to',
        '0x5f5f5f5f600160995ff15f5f5f5f600160995ff1',
        100 + 9000,
        'out of gas',
        'out of gas',
        2600n + 9000n + 25_000n + 16n + 1000n,
      ],
      // geth takes the static gas before it looks at the size of memory.
      [
        'EXTCODECOPY without its static gas, to memory beyond 64 bits',
        '0x60015f5f195f3c',
        100,
        'out of gas',
        'out of gas',
        62n,
      ],
      [
        'long init code',
        concat([push(49_153), '0x5f5ff0']),
        32_000,
        'out of gas: max initcode size exceeded: size 49153',
        'out of gas: max initcode size exceeded: size 49153',
      ],
    ],
  )('failure: %s', { tags: 'gate' }, async (_, code, cost, error, reason, gas = 1_000_000n) => {
    const told = await observed(code, { interpreter, gas: INTRINSIC + gas })
    expect(stepsOf(told).at(-1)).toMatchObject({ cost, error })
    expect(endsOf(told).slice(-1)).toMatchObject([
      { error: reason, gasUsed: cost === 0 && reason.startsWith('exec') ? 4 : Number(gas) },
    ])
    const ends: FrameEnd[] = []
    await runCode(code, { interpreter, gas: INTRINSIC + gas, observer: { exit: (end) => ends.push(end) } })
    expect(ends).toEqual(endsOf(told))
  })

  test('the value for a call of an account whose delegate an earlier call has made warm', async () => {
    const accounts = { [OTHER]: codeOf(concat(['0xef0100', DELEGATE])), [DELEGATE]: codeOf('0x00') }
    const code = concat([send('0xf1', OTHER, 0), send('0xf1', OTHER, 0, 1)])
    const told = await observed(code, { interpreter, accounts, gas: INTRINSIC + 5200n + 34n + 1000n })
    expect(costsOf(told).filter((cost) => cost > 3)).toEqual([2600 + 2600, 100 + 100 + 9000])
    expect(stepsOf(told).at(-1)?.error).toBe('out of gas')
  })

  test('messages that are refused', async () => {
    const code = concat([
      send('0xf1', OTHER, 3000, 5000),
      // CREATE with a value of 5000.
      '0x5f5f611388f000',
    ])
    const told = await observed(code, { interpreter })
    const frames: readonly (FrameStart | FrameEnd)[] = told.flatMap((it): (FrameStart | FrameEnd)[] =>
      'enter' in it ? [it.enter] : 'exit' in it ? [it.exit] : [],
    )
    expect(frames.slice(1, 5)).toMatchObject([
      { kind: 'CALL', depth: 1, from: CONTRACT, to: OTHER, value: 5000n, gas: 5300 },
      { gasUsed: 0, error: 'insufficient balance for transfer' },
      // The address of the first creation by an account of nonce 1, by ethers.getCreateAddress.
      { kind: 'CREATE', depth: 1, from: CONTRACT, to: CREATED, value: 5000n },
      { gasUsed: 0, error: 'insufficient balance for transfer' },
    ])
  })

  test('a call too deep', { tags: 'gate' }, async () => {
    const told: (FrameStart | FrameEnd)[] = []
    const observer: Observer = { enter: (it) => told.push(it), exit: (it) => told.push(it) }
    // Calls itself with all gas.
    await runCode('0x5f5f5f5f5f305af100', { interpreter, gas: 10n ** 15n, observer })
    const deepest = told.findIndex((it) => 'error' in it)
    expect(deepest).toBe(1026)
    expect(told.slice(deepest - 1, deepest + 2)).toMatchObject([
      { kind: 'CALL', depth: 1025 },
      { gasUsed: 0, error: 'max call depth exceeded' },
      { error: undefined },
    ])
  })

  test('a precompile, a collision, and SELFDESTRUCT', async () => {
    const code = concat([
      // 64 bytes to the identity: 15 gas, and 3 a word.
      '0x5f5f60405f5f600461fffff1',
      // CREATE2 of nothing twice.
      '0x5f5f5f5ff55f5f5f5ff5',
      '0x33ff',
    ])
    const told = await observed(code, { interpreter, gas: 1_000_000n })
    const frames: readonly (FrameStart | FrameEnd)[] = told.flatMap((it): (FrameStart | FrameEnd)[] =>
      'enter' in it ? [it.enter] : 'exit' in it ? [it.exit] : [],
    )
    const gas = (frames[5] as FrameStart).gas
    expect(frames.slice(1)).toMatchObject([
      { kind: 'CALL', to: padHex('0x04', { size: 20 }), isPrecompile: true, gas: 65_535 },
      { gasUsed: 21, error: undefined },
      { kind: 'CREATE2', depth: 1 },
      { gasUsed: 0, error: undefined },
      { kind: 'CREATE2', to: (frames[3] as FrameStart).to },
      { gasUsed: gas, error: 'contract address collision' },
      { kind: 'SELFDESTRUCT', depth: 1, from: CONTRACT, value: 1000n, gas: 0 },
      { gasUsed: 0, error: undefined },
      { error: undefined },
    ])
  })

  test('code that costs more than is left to deploy', async () => {
    // CREATE of init code that returns 32 zeros: 6,400 gas, of which the message has about 1,000.
    const code = concat(['0x7f', padHex('0x60205ff3', { dir: 'right', size: 32 }), '0x5f5260045f5ff000'])
    const told = await observed(code, { interpreter, gas: INTRINSIC + 33_100n })
    expect(endsOf(told)[0]).toMatchObject({ error: 'contract creation code storage out of gas' })
  })
})

/** The first creation by CONTRACT, whose nonce is 1, by getCreateAddress of ethers. */
const CREATED = '0x3be81c45a890ffe09e821eae38f4721b543abf40'

test('both interpreters tell the same of frames with more gas than a double holds exactly', async () => {
  const gas = 2n ** 62n + 12_345n
  const accounts = { [OTHER]: codeOf('0x5a505f5f5500') }
  const code = concat([push(1), '0x5f55', send('0xf1', OTHER, 0xffffff), '0x5a5000'])
  const [ours, theirs] = await Promise.all(
    INTERPRETERS.map((interpreter) => observed(code, { interpreter, gas, accounts })),
  )
  expect(ours).toEqual(theirs)
})
