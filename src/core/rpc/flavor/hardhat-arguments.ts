// Hardhat's refusals of arguments, without line and column (EDR 0.22, crates/edr_provider/src/requests).

import { isHexBytes } from '../../primitives/hex.ts'
import { textOf } from '../../primitives/text-of.ts'

/** Hardhat's message of a refused value; `undefined` for one that it takes. */
export type Check = (value: unknown) => string | undefined

/** Hardhat's message of an unknown block tag; it takes the method for the unknown one. */
export const UNKNOWN_VARIANT = 'unknown variant'

/** A value as serde's messages show it. */
function unexpected(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return `boolean \`${value}\``
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`
  if (Array.isArray(value)) return 'sequence'
  return Number.isInteger(value) ? `integer \`${textOf(value)}\`` : 'map'
}

export function invalidType(value: unknown, expected: string): string {
  return `invalid type: ${unexpected(value)}, expected ${expected}`
}

/** A text as ruint reads it: digits in four bases, with underscores; no digits are zero. */
function readUint(text: string): bigint | undefined {
  const isNumeral = /^(?:0x[0-9a-f_]*|0o[0-7_]*|0b[01_]*|[0-9_]*)$/i.test(text)
  if (!isNumeral || text.length > 400) return undefined
  const digits = text.replaceAll('_', '').toLowerCase()
  return /^(?:0.)?$/.test(digits) && !/^0\d$/.test(digits) ? 0n : BigInt(digits)
}

function fits(text: string, bytes: number): boolean {
  const value = readUint(text)
  return value !== undefined && value >> BigInt(8 * bytes) === 0n
}

function invalidValue(value: string, expected: string): string {
  return `invalid value: ${unexpected(value)}, expected ${expected}`
}

export function uint(bytes: number): Check {
  const expected = `a ${bytes} byte hex string`
  return (value) => {
    if (typeof value === 'string') return fits(value, bytes) ? undefined : invalidValue(value, expected)
    return Number.isInteger(value) && (value as number) >= 0 ? undefined : invalidType(value, expected)
  }
}

/** A message with the code of invalid input. */
export const OVERSIZED = /^The '\w+' property should occupy a maximum of /

export function property(name: string, bytes: number): Check {
  return (value) => {
    const number = typeof value === 'string' && !fits(value, bytes) ? readUint(value) : undefined
    return number === undefined
      ? uint(bytes)(value)
      : `The '${name}' property should occupy a maximum of ${bytes} bytes (${name}=${number}).`
  }
}

export function fixedBytes(length: number): Check {
  const expected = `${length} bytes, represented as a hex string of length ${2 * length}, an array of u8, or raw bytes`
  return (value) => {
    if (Array.isArray(value) && value.length === length) return undefined
    if (Array.isArray(value)) return `invalid length ${value.length}, expected exactly ${length} bytes`
    if (typeof value !== 'string') return invalidType(value, expected)
    const digits = value.startsWith('0x') ? value.slice(2) : value
    if (digits.length % 2 !== 0) return 'odd number of digits'
    if (digits.length !== 2 * length) return 'invalid string length'
    const position = digits.search(/[^0-9a-f]/i)
    return position === -1 ? undefined : `invalid character '${digits[position]}' at position ${position}`
  }
}

const VARIABLE_BYTES = 'a variable number of bytes represented as a hex string, an array of u8, or raw bytes'

const variableBytes: Check = (value) => {
  if (Array.isArray(value)) return undefined
  if (typeof value !== 'string') return invalidType(value, VARIABLE_BYTES)
  const isHex = isHexBytes(value.startsWith('0x') ? value : `0x${value}`)
  return isHex ? undefined : invalidValue(value, 'a valid hex string')
}

const bool: Check = (value) => (typeof value === 'boolean' ? undefined : invalidType(value, 'a boolean'))

/** A text with a reader of Hardhat's own; `only` are its words for a boolean or a number. */
function textual(
  name: string,
  check: (text: string) => string | undefined,
  only = (text: string) => `This method only supports strings but input was: ${text}`,
): Check {
  return (value) => {
    if (typeof value === 'string') return check(value)
    if (typeof value === 'boolean' || Number.isInteger(value)) return only(textOf(value))
    return `Failed to deserialize ${name} argument into string with error: '${invalidType(value, 'a string')}'`
  }
}

/** Separates a refused value from its type, in messages that Hardhat has always had. */
const SUPPLIED = ' supplied to : '

function supplied(text: string, name: string): string {
  return `invalid value "${text}"${SUPPLIED}${name}`
}

/** A message with the place of the value in a parameter. */
export function placed(path: string, message: string | undefined): string | undefined {
  return message?.replace(SUPPLIED, `${SUPPLIED}${path}`)
}

/** A message with the number of the parameter, as Hardhat had it before EDR; EDR's is the end of it. */
export function numbered(index: number, message: string): string {
  return message.includes(SUPPLIED) ? `Errors encountered in param ${index}: ${message}` : message
}

const address = textual('address', (text) => (isHexBytes(text, 20) ? undefined : supplied(text, 'ADDRESS')))

const data = textual('data', (text) => (isHexBytes(text) ? undefined : supplied(text, 'DATA')))

/** A hex number of so many bytes; `tooLarge` is what is said of more digits. */
function quantityOf(bytes: number, tooLarge?: (text: string) => string): Check {
  return textual('quantity', (text) => {
    if (!text.startsWith('0x')) return supplied(text, 'QUANTITY')
    if (tooLarge !== undefined && text.length > 2 + 2 * bytes) return tooLarge(text)
    return fits(text, bytes) ? undefined : supplied(text, 'QUANTITY')
  })
}

const quantity = quantityOf(32)

const nonce = quantityOf(8, (text) => `Nonce must not be greater than or equal to 2^64. Received ${text}`)

