// Codecs of hex, booleans, texts, lists, objects, and blocks by tag, number, hash or object (EIP-1898).

import type { BlockSelector, BlockTag } from '../../node/lookup.ts'
import { type Address, type Hash, type Hex, hexToBytes, isHexBytes } from '../../primitives/hex.ts'
import { countBytes, describe, shorten } from '../../primitives/text-of.ts'
import { type Codec, mismatch, nearestName, refuse, refuseValue, uint64 } from './codec.ts'

/** Why a text is not hex of the right length, in geth's words. */
function hexMismatch(value: string): string {
  if (!value.startsWith('0x')) return 'hex string without 0x prefix'
  if (value.length % 2 !== 0) return 'hex string of odd length'
  return isHexBytes(value) ? countBytes((value.length - 2) / 2) : 'invalid hex string'
}

/** Fields that hold the hash or the address of what somebody gives in its place: a receipt, a contract, a signer. */
const IDENTIFIERS = ['transactionHash', 'hash', 'address', 'target'] as const

/** The field that was meant, of an object that has the value. */
export function fieldMeant(value: unknown, length: number): string | undefined {
  try {
    const given = Object(value) as Readonly<Record<string, unknown>>
    return IDENTIFIERS.find((name) => isHexBytes(given[name], length))
  } catch {
    return undefined
  }
}

function refuseHex(path: string, expected: string, value: unknown, length?: number): never {
  const meant = length === undefined ? undefined : fieldMeant(value, length)
  const hint = meant === undefined ? '' : ` (did you mean its ${meant}?)`
  refuse(path, `${mismatch(expected, value)}${typeof value === 'string' ? ` (${hexMismatch(value)})` : hint}`)
}

function hexOf(name: string, length: number | undefined, expected: string): Codec<Hex, string> {
  return {
    name,
    decode: (value, path) =>
      isHexBytes(value, length) ? (value.toLowerCase() as Hex) : refuseHex(path, expected, value, length),
  }
}

export const address: Codec<Address, string> = hexOf('address', 20, 'an address of 20 bytes')
export const hash: Codec<Hash, string> = hexOf('hash', 32, 'a hash of 32 bytes')

/** Bytes that stay hex. */
export const hexData: Codec<Hex, string> = hexOf('data', undefined, 'data, as hex')

export const data: Codec<Uint8Array, string> = {
  name: 'data',
  decode(value, path) {
    if (typeof value !== 'string') refuseHex(path, 'data, as hex', value)
    try {
      return hexToBytes(value)
    } catch {
      refuseHex(path, 'data, as hex', value)
    }
  },
}

/** Bytes or hex, in a function or an option: JSON has no bytes. */
export function bytesOf(what = 'data'): Codec<Uint8Array, string | Uint8Array> {
  return {
    name: what,
    decode(value, path) {
      // Copied: the caller may write to them later.
      if (value instanceof Uint8Array) return value.slice()
      return isHexBytes(value) ? hexToBytes(value) : refuseHex(path, `${what}, as bytes or hex`, value)
    },
  }
}

