// Codecs of whole numbers. They differ in the range and the notations.

import type { Hex } from '../../primitives/hex.ts'
import { MAX_GAS_LIMIT, MAX_UINT64, MAX_UINT256 } from '../../primitives/numbers.ts'
import { type Codec, refuseValue } from './codec.ts'

/** A whole number: a bigint, a JavaScript integer, or a hex or decimal string. */
export type Amount = bigint | number | string

/** Notations of a whole number, besides a JavaScript number. */
interface Notation {
  readonly takesHex: boolean
  readonly takesDigits: boolean
  readonly takesBigInt: boolean
  readonly words: string
}

const NUMBER: Notation = { takesHex: false, takesDigits: false, takesBigInt: false, words: '' }
/** The execution-apis have hex; the other emulators take JSON numbers, too. */
const QUANTITY: Notation = { ...NUMBER, takesHex: true, words: ', as hex or number' }
/** Parameters of methods that come from emulators, which also accept decimal digits. */
const LENIENT: Notation = { ...QUANTITY, takesDigits: true, words: ', as hex, number or decimal string' }
/** Amounts in functions and options: JSON has no bigints. */
const ANY: Notation = { ...LENIENT, takesBigInt: true, words: ', as bigint, number, hex or decimal string' }

const HEX = /^0x[0-9a-fA-F]+$/
/** More digits than 256 bits have are not parsed. */
const DIGITS = /^[0-9]{1,80}$/

function read(value: unknown, { takesHex, takesDigits, takesBigInt }: Notation): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value === 'bigint') return takesBigInt ? value : undefined
  if (typeof value !== 'string') return undefined
  const isNumber = (takesHex && HEX.test(value)) || (takesDigits && DIGITS.test(value))
  return isNumber ? BigInt(value) : undefined
}

function showBound(most: bigint): string {
  if (most === MAX_UINT256) return '2^256 - 1'
  if (most === MAX_GAS_LIMIT) return '2^63 - 1'
  return most === MAX_UINT64 ? '2^64 - 1' : `${most}`
}

function within(
  notation: Notation,
  most: bigint | number,
  least: bigint | number = 0n,
): (value: unknown, path: string) => bigint {
  const expected = `a whole number from ${least} to ${showBound(BigInt(most))}${notation.words}`
  return (value, path) => {
    const number = read(value, notation)
    const isWithin = number !== undefined && number >= least && number <= most
    return isWithin ? number : refuseValue(path, expected, value)
  }
}

/** A hex number of up to 256 bits. */
export const quantity: Codec<bigint, Hex | number> = {
  name: 'quantity',
  decode: within(QUANTITY, MAX_UINT256),
}

/** A hex number of up to 64 bits. */
export const uint64: Codec<bigint, Hex | number> = {
  name: 'quantity (64 bits)',
  decode: within(QUANTITY, MAX_UINT64),
}

/** The gas limit of a block. */
export const blockGasLimit: Codec<bigint, Hex | number> = {
  name: 'quantity (63 bits)',
  decode: within(QUANTITY, MAX_GAS_LIMIT),
}

/** A hex number of up to 8 bits. */
export const uint8: Codec<bigint, Hex | number> = { name: 'quantity (8 bits)', decode: within(QUANTITY, 255) }

/** An amount of wei or tokens, in methods that come from emulators. */
export const amount: Codec<bigint, string | number> = {
  name: 'amount',
  decode: within(LENIENT, MAX_UINT256),
}

export const nonce: Codec<bigint, string | number> = { name: 'nonce', decode: within(LENIENT, MAX_UINT64) }

/** Seconds since the Unix epoch, as the other emulators take them. */
export const timestamp: Codec<bigint, string | number> = {
  name: 'timestamp',
  decode: within(LENIENT, MAX_UINT64),
}

/** An amount in a function or an option. */
export function amountUpTo(most: bigint): Codec<bigint, Amount> {
  return { name: 'amount', decode: within(ANY, most) }
}

export const anyAmount: Codec<bigint, Amount> = amountUpTo(MAX_UINT256)

/** Makes codecs of counts and times, which fit a JavaScript integer. */
export type WholeNumbers<Wire> = (least?: number, most?: number) => Codec<number, Wire>

/** For JSON-RPC: hex, a JSON number, or decimal digits. */
export const integerFrom: WholeNumbers<Hex | number | string> = (
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
) => {
  const decode = within(LENIENT, most, least)
  return { name: 'integer', decode: (value, path) => Number(decode(value, path)) }
}

/** For functions and options: numbers. */
export const numberFrom: WholeNumbers<number> = (least = 0, most = Number.MAX_SAFE_INTEGER) => {
  const decode = within(NUMBER, most, least)
  return { name: 'number', decode: (value, path) => Number(decode(value, path)) }
}

export const integer = integerFrom()
export const number = numberFrom()
