// Names and values of storage slots by solc's storage layout, and values as text, as forge prints them. Places of mappings and
// dynamic arrays are hashes; the messages that code hashed lead back from them.

import type { AbiType, AbiValue } from '../../../core/primitives/abi.ts'
import { addressOfWord, keccak256, toChecksumAddress } from '../../../core/primitives/crypto.ts'
import * as hex from '../../../core/primitives/hex.ts'
import type { StorageLayout, StorageType, StorageVariable } from '../model/contract.ts'

/** The name of an account; `undefined` if it has none. */
export type NameOf = (address: hex.Address) => string | undefined

/** A number, from 10,000 on with its power of ten, cut to four digits: `1500000 [1.5e6]`. */
function numberText(value: bigint): string {
  const digits = `${value < 0n ? -value : value}`
  if (digits.length < 5) return `${value}`
  const mantissa = `${digits[0]}.${digits.slice(1, 4)}`.replace(/\.?0+$/, '')
  return `${value} [${value < 0n ? '-' : ''}${mantissa}e${digits.length - 1}]`
}

function addressText(address: hex.Address, nameOf: NameOf): string {
  const name = nameOf(address)
  return name === undefined ? toChecksumAddress(address) : `${name}: [${toChecksumAddress(address)}]`
}

function namedFields(names: readonly string[], texts: readonly string[]): string {
  return `(${texts.map((text, at) => (names[at] === '' ? text : `${names[at]}: ${text}`)).join(', ')})`
}

/** A value in the syntax of Solidity. */
export function valueText(type: AbiType, value: AbiValue, nameOf: NameOf, ofTuple = namedFields): string {
  if (type.kind === 'string') return JSON.stringify(value)
  if (type.kind === 'address') return addressText(value as hex.Address, nameOf)
  if (typeof value === 'bigint') return numberText(value)
  if (typeof value !== 'object') return `${value}`
  const values: readonly AbiValue[] = Object.values(value)
  if (type.kind === 'array')
    return `[${values.map((each) => valueText(type.element, each, nameOf, ofTuple)).join(', ')}]`
  if (type.kind !== 'tuple') return ''
  const names = type.components.map(({ name }) => name)
  const texts = type.components.map((component, at) =>
    valueText(component.type, values[at] as AbiValue, nameOf, ofTuple),
  )
  return ofTuple(names, texts)
}

/** A variable, or a member or element of one, that lies in a slot. */
interface StoredPart {
  readonly name: string
  readonly type: StorageType
  /** Bytes from the low end of the slot. */
  readonly offset: number
}

/** Hash → message. */
export type Preimages = ReadonlyMap<bigint, Uint8Array>

export function preimagesOf(messages: readonly Uint8Array[]): Preimages {
  return new Map(messages.map((message) => [hex.bytesToBigInt(keccak256(message)), message]))
}

/** Slots behind a hash that still belong to its array or struct. */
const MOST_DISTANCE = 1n << 32n
/** Nesting of mappings and arrays. */
const MOST_NESTED = 16

function slotCount(bytes: number): bigint {
  return BigInt(Math.ceil(bytes / 32))
}

interface Naming {
  readonly layout: StorageLayout
  readonly preimages: Preimages
  readonly nameOf: NameOf
}

/** The elements of an array in a slot of it; small elements share one. */
function elementsIn(naming: Naming, array: StoredPart, base: StorageType, slot: bigint): StoredPart[] {
  if (base.bytes > 16) {
    const size = slotCount(base.bytes)
    return partsIn(naming, { name: `${array.name}[${slot / size}]`, type: base, offset: 0 }, slot % size)
  }
  const perSlot = Math.floor(32 / base.bytes)
  return Array.from({ length: perSlot }, (_, position) => ({
    name: `${array.name}[${slot * BigInt(perSlot) + BigInt(position)}]`,
    type: base,
    offset: position * base.bytes,
  }))
}

/** The parts of a variable in the slot that is `slot` behind its first. */
function partsIn(naming: Naming, place: StoredPart, slot: bigint): StoredPart[] {
  const { types } = naming.layout
  const { members, base, encoding } = place.type
  if (members !== undefined)
    return members.flatMap((member) => memberIn(naming, member, slot, `${place.name}.`))
  const element = base === undefined || encoding !== 'inplace' ? undefined : types.get(base)
  return element === undefined ? [place] : elementsIn(naming, place, element, slot)
}

function memberIn(naming: Naming, variable: StorageVariable, slot: bigint, prefix: string): StoredPart[] {
  const type = naming.layout.types.get(variable.type)
  if (type === undefined || slot < variable.slot || slot >= variable.slot + slotCount(type.bytes)) return []
  const place = { name: `${prefix}${variable.label}`, type, offset: variable.offset }
  return partsIn(naming, place, slot - variable.slot)
}

function isAddress({ label }: StorageType): boolean {
  return /^(address|contract)\b/.test(label)
}

function keyText(key: Uint8Array, type: StorageType | undefined, nameOf: NameOf): string {
  if (type === undefined) return hex.bytesToHex(key)
  if (type.encoding === 'bytes') return JSON.stringify(hex.bytesToText(key))
  const word = hex.bytesToBigInt(key)
  if (isAddress(type)) return nameOf(addressOfWord(word)) ?? toChecksumAddress(addressOfWord(word))
  // Fixed bytes lie at the high end of a key.
  if (/^bytes\d+$/.test(type.label)) return hex.bytesToHex(key.subarray(0, type.bytes))
  if (/^uint/.test(type.label)) return `${word}`
  return /^int/.test(type.label) ? `${BigInt.asIntN(256, word)}` : wordText(word, type, nameOf)
}