/** 32 bytes of hex, with or without leading zeros. */
export function word(what: string): Codec<Hash, string> {
  return {
    name: what,
    decode(value, path) {
      if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
        refuseValue(path, `${what}, hex of up to 32 bytes`, value)
      return `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
    },
  }
}

const slotWord = word('a storage slot')

/** A storage slot. Empty hex is zero, as in geth and Hardhat. */
export const slot: Codec<Hash, string> = {
  name: 'storage slot',
  decode: (value, path) => slotWord.decode(value === '0x' ? '0x0' : value, path),
}

/** A storage slot of a read, which geth and Hardhat take without 0x, too. */
export const storageKey: Codec<Hash, string> = {
  name: 'storage key',
  decode: (value, path) =>
    typeof value === 'string' && /^[0-9a-fA-F]{1,64}$/.test(value)
      ? slotWord.decode(`0x${value}`, path)
      : slot.decode(value, path),
}

/** Extends a hex codec to text without 0x: geth accepts private keys so, and addresses in a genesis file. */
export function orUnprefixed<Value>({ name, decode }: Codec<Value, string>): Codec<Value, string> {
  return {
    name,
    decode: (value, path) =>
      decode(typeof value === 'string' && /^[0-9a-f]*$/i.test(value) ? `0x${value}` : value, path),
  }
}

export function identityCodec<Value>(
  expected: string,
  isValid: (value: unknown) => value is Value,
  name = expected,
): Codec<Value, Value> {
  return { name, decode: (value, path) => (isValid(value) ? value : refuseValue(path, expected, value)) }
}

export const boolean = identityCodec('true or false', (value) => typeof value === 'boolean', 'boolean')

export const text = identityCodec('a string', (value) => typeof value === 'string', 'string')

function hintOf(value: unknown, names: readonly string[]): string {
  const nearest = typeof value === 'string' ? nearestName(value, names) : undefined
  return nearest === undefined ? '' : `, did you mean ${nearest}?`
}

export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  name = `one of ${choices.join(', ')}`,
): Codec<Choice, Choice> {
  const expected = `one of ${choices.join(', ')}`
  return {
    name,
    decode(value, path) {
      const choice = choices.find((each) => each === value)
      if (choice !== undefined) return choice
      refuse(path, `${mismatch(expected, value)}${hintOf(value, choices)}`)
    },
  }
}

/** A list; on the wire it has a limit. */
export function arrayOf<Value, Wire>(
  item: Codec<Value, Wire>,
  most = Number.POSITIVE_INFINITY,
): Codec<Value[], readonly Wire[]> {
  return {
    name: `array of ${item.name}`,
    decode(value, path) {
      if (!Array.isArray(value)) refuseValue(path, 'an array', value)
      if (value.length > most) refuse(path, `expected at most ${most} items, got ${value.length}`)
      // Array.from includes the holes of an array, which map skips.
      return Array.from(value, (element, index) => item.decode(element, `${path}[${index}]`))
    },
  }
}

export type Fields<Name extends string = string> = { readonly [Key in Name]?: unknown }

/** The path to a field; fields of the root have their bare name. */
export function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

export function asRecord(value: unknown, path: string, expected = 'an object'): Record<string, unknown> {
  // A promise has no fields, so that one without await would be an object of defaults.
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Promise)
    refuseValue(path, expected, value)
  return value as Record<string, unknown>
}

export const anyObject: Codec<Record<string, unknown>, object> = { name: 'object', decode: asRecord }

/** An object with these fields only; a misspelt field would do nothing. `hints` are for names that others use. */
export function asFields<const Name extends string>(
  value: unknown,
  path: string,
  names: readonly Name[],
  hints?: ReadonlyMap<string, string>,
): Fields<Name> {
  const record = asRecord(value, path)
  const unknown = Object.keys(record).find((name) => !(names as readonly string[]).includes(name))
  if (unknown !== undefined) {
    const meant = hints?.get(unknown) ?? (names.length === 1 ? names[0] : nearestName(unknown, names))
    const listed = `expected one of ${names.join(', ')}, got an unknown field`
    refuse(fieldPath(path, shorten(unknown)), meant ? `unknown field, did you mean ${meant}?` : listed)
  }
  return record as Fields<Name>
}

/** Decodes a field of an object; absent and null are `undefined`. */
export function field<Name extends string, Value>(
  record: Fields<Name>,
  name: Name,
  codec: Codec<Value>,
  path: string,
): Value | undefined {
  const value = record[name]
  return value === undefined || value === null ? undefined : codec.decode(value, fieldPath(path, name))
}

export function requiredField<Name extends string, Value>(
  record: Fields<Name>,
  name: Name,
  codec: Codec<Value>,
  path: string,
): Value {
  return field(record, name, codec, path) ?? refuse(fieldPath(path, name), 'missing')
}

const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const satisfies readonly BlockTag[]

/** A tag or a number on the wire. */
export type BlockNumberWire = BlockTag | Hex | number
export type BlockWire =
  | BlockNumberWire
  | { readonly blockHash: Hex; readonly requireCanonical?: boolean }
  | { readonly blockNumber: BlockNumberWire }

export const blockTagOrNumber: Codec<BlockTag | number, BlockNumberWire> = {
  name: 'block number or tag',
  decode(value, path) {
    if (TAGS.includes(value as BlockTag)) return value as BlockTag
    if (typeof value === 'string' && !value.startsWith('0x')) {
      // In geth's words.
      const words = `unknown block tag ${describe(value)}: hex string without 0x prefix`
      refuse(path, `${words}${hintOf(value, TAGS)}`)
    }
    // Above 2^53 there is no block, so the loss of precision does not matter.
    return Number(uint64.decode(value, path))
  },
}

export const block: Codec<BlockSelector, BlockWire> = {
  name: 'block number, tag, hash, or EIP-1898 object',
  decode(value, path) {
    // No block has a number of 32 bytes: geth reads it as a hash (rpc.BlockNumberOrHash).
    if (isHexBytes(value, 32)) return { blockHash: hash.decode(value, path) }
    if (typeof value !== 'object' || value === null) return blockTagOrNumber.decode(value, path)
    const record = asRecord(value, path)
    const blockHash = field(record, 'blockHash', hash, path)
    const blockNumber = field(record, 'blockNumber', blockTagOrNumber, path)
    field(record, 'requireCanonical', boolean, path)
    if (blockHash !== undefined && blockNumber !== undefined)
      refuse(path, 'cannot specify both blockHash and blockNumber, choose one or the other')
    if (blockHash !== undefined) return { blockHash }
    // Names a field that is misspelt.
    if (blockNumber === undefined) asFields(value, path, ['blockHash', 'blockNumber', 'requireCanonical'])
    return blockNumber ?? refuse(path, 'expected blockHash or blockNumber')
  },
}
