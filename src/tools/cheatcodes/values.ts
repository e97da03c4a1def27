// Values read from texts as forge 1.7.1 reads arguments, variables, JSON and TOML; and values as forge shows them.

import { type AbiType, type AbiValue, decodeAbi } from '../../core/primitives/abi.ts'
import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import type { Address, Hex } from '../../core/primitives/hex.ts'
import { refuseWith } from './errors.ts'

/** The values in data; `undefined` if they are too short for the types. */
export function decodeLoosely(types: readonly AbiType[], data: Uint8Array): AbiValue[] | undefined {
  return decodeAbi(types, data, { isLoose: true })
}

export function shownValue(type: string, value: AbiValue): string {
  if (Array.isArray(value)) {
    const element = type.replace(/\[\]$/, '')
    return `[${value.map((each) => shownValue(element, each)).join(', ')}]`
  }
  return type === 'address' ? toChecksumAddress(value as Address) : String(value)
}

/** Those of the largest number. */
const MOST_DECIMALS = 77

/** A number as one of so many decimals; with more than there can be, as it is. */
export function withPoint(number: bigint, decimals: AbiValue | undefined): string {
  const places = Number(decimals)
  if (places > MOST_DECIMALS) return `${number}`
  const digits = `${number < 0n ? -number : number}`.padStart(places + 1, '0')
  const at = digits.length - places
  return `${number < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at) || '0'}`
}

/** A value that cannot be read: where the parser of forge stops, and its words. */
type Fault = readonly [column: number, words: string]

const NUMBER =
  /^(?<sign>[+-]?)(?:0(?<base>[xbo])(?<digits>[\da-f]*)|(?<whole>\d*)(?<fraction>\.\d*)?(?:e(?<exponent>[+-]?\d+))?)/i
const UNITS: Readonly<Record<string, number>> = { '': 0, wei: 0, gwei: 9, nano: 9, nanoether: 9, ether: 18 }
const BASES: Readonly<Record<string, number>> = { x: 16, b: 2, o: 8 }
const NO_DIGIT = 'expected at least one digit'
/** More digits are no number of 256 bits. */
const MOST_DIGITS = 400n

/** The places behind the point that the units and the power of ten of a number leave room for. */
function misplaced(fraction: string, power: bigint): string | undefined {
  if (power < 0n) return 'negative units not allowed'
  if (fraction.length <= power) return undefined
  if (power === 0n && /[1-9]/.test(fraction)) return `non-zero fraction .${fraction} not allowed`
  return `expected at most ${power} decimals, got ${fraction.length}`
}

/** A number with its units, such as `1.5 ether`. */
function numberIn(text: string, bits: number, isSigned: boolean): bigint | Fault {
  const { 0: found, groups = {} } = NUMBER.exec(text) as RegExpExecArray
  const { sign = '', base = '', digits, whole = '', fraction, exponent = '0' } = groups
  const radix = BASES[base.toLowerCase()] ?? 10
  if (!isSigned && sign !== '') return [0, NO_DIGIT]
  if (digits === '') return [found.length, NO_DIGIT]
  if (digits === undefined && whole === '') return [sign.length, NO_DIGIT]
  if (fraction === '.') return [sign.length + whole.length + 1, NO_DIGIT]
  const [units = '', unit = ''] = /^\s*([a-z]*)/i.exec(text.slice(found.length)) ?? []
  const end = found.length + units.length
  const place = UNITS[unit]
  if (place === undefined || end < text.length) return [end, '']
  const large = [...(digits ?? '')].find((digit) => Number.parseInt(digit, 16) >= radix)
  if (large !== undefined) return [text.length, `digit ${large} is out of range for base ${radix}`]
  const places = fraction?.slice(1) ?? ''
  const power = BigInt(exponent) + BigInt(place)
  const fault = misplaced(places, power)
  if (fault !== undefined) return [text.length, fault]
  const raised = digits === undefined ? BigInt(whole + places) : BigInt(`0${base.toLowerCase()}${digits}`)
  const value = raised * 10n ** (power > MOST_DIGITS ? MOST_DIGITS : power - BigInt(places.length))
  if (value >> 256n !== 0n) {
    const isRaised = digits === undefined && power === 0n
    const words = digits === undefined ? 'number' : 'the value is'
    const target = digits === undefined ? 'in target type' : 'the target type'
    return [text.length, isRaised ? '' : `${words} too large to fit ${target}`]
  }
  const signed = sign === '-' ? -value : value
  const kept = isSigned ? BigInt.asIntN(bits, signed) : BigInt.asUintN(bits, signed)
  return kept === signed
    ? signed
    : [isSigned ? 0 : text.length, isSigned ? 'number too large to fit in target type' : '']
}