/** The hash that a slot lies behind, and its message. */
function originOf({ preimages }: Naming, slot: bigint) {
  let nearest: readonly [bigint, Uint8Array] | undefined
  for (const entry of preimages) {
    const [hash] = entry
    const isNearer = nearest === undefined || hash > nearest[0]
    if (hash <= slot && slot - hash < MOST_DISTANCE && isNearer) nearest = entry
  }
  return nearest
}

function partsBehindHash(naming: Naming, slot: bigint, depth: number): StoredPart[] {
  const [hash, message] = originOf(naming, slot) ?? []
  if (hash === undefined || message === undefined || message.length < 32) return []
  const { types } = naming.layout
  const owner = hex.bytesToBigInt(message.subarray(message.length - 32))
  const distance = slot - hash
  return partsAt(naming, owner, depth + 1).flatMap((place) => {
    const { encoding, value, key, base } = place.type
    if (encoding === 'mapping' && value !== undefined && message.length > 32) {
      const type = types.get(value)
      const text = keyText(message.subarray(0, -32), types.get(key ?? ''), naming.nameOf)
      return type === undefined
        ? []
        : partsIn(naming, { name: `${place.name}[${text}]`, type, offset: 0 }, distance)
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

function partsAt(naming: Naming, slot: bigint, depth: number): StoredPart[] {
  if (depth > MOST_NESTED) return []
  const own = naming.layout.variables.flatMap((variable) => memberIn(naming, variable, slot, ''))
  return own.length > 0 ? own : partsBehindHash(naming, slot, depth)
}

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
  const bytes = hex.hexToBytes(hex.toWord(word)).subarray(0, length)
  return label === 'string' ? JSON.stringify(hex.bytesToText(bytes)) : hex.bytesToHex(bytes)
}

function wordText(value: bigint, type: StorageType, nameOf: NameOf): string {
  const { label, encoding, bytes } = type
  if (encoding === 'bytes') return shortBytesText(value, type)
  if (encoding === 'dynamic_array') return value === 1n ? '1 element' : `${value} elements`
  const kind = label.split(' ')[0]
  if (kind === 'bool') return `${value !== 0n}`
  if (isAddress(type)) return addressText(addressOfWord(value), nameOf)
  if (/^int\d*$/.test(label)) return numberText(BigInt.asIntN(8 * bytes, value))
  if (/^uint\d*$/.test(label) || kind === 'enum') return numberText(value)
  return `0x${value.toString(16).padStart(2 * bytes, '0')}`
}

/** A word of unknown type: small ones are numbers. */
export function unnamedText(value: bigint): string {
  return value < 1n << 64n ? `${value}` : hex.toWord(value)
}

/** The variables in a slot, or parts of them; empty if the layout does not have the slot. */
export function variablesIn(
  layout: StorageLayout | undefined,
  preimages: Preimages,
  nameOf: NameOf,
  slot: bigint,
) {
  if (layout === undefined) return []
  return partsAt({ layout, preimages, nameOf }, slot, 0).map(({ name, type, offset }) => ({
    name,
    /** The bytes of a word of the slot that belong to the variable. */
    partOf: (word: bigint) => BigInt.asUintN(8 * Math.min(type.bytes, 32), word >> BigInt(8 * offset)),
    /** Such a part as text, in the type of the variable. */
    textOf: (part: bigint) => wordText(part, type, nameOf),
  }))
}

const MOST_KEYS = 128
/** Whole numbers that are tried as keys. */
const NUMBERS = 16

function likelyKeys(type: StorageType | undefined, addresses: readonly hex.Address[]): Uint8Array[] {
  if (type === undefined || type.encoding !== 'inplace') return []
  if (isAddress(type))
    return addresses.slice(0, MOST_KEYS).map((address) => hex.padLeft(hex.hexToBytes(address), 32))
  if (!/^u?int\d*$|^bool$|^enum\b/.test(type.label)) return []
  return Array.from({ length: NUMBERS }, (_, key) => hex.hexToBytes(hex.toWord(BigInt(key))))
}

/** The messages whose hashes are the places of a variable's elements, and one level deeper. */
function messagesAt(
  layout: StorageLayout,
  type: StorageType | undefined,
  slot: Uint8Array,
  addresses: readonly hex.Address[],
  depth: number,
): Uint8Array[] {
  if (type === undefined || depth > 1) return []
  if (type.encoding === 'dynamic_array' || type.encoding === 'bytes') return [slot]
  if (type.encoding !== 'mapping') return []
  const value = layout.types.get(type.value ?? '')
  return likelyKeys(layout.types.get(type.key ?? ''), addresses).flatMap((key) => {
    const message = hex.concatBytes(key, slot)
    return [message, ...messagesAt(layout, value, keccak256(message), addresses, depth + 1)]
  })
}

/** Preimages for the mappings of a layout: its keys are among these addresses and the first whole numbers. */
export function likelyPreimages(layout: StorageLayout, addresses: readonly hex.Address[]): Preimages {
  const messages = layout.variables.flatMap(({ type, slot }) =>
    messagesAt(layout, layout.types.get(type), hex.hexToBytes(hex.toWord(slot)), addresses, 0),
  )
  return preimagesOf(messages)
}
