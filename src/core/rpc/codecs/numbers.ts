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
  name: string,
  notation: Notation,
  most: bigint | number,
  least: bigint | number = 0n,
): Codec<bigint, never> {
  const expected = `a whole number from ${least} to ${showBound(BigInt(most))}${notation.words}`
  return {
    name,
    decode(value, path) {
      const number = read(value, notation)
      const isWithin = number !== undefined && number >= least && number <= most
      return isWithin ? number : refuseValue(path, expected, value)
    },
  }
}

type HexOrNumber = Codec<bigint, Hex | number>
type TextOrNumber = Codec<bigint, string | number>

export const quantity: HexOrNumber = within('quantity', QUANTITY, MAX_UINT256)
export const uint64: HexOrNumber = within('quantity (64 bits)', QUANTITY, MAX_UINT64)
export const blockGasLimit: HexOrNumber = within('quantity (63 bits)', QUANTITY, MAX_GAS_LIMIT)
export const uint8: HexOrNumber = within('quantity (8 bits)', QUANTITY, 255)

/** An amount of wei or tokens, in methods that come from emulators. */
export const amount: TextOrNumber = within('amount', LENIENT, MAX_UINT256)
export const nonce: TextOrNumber = within('nonce', LENIENT, MAX_UINT64)
/** Seconds since the Unix epoch, as the other emulators take them. */
export const timestamp: TextOrNumber = within('timestamp', LENIENT, MAX_UINT64)

/** An amount in a function or an option. */
export function amountUpTo(most: bigint): Codec<bigint, Amount> {
  return within('amount', ANY, most)
}

export const anyAmount: Codec<bigint, Amount> = amountUpTo(MAX_UINT256)

/** Makes codecs of counts and times, which fit a JavaScript integer. */
export type WholeNumbers<Wire> = (least?: number, most?: number) => Codec<number, Wire>

function wholeNumbers<Wire>(name: string, notation: Notation): WholeNumbers<Wire> {
  return (least = 0, most = Number.MAX_SAFE_INTEGER) => {
    const { decode } = within(name, notation, most, least)
    return { name, decode: (value, path) => Number(decode(value, path)) }
  }
}

/** For JSON-RPC: hex, a JSON number, or decimal digits. */
export const integerFrom = wholeNumbers<Hex | number | string>('integer', LENIENT)
/** For functions and options: numbers. */
export const numberFrom = wholeNumbers<number>('number', NUMBER)

export const integer = integerFrom()
export const number = numberFrom()
