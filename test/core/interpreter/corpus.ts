// Programs whose outcome is stated in a standard, or follows from one formula of the yellow paper.

import type { Fork } from '../../../scripts/fuzz/opcodes.js'
import type { Hex } from '../../../src/core/primitives/hex.ts'

export interface CorpusCase {
  readonly name: string
  readonly fork: Fork
  /** Runs in an empty frame at 0xc0…c0, without input. */
  readonly code: string
  /** Slot 0 before the program; zero by default. */
  readonly original?: number
  /** Slot 0 is in the access list. */
  readonly isWarm?: true
  /** The return data. */
  readonly returns?: Hex
  /** The gas of the instructions, before refunds. */
  readonly gas?: number
  readonly refund?: number
  readonly failure?: string
  /** It fails and uses all gas, whatever the message. */
  readonly halts?: true
  /** The address of the code, if it matters. */
  readonly at?: Hex
  /** Other contracts, by the repeated byte of their address. */
  readonly others?: Readonly<Record<number, string>>
}

const RETURN_TOP = '60005260206000f3'
const MOST = 'f'.repeat(64)
const LEAST = `8${'0'.repeat(63)}`
const HALF = `4${'0'.repeat(63)}`
const MOST_SIGNED = `7${'f'.repeat(63)}`

const pad = (hex: string): string => hex.padStart(64, '0')
const word = (hex: string): Hex => `0x${pad(hex)}`
const push = (hex: string): string => `7f${pad(hex)}`

/** An instruction on words, in the order of the EIPs: the first is pushed last. */
function operation(
  fork: Fork,
  name: string,
  code: string,
  operands: readonly string[],
  result: string,
): CorpusCase {
  return {
    name: `${name} of ${operands.join(', ')}`,
    fork,
    code: `${[...operands].reverse().map(push).join('')}${code}${RETURN_TOP}`,
    returns: word(result),
  }
}

type Shift = readonly [value: string, shift: string, result: string]

/** The test cases of EIP-145. */
const SHL: readonly Shift[] = [
  ['1', '00', '1'],
  ['1', '01', '2'],
  ['1', 'ff', LEAST],
  ['1', '0100', '0'],
  ['1', '0101', '0'],
  [MOST, '00', MOST],
  [MOST, '01', `${'f'.repeat(63)}e`],
  [MOST, 'ff', LEAST],
  [MOST, '0100', '0'],
  ['0', '01', '0'],
  [MOST_SIGNED, '01', `${'f'.repeat(63)}e`],
]
const SHR: readonly Shift[] = [
  ['1', '00', '1'],
  ['1', '01', '0'],
  [LEAST, '01', HALF],
  [LEAST, 'ff', '1'],
  [LEAST, '0100', '0'],
  [LEAST, '0101', '0'],
  [MOST, '00', MOST],
  [MOST, '01', MOST_SIGNED],
  [MOST, 'ff', '1'],
  [MOST, '0100', '0'],
  ['0', '01', '0'],
]
const SAR: readonly Shift[] = [
  ['1', '00', '1'],
  ['1', '01', '0'],
  [LEAST, '01', `c${'0'.repeat(63)}`],
  [LEAST, 'ff', MOST],
  [LEAST, '0100', MOST],
  [LEAST, '0101', MOST],
  [MOST, '00', MOST],
  [MOST, '01', MOST],
  [MOST, 'ff', MOST],
  [MOST, '0100', MOST],
  ['0', '01', '0'],
  [HALF, 'fe', '1'],
  [MOST_SIGNED, 'f8', '7f'],
  [MOST_SIGNED, 'fe', '1'],
  [MOST_SIGNED, 'ff', '0'],
  [MOST_SIGNED, '0100', '0'],
]

const shifts = (
  [
    ['SHL', '1b', SHL],
    ['SHR', '1c', SHR],
    ['SAR', '1d', SAR],
  ] as const
).flatMap(([name, code, rows]) =>
  rows.map(([value, shift, result]) => operation('constantinople', name, code, [shift, value], result)),
)

/** The test cases of EIP-7939. */
const zeros = [
  ['0', '100'],
  [LEAST, '0'],
  [MOST, '0'],
  [HALF, '1'],
  [MOST_SIGNED, '1'],
  ['1', 'ff'],
].map(([value = '', result = '']) => operation('osaka', 'CLZ', '1e', [value], result))