/** Beginnings of messages that have the code of invalid input. */
export const STORAGE_KEY_TOO_LARGE = 'Storage key must not be greater than or equal to 2^256.'
export const STORAGE_VALUE_LENGTH = 'Storage value must be exactly 32 bytes long.'

const storageKey = quantityOf(32, (text) => `${STORAGE_KEY_TOO_LARGE} Received ${text}.`)

const storageValue = textual('quantity', (text) => {
  if (!text.startsWith('0x')) return supplied(text, 'DATA')
  const bytes = Math.floor((text.length - 2) / 2)
  if (bytes !== 32) return `${STORAGE_VALUE_LENGTH} Received ${text}, which is ${bytes} bytes long.`
  return fits(text, 32) ? undefined : supplied(text, 'DATA')
})

const SLOT = 'Storage slot argument'

function slotMessage(text: string): string | undefined {
  if (text === '') return `${SLOT} cannot be an empty string`
  const isPrefixed = text.startsWith('0x')
  const most = isPrefixed ? '66 ("0x" + 32 bytes)' : '64 (32 bytes)'
  if (text.length > Number.parseInt(most, 10))
    return `${SLOT} must have a length of at most ${most}, but '${text}' has a length of ${text.length}'`
  const isHex = /^(0x)?[0-9a-fA-F]*$/.test(text)
  return isHex ? undefined : `${SLOT} must be a valid hexadecimal, got '${text}'`
}

const storageSlot = textual('storage slot', slotMessage, (text) => `${SLOT} must be a string, got '${text}'`)

const timestamp: Check = (value) =>
  uint(8)(value) === undefined ? undefined : 'Timestamp must be a non-negative number not exceeding 2^64 - 1'

export function orAbsent(check: Check): Check {
  return (value) => (value === null || value === undefined ? undefined : check(value))
}

export function firstMessage<Item>(items: Iterable<Item>, check: (item: Item) => string | undefined) {
  for (const item of items) {
    const message = check(item)
    if (message !== undefined) return message
  }
  return undefined
}

/** The codecs have limits below this; a sparse array may claim billions of items. */
const MAX_ITEMS = 100_000

export function sequence(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return invalidType(value, 'a sequence')
    return value.length > MAX_ITEMS ? undefined : firstMessage(value, item)
  }
}

/** One of several forms, of which Hardhat names none in its refusal. */
export function untagged(name: string, ...forms: readonly Check[]): Check {
  return (value) =>
    forms.some((form) => form(value) === undefined)
      ? undefined
      : `data did not match any variant of untagged enum ${name}`
}

type Fields = Readonly<Record<string, Check>>

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object with these fields, in the order in which they are given; others are ignored. */
export function struct(name: string, fields: Fields): Check {
  return (value) => {
    if (!isMap(value)) return invalidType(value, `struct ${name}`)
    const own = Object.entries(value).filter(([key]) => Object.hasOwn(fields, key))
    return firstMessage(own, ([key, member]) => fields[key]?.(member))
  }
}

/** An object whose fields may all be absent. */
export function options(name: string, fields: Fields): Check {
  const checks = Object.entries(fields).map(([key, check]) => [key, orAbsent(check)] as const)
  return struct(name, Object.fromEntries(checks))
}

/** An object from keys to items, with Hardhat's names of their types. */
export function map([keyType, key]: [string, Check], [itemType, item]: [string, Check]): Check {
  const type = `{ [K in ${keyType}]: ${itemType} } | undefined`
  return (value) => {
    if (!isMap(value)) return invalidType(value, 'a map')
    return firstMessage(Object.entries(value), ([name, member]) => {
      const words = key(name)
      return words === undefined
        ? placed(`${type}/${name}: `, item(member))
        : `${supplied(name, `${type}/${name}: ${keyType}`)}, ${words}`
    })
  }
}

const TAGS: ReadonlySet<unknown> = new Set(['latest', 'pending', 'safe', 'finalized', 'earliest'])

const EIP1898: Fields = {
  blockHash: orAbsent(fixedBytes(32)),
  requireCanonical: orAbsent(bool),
  blockNumber: (number) =>
    typeof number === 'string' || number === null
      ? orAbsent(uint(8))(number)
      : invalidType(number, 'a string'),
}

function eip1898Block(value: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(EIP1898, key))
  if (unknown !== undefined)
    return `unknown field \`${unknown}\`, expected one of \`blockHash\`, \`requireCanonical\`, \`blockNumber\``
  const message = struct('', EIP1898)(value)
  if (message !== undefined) return message
  const { blockHash = null, blockNumber = null } = value
  if (blockHash !== null && blockNumber !== null)
    return 'EIP-1898 block spec cannot have both `blockHash` and `blockNumber`'
  if (blockNumber !== null && (value['requireCanonical'] ?? null) !== null)
    return 'EIP-1898 block spec cannot have both `blockNumber` and `requireCanonical`'
  return blockHash === null && blockNumber === null ? 'Invalid EIP-1898 block spec' : undefined
}

const blockSpec: Check = (value) => {
  if (TAGS.has(value)) return undefined
  if (typeof value === 'string') return value.startsWith('0x') ? uint(8)(value) : UNKNOWN_VARIANT
  return isMap(value) ? eip1898Block(value) : invalidType(value, 'a block specifier')
}

const oldBlockSpec: Check = untagged('PreEip1898BlockSpec', uint(8), (value) =>
  TAGS.has(value) ? undefined : UNKNOWN_VARIANT,
)

export const CHECKS = {
  address,
  blockSpec,
  bool,
  data,
  nonce,
  oldBlockSpec,
  quantity,
  storageKey,
  storageSlot,
  storageValue,
  timestamp,
  variableBytes,
}
