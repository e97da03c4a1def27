// Random input of test/contracts/Doer.sol: what it does, and what contracts that it calls and makes do.

import { concat, getCreate2Address, type Hex, keccak256, numberToHex, padHex, size } from 'viem'
import { pickWeighted, type Random } from '../../scripts/fuzz/random.js'

export const DOERS: readonly Hex[] = [1, 2, 3].map((digit): Hex => `0x${'d0'.repeat(19)}0${digit}`)
/** Not in genesis. */
const GHOST: Hex = `0x${'60'.repeat(20)}`
/** The contract that was made last. */
const MADE: Hex = `0x${'00'.repeat(20)}`

const ALL_GAS = 0xffffff
export const KIND = { call: 0, callcode: 1, delegatecall: 2, staticcall: 3 } as const

const bytes = (value: number, length: number): Hex => numberToHex(value, { size: length })

export const act = {
  store: (slot: number, value: number) => concat(['0x01', bytes(slot, 1), bytes(value, 1)]),
  load: (slot: number) => concat(['0x02', bytes(slot, 1)]),
  storeTransient: (slot: number, value: number) => concat(['0x03', bytes(slot, 1), bytes(value, 1)]),
  loadTransient: (slot: number) => concat(['0x04', bytes(slot, 1)]),
  call: (target: Hex, input: Hex, { kind = 0, gas = ALL_GAS, value = 0, output = 32 } = {}) => {
    const limits = [bytes(gas, 3), bytes(value, 1), bytes(output, 1), bytes(size(input), 2)]
    return concat(['0x05', bytes(kind, 1), target, ...limits, input])
  },
  create: (code: Hex, { salt = 0, value = 0 } = {}) =>
    concat(['0x06', bytes(salt, 1), bytes(value, 1), bytes(size(code), 2), code]),
  destroy: (beneficiary: Hex) => concat(['0x07', beneficiary]),
  revert: (): Hex => '0x08',
  fail: (): Hex => '0x09',
  look: (account: Hex) => concat(['0x0a', account]),
  noteGas: (): Hex => '0x0b',
  fill: (first: number, count: number, value: number) =>
    concat(['0x0c', bytes(first, 2), bytes(count, 2), bytes(value, 1)]),
  read: (first: number, count: number) => concat(['0x0d', bytes(first, 2), bytes(count, 2)]),
  returns: (length: number) => concat(['0x0e', bytes(length, 2)]),
  log: (): Hex => '0x0f',
  recurse: (kind: number) => concat(['0x10', bytes(kind, 1)]),
  noteBlock: (): Hex => '0x11',
  countTransient: (first: number, count: number) => concat(['0x12', bytes(first, 2), bytes(count, 2)]),
} as const

/** Init code that copies the code of a doer: EXTCODESIZE, EXTCODECOPY and RETURN. */
function copying(doer: Hex): Hex {
  return concat(['0x73', doer, '0x3b805f5f73', doer, '0x3c5ff3'])
}

/** Init code that has a doer act on the new contract first. */
function acting(doer: Hex, script: Hex): Hex {
  const then = copying(doer)
  // CODECOPY of the script, and DELEGATECALL with it, whose result stays on the stack: 37 bytes.
  const length = bytes(size(script), 2)
  const at = bytes(37 + size(then), 2)
  const start = concat(['0x61', length, '0x61', at, '0x5f395f5f61', length, '0x5f73', doer, '0x5af4'])
  return concat([start, then, script])
}

const PLAIN = DOERS.map(copying)
const SALTS = [1, 2]
/** Where doers make doers without constructor by CREATE2. */
export const CHILDREN: readonly Hex[] = DOERS.flatMap((from) =>
  SALTS.map((salt) => {
    const options = { from, salt: padHex(bytes(salt, 1), { size: 32 }), bytecodeHash: keccak256(PLAIN[0]!) }
    return getCreate2Address(options).toLowerCase() as Hex
  }),
)

const PRECOMPILES: readonly Hex[] = [...Array.from({ length: 18 }, (_, index) => index), 0x100].map(
  (number) => padHex(numberToHex(number), { size: 20 }),
)

/**
 * Init code that fails or returns odd contracts: nothing, 0xef, 24,577 bytes, an invalid opcode. Not 0xef00, nor a revert
 * with 0xef, of which @ethereumjs has its own idea: test/core/interpreter/frames.sized.test.ts.
 */