/** Section H.2 of the yellow paper, at the ends of ranges. */
const arithmetic = [
  operation('byzantium', 'SDIV', '05', [LEAST, MOST], LEAST),
  operation('byzantium', 'SDIV', '05', [MOST, '2'], '0'),
  operation('byzantium', 'DIV', '04', ['1', '0'], '0'),
  operation('byzantium', 'SDIV', '05', [LEAST, '0'], '0'),
  operation('byzantium', 'MOD', '06', ['5', '0'], '0'),
  // The sign is that of the dividend: -8 mod 3 is -2, and 8 mod -3 is 2.
  operation('byzantium', 'SMOD', '07', [`${'f'.repeat(63)}8`, '3'], `${'f'.repeat(63)}e`),
  operation('byzantium', 'SMOD', '07', ['8', `${'f'.repeat(63)}d`], '2'),
  operation('byzantium', 'SMOD', '07', [LEAST, MOST], '0'),
  // 2 ** 256 + 1, and the remainder of (2 ** 256 - 1) ** 2: neither wraps.
  operation('byzantium', 'ADDMOD', '08', [MOST, '2', '2'], '1'),
  operation('byzantium', 'ADDMOD', '08', [MOST, MOST, MOST], '0'),
  operation('byzantium', 'ADDMOD', '08', ['1', '1', '0'], '0'),
  operation('byzantium', 'MULMOD', '09', [MOST, MOST, 'c'], '9'),
  operation('byzantium', 'MULMOD', '09', [MOST, MOST, '0'], '0'),
  operation('byzantium', 'MULMOD', '09', [LEAST, '2', MOST], '1'),
  operation('byzantium', 'EXP', '0a', ['0', '0'], '1'),
  operation('byzantium', 'EXP', '0a', ['2', '100'], '0'),
  operation('byzantium', 'EXP', '0a', ['2', 'ff'], LEAST),
  operation('byzantium', 'EXP', '0a', [MOST, MOST], MOST),
  operation('byzantium', 'SIGNEXTEND', '0b', ['0', 'ff'], MOST),
  operation('byzantium', 'SIGNEXTEND', '0b', ['0', '017f'], '7f'),
  operation('byzantium', 'SIGNEXTEND', '0b', ['1f', LEAST], LEAST),
  operation('byzantium', 'SIGNEXTEND', '0b', ['20', 'ff'], 'ff'),
  operation('byzantium', 'SIGNEXTEND', '0b', [MOST, 'ff'], 'ff'),
  operation('byzantium', 'BYTE', '1a', ['1f', 'abcd'], 'cd'),
  operation('byzantium', 'BYTE', '1a', ['0', `ab${'0'.repeat(62)}`], 'ab'),
  operation('byzantium', 'BYTE', '1a', ['20', MOST], '0'),
  operation('byzantium', 'BYTE', '1a', [`1${'0'.repeat(16)}`, MOST], '0'),
  operation('byzantium', 'SLT', '12', [LEAST, MOST_SIGNED], '1'),
  operation('byzantium', 'SGT', '13', [MOST, '0'], '0'),
]

type Writes = readonly [original: number, ...writes: number[]]

/** The test writes of EIP-1283, which EIP-2200 and EIP-3529 repeat. */
const WRITES: readonly Writes[] = [
  [0, 0, 0],
  [0, 0, 1],
  [0, 1, 0],
  [0, 1, 2],
  [0, 1, 1],
  [1, 0, 0],
  [1, 0, 1],
  [1, 0, 2],
  [1, 2, 0],
  [1, 2, 3],
  [1, 2, 1],
  [1, 2, 2],
  [1, 1, 0],
  [1, 1, 2],
  [1, 1, 1],
  [0, 1, 0, 1],
  [1, 0, 1, 0],
]

type Price = readonly [gas: number, refund: number]

