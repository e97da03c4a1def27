// Names and values of storage slots by solc's storage layout. Places of mappings and dynamic arrays are hashes; the
// messages that code hashed lead back from them.

import { toChecksumAddress } from '../../../core/primitives/address.ts'
import { keccak256 } from '../../../core/primitives/crypto.ts'
import {
  type Address,
  bytesToBigInt,
  bytesToHex,
  bytesToText,
  hexToBytes,
  toWord,
} from '../../../core/primitives/hex.ts'
import type { StorageLayout, StorageType, StorageVariable } from '../model/contract.ts'
import { addressText, type NameOf, numberText } from './value-text.ts'

/** A variable, or a part of one, that lies in a slot. */
interface Place {
  readonly name: string
  readonly type: StorageType
  /** Bytes from the low end of the slot. */
  readonly offset: number
}

/** Hash → message. */
export type Preimages = ReadonlyMap<bigint, Uint8Array>

export function preimagesOf(messages: readonly Uint8Array[]): Preimages {
  return new Map(messages.map((message) => [bytesToBigInt(keccak256(message)), message]))
}

/** Slots behind a hash that still belong to its array or struct. */
const MOST_DISTANCE = 1n << 32n
/** Nesting of mappings and arrays. */
const MOST_NESTED = 16

function slotCount(bytes: number): bigint {
  return BigInt(Math.ceil(bytes / 32))
}

function isWithin(slot: bigint, first: bigint, bytes: number): boolean {
  return slot >= first && slot < first + slotCount(bytes)
}

interface Naming {
  readonly layout: StorageLayout
  readonly preimages: Preimages
  readonly nameOf: NameOf
}

/** The elements of an array in a slot of it; small elements share one. */
function elementsIn(naming: Naming, array: Place, base: StorageType, slot: bigint): Place[] {
  if (base.bytes > 16) {
    const size = slotCount(base.bytes)
    return placesIn(naming, { name: `${array.name}[${slot / size}]`, type: base, offset: 0 }, slot % size)
  }
  const perSlot = Math.floor(32 / base.bytes)
  return Array.from({ length: perSlot }, (_, position) => ({
    name: `${array.name}[${slot * BigInt(perSlot) + BigInt(position)}]`,
    type: base,
    offset: position * base.bytes,
  }))
}

/** The parts of a variable in the slot that is `slot` behind its first. */
function placesIn(naming: Naming, place: Place, slot: bigint): Place[] {
  const { types } = naming.layout
  const { members, base, encoding } = place.type
  if (members !== undefined) {
    return members.flatMap((member) => memberIn(naming, member, slot, `${place.name}.`))
  }
  const element = base === undefined || encoding !== 'inplace' ? undefined : types.get(base)
  return element === undefined ? [place] : elementsIn(naming, place, element, slot)
}

function memberIn(naming: Naming, variable: StorageVariable, slot: bigint, prefix: string): Place[] {
  const type = naming.layout.types.get(variable.type)
  if (type === undefined || !isWithin(slot, variable.slot, type.bytes)) return []
  const place = { name: `${prefix}${variable.label}`, type, offset: variable.offset }
  return placesIn(naming, place, slot - variable.slot)
}

function isAddress({ label }: StorageType): boolean {
  return /^(address|contract)\b/.test(label)
}

function addressOf(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}

function keyText(key: Uint8Array, type: StorageType | undefined, nameOf: NameOf): string {
  if (type === undefined) return bytesToHex(key)
  if (type.encoding === 'bytes') return JSON.stringify(bytesToText(key))
  const word = bytesToBigInt(key)
  if (isAddress(type)) return nameOf(addressOf(word)) ?? toChecksumAddress(addressOf(word))
  // Fixed bytes lie at the high end of a key.
  if (/^bytes\d+$/.test(type.label)) return bytesToHex(key.subarray(0, type.bytes))
  if (/^uint/.test(type.label)) return `${word}`
  return /^int/.test(type.label) ? `${BigInt.asIntN(256, word)}` : wordText(word, type, nameOf)
}

/** The hash that a slot lies behind, and its message. */
function originOf(
  { preimages }: Naming,
  slot: bigint,
): readonly [hash: bigint, message: Uint8Array] | undefined {
  let nearest: readonly [bigint, Uint8Array] | undefined
  for (const entry of preimages) {
    const [hash] = entry
    const isNearer = nearest === undefined || hash > nearest[0]
    if (hash <= slot && slot - hash < MOST_DISTANCE && isNearer) nearest = entry
  }
  return nearest
}