const ODD_CODES: readonly Hex[] = [
  ...(['0x', '0x00', '0x60ef5f5360015ff3', '0x6160015ff3', '0xfe', '0xef'] as const),
  ...(['0x33ff', '0x30ff', '0x60015f5560206000f3', '0x5f5f5f5f5f335af15f5260205ff3'] as const),
]

export interface Places {
  readonly random: Random
  /** Accounts that may be called, besides doers: delegated accounts and others. */
  readonly accounts: readonly Hex[]
}

function anyTarget({ random, accounts }: Places): Hex {
  return pickWeighted(random, [
    [6, () => random.pick(DOERS)],
    [3, () => random.pick(CHILDREN)],
    [3, () => random.pick(accounts)],
    [2, () => MADE],
    [1, () => GHOST],
  ])()
}

function randomBytes(random: Random, length: number): Hex {
  return concat(Array.from({ length }, () => bytes(random.oneIn(2) ? 0 : random.below(256), 1)))
}

/** A call of a precompiled contract: lengths around those that it expects, and little gas. */
function callPrecompile({ random }: Places): Hex {
  const length = random.pick([0, 1, 31, 32, 33, 64, 96, 97, 127, 128, 160, 192, 213, 256, 288, 384])
  const input = random.oneIn(3) ? bytes(0, Math.max(1, length)) : randomBytes(random, length)
  return act.call(random.pick(PRECOMPILES), length === 0 ? '0x' : input, {
    kind: random.below(4),
    gas: random.pick([0, 14, 15, 18, 100, 150, 2999, 3000, 3450, 6000, 45_000, 100_000, ALL_GAS]),
    value: random.pick([0, 0, 0, 1]),
    output: random.pick([0, 1, 32, 64]),
  })
}

function randomInit(places: Places, depth: number): Hex {
  const { random } = places
  return pickWeighted(random, [
    [4, () => PLAIN[0]!],
    [2, () => random.pick(PLAIN)],
    [3, () => acting(random.pick(DOERS), randomScript(places, depth + 1))],
    [2, () => random.pick(ODD_CODES)],
  ])()
}

function randomAction(places: Places, depth: number): Hex {
  const { random } = places
  const slot = () => random.below(4)
  const leaf: readonly (readonly [number, () => Hex])[] = [
    [6, () => act.store(slot(), random.below(3))],
    [5, () => act.load(slot())],
    [3, () => act.storeTransient(slot(), random.below(3))],
    [3, () => act.loadTransient(slot())],
    [2, () => act.look(anyTarget(places))],
    [2, () => act.noteGas()],
    [1, () => act.log()],
    [1, () => act.noteBlock()],
    [1, () => act.fill(random.below(8), random.below(40), random.below(2))],
    [1, () => act.read(random.below(8), random.below(40))],
    [1, () => act.countTransient(1 + random.below(8), random.below(40))],
    [2, () => callPrecompile(places)],
    [
      1,
      () =>
        random.pick([
          act.revert(),
          act.fail(),
          act.destroy(anyTarget(places)),
          act.returns(random.below(70)),
        ]),
    ],
  ]
  if (depth > 3) return pickWeighted(random, leaf)()
  return pickWeighted(random, [
    ...leaf,
    [8, () => randomCall(places, depth)],
    [
      3,
      () =>
        act.create(randomInit(places, depth), { salt: random.below(3), value: random.pick([0, 0, 1, 200]) }),
    ],
  ])()
}

function randomCall(places: Places, depth: number): Hex {
  const { random } = places
  return act.call(anyTarget(places), randomScript(places, depth + 1), {
    kind: random.pick([0, 0, 0, 1, 2, 2, 3]),
    gas: random.pick([ALL_GAS, ALL_GAS, ALL_GAS, 200_000, 30_000, 5000, 2300, 0]),
    value: random.pick([0, 0, 0, 1, 255]),
    output: random.pick([0, 32, 32, 100]),
  })
}

/** Some actions, one after another. */
export function randomScript(places: Places, depth = 0): Hex {
  const { random } = places
  const length = 1 + random.below(depth === 0 ? 9 : 5)
  return concat(Array.from({ length }, () => randomAction(places, depth)))
}