/** Their costs and refunds, in the rows of the EIPs' tables. */
const EIP_1283: readonly Price[] = [
  ...([
    [412, 0],
    [20_212, 0],
    [20_212, 19_800],
    [20_212, 0],
    [20_212, 0],
    [5212, 15_000],
  ] as const),
  ...([
    [5212, 4800],
    [5212, 0],
    [5212, 15_000],
    [5212, 0],
    [5212, 4800],
    [5212, 0],
  ] as const),
  ...([
    [5212, 15_000],
    [5212, 0],
    [412, 0],
    [40_218, 19_800],
    [10_218, 19_800],
  ] as const),
]
const EIP_2200: readonly Price[] = [
  ...([
    [1612, 0],
    [20_812, 0],
    [20_812, 19_200],
    [20_812, 0],
    [20_812, 0],
    [5812, 15_000],
  ] as const),
  ...([
    [5812, 4200],
    [5812, 0],
    [5812, 15_000],
    [5812, 0],
    [5812, 4200],
    [5812, 0],
  ] as const),
  ...([
    [5812, 15_000],
    [5812, 0],
    [1612, 0],
    [40_818, 19_200],
    [10_818, 19_200],
  ] as const),
]
const EIP_3529: readonly Price[] = [
  ...([
    [212, 0],
    [20_112, 0],
    [20_112, 19_900],
    [20_112, 0],
    [20_112, 0],
    [3012, 4800],
  ] as const),
  ...([
    [3012, 2800],
    [3012, 0],
    [3012, 4800],
    [3012, 0],
    [3012, 2800],
    [3012, 0],
  ] as const),
  ...([
    [3012, 4800],
    [3012, 0],
    [212, 0],
    [40_118, 19_900],
    [5918, 7600],
  ] as const),
]

function storageCases(standard: string, fork: Fork, prices: readonly Price[], isWarm?: true): CorpusCase[] {
  return WRITES.map(([original, ...writes], index) => {
    const [gas = 0, refund = 0] = prices[index] ?? []
    const code = writes.map((value) => `60${value.toString(16).padStart(2, '0')}600055`).join('')
    const name = `${standard}: slot of ${original} set to ${writes.join(', ')}`
    return { name, fork, code, original, gas, refund, ...(isWarm === undefined ? {} : { isWarm }) }
  })
}

const storage = [
  ...storageCases('EIP-1283', 'constantinople', EIP_1283),
  ...storageCases('EIP-2200', 'istanbul', EIP_2200),
  ...storageCases('EIP-3529', 'london', EIP_3529, true),
  ...storageCases('EIP-3529', 'cancun', EIP_3529, true),
]

/** The test cases of EIP-5656: memory before, the copy, memory after. */
const copies = (
  [
    // MCOPY 0 32 32
    [`${'00'.repeat(32)}000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f`, [0, 32, 32]],
    ['01'.repeat(32), [0, 0, 32]],
    [`0001020304050607080${'0'.repeat(45)}`, [0, 1, 8]],
    [`0001020304050607080${'0'.repeat(45)}`, [1, 0, 8]],
  ] as const
).map(([before, [to, from, size]], index): CorpusCase => {
  const after = [
    `${'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'.repeat(2)}`,
    '01'.repeat(32),
    `0102030405060708080${'0'.repeat(45)}`,
    `0000010203040506070${'0'.repeat(45)}`,
  ][index]
  const words = before.match(/.{64}/g) ?? []
  const store = words.map((it, i) => `7f${it}60${(32 * i).toString(16).padStart(2, '0')}52`).join('')
  const operands = [size, from, to].map((it) => `60${it.toString(16).padStart(2, '0')}`).join('')
  return {
    name: `EIP-5656: MCOPY ${to} ${from} ${size}`,
    fork: 'cancun',
    code: `${store}${operands}5e596000f3`,
    returns: `0x${after}`,
    // Each word: two constants, MSTORE and its memory. Then three constants, 6 for the copy, and the end.
    gas: words.length * (3 + 3 + 3 + 3) + 9 + 6 + 5,
  }
})

const ADDRESS_OF_CORPUS = 'c0'.repeat(20)
const OTHER = 'c1'.repeat(20)
/** Calls OTHER with all gas and no input, and returns its success flag. */
const callOther = (kind: 'f1' | 'f2' | 'f4' | 'fa'): string =>
  `6000600060006000${kind < 'f3' ? '6000' : ''}73${OTHER}5a${kind}${RETURN_TOP}`

/** Creates a contract whose code is one byte, and returns the size of its code. */
const deploying = (byte: string): string => `6960${byte}60005360016000f3600052600a60166000f03b${RETURN_TOP}`
const allButA64th = (gas: number): number => gas - Math.floor(gas / 64)

