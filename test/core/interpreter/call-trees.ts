// Random contracts that call each other, log, write and fail at all depths: cases for the fuzzer's runner, with more inner
// calls than its own programs make.

import { type Fork, isSince } from '../../../scripts/fuzz/opcodes.js'
import { createRandom, pickWeighted, type Random } from '../../../scripts/fuzz/random.js'
import { type Case, CONTRACTS, type Hex } from '../../../scripts/fuzz/world.js'

const address = (byte: number): Hex => `0x${byte.toString(16).padStart(2, '0').repeat(20)}`
const [SENDER, RICH, DELEGATED, GHOST] = [0x5e, 0x07, 0xde, 0x60].map(address) as [Hex, Hex, Hex, Hex]
/** The last of the words of memory that statements write. */
const LAST_WORD = 9

interface Surroundings {
  readonly random: Random
  readonly fork: Fork
  readonly targets: readonly bigint[]
}

function push(value: number | bigint): string {
  const hex = value.toString(16)
  const bytes = hex.length % 2 === 0 ? hex : `0${hex}`
  return (0x5f + bytes.length / 2).toString(16) + bytes
}

/** Pushes operands so that the first is the top. */
const operands = (...values: readonly (number | bigint)[]): string => values.toReversed().map(push).join('')

const range = (random: Random): [number, number] => [
  random.below(300),
  random.below(random.oneIn(8) ? 5000 : 200),
]

/** MSTORE of the top of the stack. */
const stash = (random: Random): string => `${push(32 * (1 + random.below(LAST_WORD)))}52`

function log({ random }: Surroundings): string {
  const topics = random.below(5)
  const words = Array.from({ length: topics }, () => random.below(1 << 16))
  return operands(...range(random), ...words) + (0xa0 + topics).toString(16)
}

function gasOf(random: Random): string {
  return pickWeighted(random, [
    [5, () => '5a'],
    [3, () => push(random.below(60_000))],
    [1, () => push(random.below(700))],
    [1, () => push((1n << 256n) - 1n)],
  ])()
}

function call({ random, fork, targets }: Surroundings): string {
  const opcode = random.pick(['f1', 'f1', 'f4', 'fa', 'f2'])
  const hasValue = opcode === 'f1' || opcode === 'f2'
  const input: [number, number] = random.oneIn(5) ? range(random) : [0, 32 + random.below(64)]
  const output = range(random)
  // The bits above an address count for nothing.
  const above = random.oneIn(8) ? BigInt(random.below(1 << 20)) << 200n : 0n
  const target = random.oneIn(6) ? '30' : push(above | random.pick(targets))
  const value = hasValue ? push(random.oneIn(8) ? 1 : 0) : ''
  const sent = operands(...input, ...output) + value + target + gasOf(random) + opcode + stash(random)
  const size = `3d${stash(random)}`
  const copied = pickWeighted(random, [
    [3, () => ''],
    // RETURNDATACOPY of all, and of a part, which may be beyond the end.
    [2, () => `3d${operands(random.below(200), 0)}3e`],
    [1, () => `${operands(random.below(200), random.below(40), random.below(40))}3e`],
  ])()
  return sent + (isSince(fork, 'byzantium') ? size + copied : '')
}

function account({ random, targets }: Surroundings): string {
  const target = push(random.pick(targets))
  if (random.oneIn(4))
    return `${operands(random.below(40), random.below(40))}${push(random.below(200))}${target}3c`
  return target + random.pick(['31', '3b', '3f']) + stash(random)
}

function environment({ random }: Surroundings): string {
  const names = [
    '30',
    '32',
    '33',
    '34',
    '36',
    '3a',
    '41',
    '42',
    '43',
    '44',
    '45',
    '46',
    '47',
    '58',
    '59',
    '5a',
  ]
  return random.pick(names) + stash(random)
}

function storage({ random, fork }: Surroundings): string {
  const slot = random.below(3)
  const [load, store] = isSince(fork, 'cancun') && random.oneIn(3) ? ['5c', '5d'] : ['54', '55']
  if (random.oneIn(2)) return push(slot) + load + stash(random)
  const value = random.oneIn(3) ? `${push(32 * random.below(LAST_WORD))}51` : push(random.below(3))
  return value + push(slot) + store
}

function hash({ random }: Surroundings): string {
  return `${operands(32 * random.below(LAST_WORD), random.oneIn(4) ? random.below(200) : 64)}20${stash(random)}`
}

function farMemory({ random }: Surroundings): string {
  return `${push(random.below(random.oneIn(20) ? 1 << 18 : 10_000))}51${stash(random)}`
}