function hashedPlaces(naming: Naming, slot: bigint, depth: number): Place[] {
  const [hash, message] = originOf(naming, slot) ?? []
  if (hash === undefined || message === undefined || message.length < 32) return []
  const { types } = naming.layout
  const owner = bytesToBigInt(message.subarray(message.length - 32))
  const distance = slot - hash
  return placesAt(naming, owner, depth + 1).flatMap((place) => {
    const { encoding, value, key, base } = place.type
    if (encoding === 'mapping' && value !== undefined && message.length > 32) {
      const type = types.get(value)
      const text = keyText(message.subarray(0, -32), types.get(key ?? ''), naming.nameOf)
      return type === undefined
        ? []
        : placesIn(naming, { name: `${place.name}[${text}]`, type, offset: 0 }, distance)
    }
    if (message.length > 32) return []
    const element = types.get(base ?? '')
    if (encoding === 'dynamic_array' && element !== undefined)
      return elementsIn(naming, place, element, distance)
    // The bytes of a string of more than 31.
    return encoding === 'bytes'
      ? [{ ...place, name: `${place.name} (bytes ${distance * 32n}…)`, type: RAW }]
      : []
  })
}

function placesAt(naming: Naming, slot: bigint, depth: number): Place[] {
  if (depth > MOST_NESTED) return []
  const own = naming.layout.variables.flatMap((variable) => memberIn(naming, variable, slot, ''))
  return own.length > 0 ? own : hashedPlaces(naming, slot, depth)
}

/** A word without a type. */
const RAW: StorageType = {
  label: 'bytes32',
  encoding: 'inplace',
  bytes: 32,
  key: undefined,
  value: undefined,
  base: undefined,
  members: undefined,
}

/** A string or bytes of at most 31 bytes, or the length of a longer one. */
function shortBytesText(word: bigint, { label }: StorageType): string {
  if (word % 2n === 1n) return `${(word - 1n) / 2n} bytes`
  const length = Number(word & 0xffn) / 2
  const bytes = hexToBytes(toWord(word)).subarray(0, length)
  return label === 'string' ? JSON.stringify(bytesToText(bytes)) : bytesToHex(bytes)
}

/** A value in the type of its variable. */
function wordText(value: bigint, type: StorageType, nameOf: NameOf): string {
  const { label, encoding, bytes } = type
  if (encoding === 'bytes') return shortBytesText(value, type)
  if (encoding === 'dynamic_array') return value === 1n ? '1 element' : `${value} elements`
  const kind = label.split(' ')[0]
  if (kind === 'bool') return `${value !== 0n}`
  if (isAddress(type)) return addressText(addressOf(value), nameOf)
  if (/^int\d*$/.test(label)) return numberText(BigInt.asIntN(8 * bytes, value))
  if (/^uint\d*$/.test(label) || kind === 'enum') return numberText(value)
  return `0x${value.toString(16).padStart(2 * bytes, '0')}`
}

/** The bytes of a word that belong to a variable. */
function partOf(word: bigint, { bytes }: StorageType, offset: number): bigint {
  return BigInt.asUintN(8 * Math.min(bytes, 32), word >> BigInt(8 * offset))
}

/** A part of a slot that changed, in the type of its variable. */
export interface NamedChange {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** The variables that differ between two values of a slot; empty if the layout does not have the slot. */
export function namedChanges(
  layout: StorageLayout,
  preimages: Preimages,
  nameOf: NameOf,
  slot: bigint,
  [before, after]: readonly [bigint, bigint],
): NamedChange[] {
  const places = placesAt({ layout, preimages, nameOf }, slot, 0)
  return places.flatMap(({ name, type, offset }) => {
    const [from, to] = [partOf(before, type, offset), partOf(after, type, offset)]
    if (from === to) return []
    return [{ name, before: wordText(from, type, nameOf), after: wordText(to, type, nameOf) }]
  })
}

/** A variable, or a part of one, with its value as text. */
export interface NamedValue {
  readonly name: string
  readonly text: string
}

/** The variables in a slot; empty if the layout does not have the slot. */
export function namedValues(
  layout: StorageLayout,
  preimages: Preimages,
  nameOf: NameOf,
  slot: bigint,
  word: bigint,
): NamedValue[] {
  return placesAt({ layout, preimages, nameOf }, slot, 0).map(({ name, type, offset }) => ({
    name,
    text: wordText(partOf(word, type, offset), type, nameOf),
  }))
}