const rest: readonly CorpusCase[] = [
  // EIP-3855.
  { name: 'EIP-3855: PUSH0', fork: 'shanghai', code: `5f${RETURN_TOP}`, returns: word('0') },
  { name: 'EIP-3855: 1024 of them fill the stack', fork: 'shanghai', code: '5f'.repeat(1024), gas: 2048 },
  { name: 'EIP-3855: one more', fork: 'shanghai', code: '5f'.repeat(1025), failure: 'stack overflow' },
  { name: 'PUSH0 before shanghai', fork: 'paris', code: '5f', failure: 'invalid opcode: INVALID' },
  // EIP-211: beyond the end of return data, even without a byte of it.
  {
    name: 'EIP-211: nothing from beyond the end',
    fork: 'byzantium',
    code: '6000600160003e',
    halts: true,
  },
  { name: 'EIP-211: nothing from the end', fork: 'byzantium', code: '6000600060003e', gas: 12 },
  // The yellow paper, 9.4.3 and appendix H.
  {
    name: 'a jump past 2 ** 32 is not one to its lower bits',
    fork: 'byzantium',
    code: '5b64010000000056',
    failure: 'invalid jump destination',
  },
  {
    name: 'a jump past 2 ** 64 is not one to its lower bits',
    fork: 'byzantium',
    code: '5b6801000000000000000056',
    failure: 'invalid jump destination',
  },
  {
    name: 'a jump into the data of a PUSH',
    fork: 'byzantium',
    code: '600456605b',
    failure: 'invalid jump destination',
  },
  {
    name: 'a jump that is not taken, to nowhere',
    fork: 'byzantium',
    code: `6000${push(MOST)}57`,
    gas: 3 + 3 + 10,
  },
  { name: 'a PUSH whose bytes are cut off ends the frame', fork: 'byzantium', code: '61ff', gas: 3 },
  { name: 'code that is at an end', fork: 'byzantium', code: '', gas: 0 },
  { name: 'an underflow of SWAP1', fork: 'byzantium', code: '600190', failure: 'stack underflow' },
  { name: 'an underflow of DUP2', fork: 'byzantium', code: '600181', failure: 'stack underflow' },
  // 3 a word, and the square of words over 512: 1024 words are 3072 + 2048.
  { name: 'memory of 1024 words', fork: 'byzantium', code: '617fe051', gas: 3 + 3 + 3072 + 2048 },
  {
    name: 'memory of 2 ** 16 bytes and a word',
    fork: 'byzantium',
    code: '6201000051',
    gas: 3 + 3 + 3 * 2049 + Math.floor(2049 ** 2 / 512),
  },
  { name: 'memory that nobody pays', fork: 'byzantium', code: `${push(MOST)}51`, failure: 'out of gas' },
  {
    name: 'a range of no bytes takes no memory',
    fork: 'byzantium',
    code: `6000${push(MOST)}20${RETURN_TOP}`,
    returns: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  },
  { name: 'KECCAK256 of two words', fork: 'byzantium', code: '6040600020', gas: 3 + 3 + 30 + 12 + 6 },
  { name: 'LOG2 of 8 bytes', fork: 'byzantium', code: '6001600260086000a2', gas: 12 + 375 * 3 + 64 + 3 },
  {
    name: 'EIP-160: 50 for a byte of the exponent',
    fork: 'spuriousDragon',
    code: '61ffff60020a',
    gas: 6 + 10 + 100,
  },
  {
    name: 'before EIP-160: 10 for a byte of the exponent',
    fork: 'tangerineWhistle',
    code: '61ffff60020a',
    gas: 6 + 10 + 20,
  },
  {
    name: 'calldata beyond its end is zero',
    fork: 'byzantium',
    code: `${push(MOST)}35${RETURN_TOP}`,
    returns: word('0'),
  },
  {
    name: 'code beyond its end is zero',
    fork: 'byzantium',
    code: `6020${push(MOST)}60003960005160005260206000f3`,
    returns: word('0'),
  },
  // EIP-2929.
  {
    name: 'EIP-2929: a slot cold and warm',
    fork: 'berlin',
    code: '60005460005450',
    gas: 3 + 2100 + 3 + 100 + 2,
  },
  {
    name: 'EIP-2929: an account cold and warm',
    fork: 'berlin',
    code: `73${OTHER}3173${OTHER}3b`,
    gas: 3 + 2600 + 3 + 100,
  },
  { name: 'EIP-1884: SLOAD', fork: 'istanbul', code: '600054', gas: 3 + 800 },
  // EIP-2200: no write with the stipend alone.
  {
    name: 'EIP-2200: a write with 2300 of gas fails',
    fork: 'istanbul',
    code: `6000600060006000600173${OTHER}6000f1${RETURN_TOP}`,
    others: { 193: '6000600055' },
    returns: word('0'),
  },
  // EIP-214, EIP-1153.
  {
    name: 'EIP-214: a write in a static call',
    fork: 'byzantium',
    code: callOther('fa'),
    others: { 193: '6001600055' },
    returns: word('0'),
  },
  {
    name: 'EIP-214: a log in a static call',
    fork: 'byzantium',
    code: callOther('fa'),
    others: { 193: '60006000a0' },
    returns: word('0'),
  },
  {
    name: 'EIP-1153: a transient write in a static call',
    fork: 'cancun',
    code: callOther('fa'),
    others: { 193: '600160005d' },
    returns: word('0'),
  },
  {
    name: 'EIP-1153: TLOAD in a static call',
    fork: 'cancun',
    code: callOther('fa'),
    others: { 193: '60005c' },
    returns: word('1'),
  },
  {
    name: 'EIP-1153: what was reverted is gone',
    fork: 'cancun',
    code: `${callOther('f4').slice(0, -RETURN_TOP.length)}5060005c${RETURN_TOP}`,
    others: { 193: '600160005d60006000fd' },
    returns: word('0'),
  },
  {
    name: 'EIP-1153: what was not is there',
    fork: 'cancun',
    code: `${callOther('f4').slice(0, -RETURN_TOP.length)}5060005c${RETURN_TOP}`,
    others: { 193: '600160005d' },
    returns: word('1'),
  },
  // EIP-1052.
  {
    name: 'EIP-1052: the hash of nobody',
    fork: 'constantinople',
    code: `73${'60'.repeat(20)}3f${RETURN_TOP}`,
    returns: word('0'),
  },
  {
    name: 'EIP-1052: the hash of no code',
    fork: 'constantinople',
    code: `333f${RETURN_TOP}`,
    returns: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  },
  { name: 'EIP-1344: the chain id', fork: 'istanbul', code: `46${RETURN_TOP}`, returns: word('7a69') },
  {
    // The gas left after seven pushes, the call and a word of memory; GAS itself costs 2.
    name: 'EIP-150: a call for more than there is gets all but a 64th',
    fork: 'byzantium',
    code: `6020600060006000600073${OTHER}5af160206000f3`,
    others: { 193: `5a${RETURN_TOP}` },
    returns: word((allButA64th(979_000 - 20 - 700 - 3) - 2).toString(16)),
  },
  {
    name: 'DELEGATECALL keeps the address',
    fork: 'byzantium',
    code: `602060006000600073${OTHER}5af460206000f3`,
    others: { 193: `30${RETURN_TOP}` },
    returns: word(ADDRESS_OF_CORPUS),
  },
  {
    name: 'CALL has its own',
    fork: 'byzantium',
    code: `6020600060006000600073${OTHER}5af160206000f3`,
    others: { 193: `30${RETURN_TOP}` },
    returns: word(OTHER),
  },
  // EIP-3541, EIP-3860: a failed creation leaves zero.
  { name: 'EIP-3541: code that begins with 0xef', fork: 'london', code: deploying('ef'), returns: word('0') },
  { name: 'before EIP-3541', fork: 'berlin', code: deploying('ef'), returns: word('1') },
  { name: 'EIP-3541: code that begins otherwise', fork: 'london', code: deploying('fe'), returns: word('1') },
  {
    name: 'EIP-1014: the second example',
    fork: 'constantinople',
    at: '0xdeadbeef00000000000000000000000000000000',
    code: `6000600160006000f5${RETURN_TOP}`,
    returns: word('b928f69bb1d91cd65274e3c79d8986362984fda3'),
  },
]

export const CORPUS: readonly CorpusCase[] = [
  ...shifts,
  ...zeros,
  ...arithmetic,
  ...storage,
  ...copies,
  ...rest,
]