/** Creates an account without code. */
function create({ random }: Surroundings): string {
  return `${operands(0, 200, 0)}f0${stash(random)}`
}

function ending({ random, targets }: Surroundings): string {
  return pickWeighted(random, [
    [12, () => `${operands(...range(random))}f3`],
    [7, () => `${operands(...range(random))}fd`],
    [3, () => '00'],
    [1, () => 'fe'],
    [1, () => '50'],
    [1, () => `${push(1)}56`],
    // Panic(1).
    [2, () => `634e487b7160e01b6000526001600452${operands(0, 36)}fd`],
    [1, () => `${push(random.pick(targets))}ff`],
  ])()
}

/** Runs `body` only where the lowest bits of the first word of the input are these. */
function sometimes(random: Random, body: string, at: number): string {
  // CALLDATALOAD of 0, 3, AND, EQ, and a jump over the body.
  const test = `600035600316600${random.below(4)}1461`
  const after = at + test.length / 2 + 2 + 1 + body.length / 2
  return `${test}${after.toString(16).padStart(4, '0')}57${body}5b`
}

/** A contract that mostly logs and calls, or one that does everything; with an end that does not fail, if asked for. */
function contract(surroundings: Surroundings, logs: boolean, succeeds: boolean): string {
  const { random } = surroundings
  const rest = logs ? 0 : 1
  const make = (): string =>
    pickWeighted(random, [
      [logs ? 8 : 4, log],
      [8, call],
      [3 * rest, account],
      [3, environment],
      [6, storage],
      [2, hash],
      [rest, farMemory],
      [random.oneIn(3) ? rest : 0, create],
    ])(surroundings)
  // Ends where the first word of the input is 0, and puts the word less one into memory: the depth that is left.
  let code = '600035600757005b600160003503600052'
  for (let count = 3 + random.below(10); count > 0; count--) {
    const statement = make()
    code += random.oneIn(2) ? sometimes(random, statement, code.length / 2) : statement
    if (!succeeds && random.oneIn(12)) {
      const early = ending(surroundings)
      code += sometimes(random, early, code.length / 2)
    }
  }
  return code + (succeeds ? '00' : ending(surroundings))
}

const hexBytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

/** With `mostGas` for a message. A tree of some seeds does not end for hours with all gas that there is. */
export function makeCallTree(seed: number, number: number, fork: Fork, mostGas = 5_000_000n): Case {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
  const nothing = { nonce: 0n, balance: 0n, code: [], storage: [] }
  const hasDelegations = isSince(fork, 'prague')
  const named = [
    ...CONTRACTS,
    ...CONTRACTS,
    ...CONTRACTS,
    RICH,
    GHOST,
    ...(hasDelegations ? [DELEGATED] : []),
  ]
  const targets = [...named.map(BigInt), 2n, 4n]
  const surroundings = { random, fork, targets }
  const kind = random.oneIn(4) ? 'transaction' : 'message'
  const logs = random.oneIn(2)
  const contracts = CONTRACTS.map((at, index) => ({
    ...{ address: at, nonce: 1n, balance: random.pick([0n, 1000n]) },
    code: [[{ bytes: hexBytes(contract(surroundings, logs, logs && index === 0)) }]],
    storage: random.oneIn(2)
      ? ([
          [0n, 1n],
          [1n, 7n],
        ] as const)
      : [],
  }))
  const delegation = { bytes: hexBytes(`ef0100${random.pick(CONTRACTS).slice(2)}`) }
  const delegated = { ...nothing, address: DELEGATED, nonce: 1n, balance: 1000n, code: [[delegation]] }
  return {
    ...{ seed, number, fork, kind },
    ...{ precompiles: 'own', steps: 'unwatched', isDeep: false },
    accounts: [
      ...contracts,
      { ...nothing, address: SENDER, balance: 10n ** 30n },
      { ...nothing, address: RICH, balance: 10n ** 18n },
      ...(hasDelegations ? [delegated] : []),
    ],
    message: {
      ...{ from: SENDER, to: CONTRACTS[0] as Hex, value: 0n, code: [], gasPrice: 10n, accessList: [] },
      input: hexBytes((2 + random.below(5)).toString(16).padStart(64, '0')),
      gasLimit: random.pick([100_000n, 300_000n, 1_000_000n, kind === 'message' ? mostGas : 5_000_000n]),
      blobVersionedHashes: [],
    },
    block: {
      ...{ number: 300, timestamp: 1_700_000_000, coinbase: address(0xcb), blobBaseFee: 1n },
      prevRandao: `0x${'11'.repeat(32)}`,
      difficulty: isSince(fork, 'paris') ? 0n : 131_072n,
    },
  }
}
