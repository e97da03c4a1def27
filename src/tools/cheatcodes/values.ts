// Values in texts, by the names of their types: numbers and bytes as forge 1.7.1 reads them from arguments, variables, JSON
// and TOML.

import type { AbiValue } from '../../core/primitives/abi.ts'
import type { Hex } from '../../core/primitives/hex.ts'
import { CheatcodeRefusal } from './errors.ts'

const NUMBER = /^([+-]?)(0x[\da-f]+|[\d_]+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(wei|gwei|ether|szabo|finney)?$/i
const UNITS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, szabo: 12, finney: 15, ether: 18 }
/** More digits are no number of 256 bits. */
const MOST_DIGITS = 400

/** A decimal with a power of ten, as long as it is a whole number. */
function wholeOf(decimal: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = /^([\d_]*)\.?(\d*)(?:e(.+))?$/i.exec(decimal) ?? []
  const kept = fraction.replace(/0+$/, '')
  const power = Number(exponent) + decimals - kept.length
  if (Math.abs(power) > MOST_DIGITS) return undefined
  const digits = BigInt(whole.replaceAll('_', '') + kept)
  if (power >= 0) return digits * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  return digits % divisor === 0n ? digits / divisor : undefined
}

function numberIn(text: string, least: bigint, most: bigint): bigint | undefined {
  const [, sign, digits, unit = 'wei'] = NUMBER.exec(text) ?? []
  if (digits === undefined) return undefined
  const isHex = /^0x/i.test(digits)
  const value = isHex ? BigInt(digits) : wholeOf(digits, UNITS[unit.toLowerCase()] as number)
  if (value === undefined) return undefined
  const signed = sign === '-' ? -value : value
  return signed >= least && signed < most ? signed : undefined
}

function bytesIn(text: string, length?: number): Hex | undefined {
  if (text === '') return undefined
  const bytes = text.startsWith('0x') ? text.slice(2) : text
  const isHex = /^([\da-fA-F]{2})*$/.test(bytes) && (length ?? bytes.length / 2) === bytes.length / 2
  return isHex ? `0x${bytes.toLowerCase()}` : undefined
}

/** The parsers, by kinds of types; the size is that of the type's name. */
const PARSERS: Readonly<Record<string, (text: string, size: number) => AbiValue | undefined>> = {
  uint: (text, bits) => (/^[+-]/.test(text) ? undefined : numberIn(text, 0n, 1n << BigInt(bits))),
  int: (text, bits) => numberIn(text, -(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)),
  bool: (text) => ({ true: true, false: false, '1': true, '0': false })[text.toLowerCase()],
  address: (text) => bytesIn(text, 20),
  bytes: (text, length) => bytesIn(text, length === 0 ? undefined : length),
  string: (text) => text,
}

/** The types of values that are read from texts, by the part of the cheatcodes' names that says so. */
export const TYPES: Readonly<Record<string, string>> = {
  ...{ Uint: 'uint256', Int: 'int256', Bool: 'bool', Address: 'address', Bytes32: 'bytes32' },
  ...{ Bytes: 'bytes', String: 'string' },
}

const NO_HEX = 'expected hex digits or the `0x` prefix for an empty hex string'

type Fault = readonly [column: number, words: string]

function numberFault(text: string, isSigned: boolean): Fault {
  const [start = ''] = (isSigned ? /^[+-]?(0x)?/ : /^(0x)?/).exec(text) ?? []
  if (!/^[\da-f]/i.test(text.slice(start.length))) return [start.length, 'expected at least one digit']
  const [fraction] = /\.\d*[1-9]/.exec(text) ?? []
  if (fraction !== undefined) return [text.length, `non-zero fraction ${fraction} not allowed`]
  return [text.length, /e-/i.test(text) ? 'negative units not allowed' : '']
}

function hexFault(text: string, type: string): Fault {
  if (!/^(0x|[\da-f])/i.test(text)) return [0, NO_HEX]
  const [digits = ''] = /^(0x)?[\da-f]*/i.exec(text) ?? []
  if (type === 'bytes' && digits !== text) return [digits.length, '']
  const column = /^bytes\d/.test(type) ? text.length : 0
  return [column, text.length % 2 === 1 ? 'odd number of digits' : 'invalid string length']
}

/** Where the parser of forge stops in a text that is no value of a type, and its words. */
function faultOf(text: string, type: string): Fault {
  if (type.endsWith(']')) return [0, 'expected `[`']
  if (type.includes('int')) return numberFault(text, type.startsWith('int'))
  if (type !== 'bool') return hexFault(text, type)
  const [letters = ''] = /^[a-z]*/i.exec(text) ?? []
  return [letters.length, /^(true|false)$/i.test(letters) ? '' : 'invalid boolean']
}

/** Why a text is no value of a type, in the words of forge. */
function whyNot(text: string, type: string, shown: string): string {
  if (/int\d*$|^bytes\d*$/.test(type) && /^[\da-fA-F]*$/.test(text)) {
    return 'missing hex prefix ("0x") for hex string'
  }
  const [column, words] = faultOf(text, type)
  return `parser error:\n${shown}\n${' '.repeat(column)}^\n${words}`
}

/** The value in a text, which a name stands for in a refusal. */
export function parseValue(text: string, type: string, name?: string): AbiValue {
  const [, kind = '', size] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  const value = PARSERS[kind]?.(kind === 'string' ? text : text.trim(), Number(size))
  if (value !== undefined) return value
  const why = whyNot(text, type, name ?? text)
  throw new CheatcodeRefusal(`failed parsing ${name ?? JSON.stringify(text)} as type \`${type}\`: ${why}`)
}