function bytesIn(text: string, length?: number): Hex | undefined {
  if (text === '') return undefined
  const bytes = text.startsWith('0x') ? text.slice(2) : text
  const isHex = /^([\da-fA-F]{2})*$/.test(bytes) && (length ?? bytes.length / 2) === bytes.length / 2
  return isHex ? `0x${bytes.toLowerCase()}` : undefined
}

function knownNumber(found: bigint | Fault): bigint | undefined {
  return typeof found === 'bigint' ? found : undefined
}

/** The parsers, by kinds of types; the size is that of the type's name. */
const PARSERS: Readonly<Record<string, (text: string, size: number) => AbiValue | undefined>> = {
  uint: (text, bits) => knownNumber(numberIn(text, bits, false)),
  int: (text, bits) => knownNumber(numberIn(text, bits, true)),
  bool: (text) => ({ true: true, false: false, '1': true, '0': false })[text.toLowerCase()],
  address: (text) => bytesIn(text, 20),
  bytes: (text, length) => bytesIn(text, length === 0 ? undefined : length),
  string: (text) => text,
}

/** The types of values that are read from texts, by the part of the cheatcodes' names that says so. */
export const TYPES: Readonly<Record<string, string>> = {
  Uint: 'uint256',
  Int: 'int256',
  Bool: 'bool',
  Address: 'address',
  Bytes32: 'bytes32',
  Bytes: 'bytes',
  String: 'string',
}

const NO_HEX = 'expected hex digits or the `0x` prefix for an empty hex string'

function hexFault(text: string, type: string): Fault {
  if (!/^(0x|[\da-f])/i.test(text)) return [0, NO_HEX]
  const [digits = ''] = /^(0x)?[\da-fA-F]*/.exec(text) ?? []
  const isOdd = digits.length % 2 === 1
  if (type === 'bytes') return isOdd ? [0, 'odd number of digits'] : [digits.length, '']
  return [/^bytes/.test(type) ? digits.length : 0, isOdd ? 'odd number of digits' : 'invalid string length']
}

/** Where the parser of forge stops in a text that is no value of a type, and its words. */
function faultOf(text: string, type: string): Fault {
  if (/[)\]]$/.test(type)) return [0, `expected \`${type.endsWith(')') ? '(' : '['}\``]
  const [, sign, bits] = /^(u?)int(\d*)$/.exec(type) ?? []
  if (bits !== undefined) return numberIn(text, Number(bits), sign === '') as Fault
  if (type !== 'bool') return hexFault(text, type)
  const [letters = ''] = /^[a-z]*/i.exec(text) ?? []
  return [letters.length, /^(true|false)$/i.test(letters) ? '' : 'invalid boolean']
}

function whyNot(text: string, type: string, shown: string): string {
  if (/int\d*$|^bytes\d*$/.test(type) && /^[\da-fA-F]*$/.test(text))
    return 'missing hex prefix ("0x") for hex string'
  const [column, words] = faultOf(text, type)
  return `parser error:\n${shown}\n${' '.repeat(column)}^\n${words}`
}

/** The value in a text, which a name stands for in a refusal. */
export function parseValue(text: string, type: string, name?: string): AbiValue {
  const [, kind = '', size] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  const value = PARSERS[kind]?.(text, Number(size))
  if (value !== undefined) return value
  const why = whyNot(text, type, name ?? text)
  refuseWith(`failed parsing ${name ?? JSON.stringify(text)} as type \`${type}\`: ${why}`)
}
