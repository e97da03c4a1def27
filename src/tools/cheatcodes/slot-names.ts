// Names of storage slots by solc's layout, and their values, as forge 1.7.1 tells them in state differences: a word is read
// whole as the first variable in its slot, but for structs of one slot.

import { type AbiType, parseAbiParameters } from '../../core/primitives/abi.ts'
import { addressOfWord, keccak256, toChecksumAddress } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { type JsonObject, listOf, objectOf } from '../solidity/artifacts/json.ts'
import type { MappedSlot } from './cheat-state.ts'
import type { Change, SlotChanges } from './recorder.ts'

/** Values in the words of forge. */
type Decoded = Change<string>

export interface SlotName {
  readonly label: string
  /** The type in the words of the layout; of a value in a mapping that of the mapping. */
  readonly typeLabel: string
  /** The type of the value, as it is shown. */
  readonly shown: string
  /** Absent for a struct. */
  readonly type: AbiType | undefined
  readonly offset: number
  readonly slot: bigint
  /** The fields of a struct of one slot, or the slots of a long text. */
  readonly members?: readonly SlotName[]
  readonly keys?: readonly string[]
  readonly decoded?: Decoded
}

interface Variable {
  readonly label: string
  readonly type: JsonObject
  readonly slot: bigint
  readonly offset: number
}

const MOST_NESTED = 10
const MOST_TEXT_SLOTS = 256

const typeLabelOf = (type: JsonObject) => `${type['label']}`
const isStruct = (type: JsonObject) => typeLabelOf(type).startsWith('struct ')

function parsed(label: string): AbiType | undefined {
  return parseAbiParameters([{ type: label }])?.[0]?.type
}

function variablesOf(layout: JsonObject, list: unknown): readonly Variable[] {
  const types = objectOf(layout['types'])
  return listOf(list)
    .map(objectOf)
    .map(({ label, type, slot, offset }) => ({
      label: `${label}`,
      type: objectOf(types[`${type}`]),
      slot: BigInt(`${slot}`),
      offset: Number(offset),
    }))
}

function named(
  variable: Variable,
  label: string,
  slot: bigint,
  type: AbiType | undefined,
): SlotName | undefined {
  const typeLabel = typeLabelOf(variable.type)
  return type && { label, typeLabel, shown: type.canonical, type, offset: variable.offset, slot }
}

function fixedElement(type: AbiType | undefined): AbiType | undefined {
  return type?.kind === 'array' && type.length !== undefined ? type.element : undefined
}

function innermost(type: AbiType): AbiType {
  const element = fixedElement(type)
  return element === undefined ? type : innermost(element)
}

function firstIndices(type: AbiType): string {
  const element = fixedElement(type)
  return element === undefined ? '' : `[0]${firstIndices(element)}`
}

/** The index of a slot of an array: two of them at most, as in forge. */
function indicesAt(element: AbiType, index: bigint): string {
  if (element.kind !== 'array' || element.length === undefined) return `[${index}]`
  const inner = BigInt(element.length)
  return `[${index / inner}][${index % inner}]`
}

/** A struct whose fields share one slot. */
function packedStruct(struct: Variable, label: string, fields: readonly Variable[], slot: bigint): SlotName {
  const members = fields.flatMap(
    (field) => named(field, field.label, slot, parsed(typeLabelOf(field.type))) ?? [],
  )
  const types = members.map(({ shown }) => shown)
  return {
    label,
    typeLabel: typeLabelOf(struct.type),
    shown: types.length === 1 ? `(${types[0]},)` : `(${types.join(',')})`,
    type: undefined,
    offset: struct.offset,
    slot,
    members,
  }
}

function inStruct(
  layout: JsonObject,
  struct: Variable,
  label: string,
  slot: bigint,
  start: bigint,
  depth = 0,
): SlotName | undefined {
  if (depth > MOST_NESTED) return undefined
  const fields = variablesOf(layout, struct.type['members'])
  if (start === slot && fields.length > 0 && fields.every((field) => field.slot === 0n))
    return packedStruct(struct, label, fields, slot)
  for (const field of fields) {
    const own = start + field.slot
    const name = `${label}.${field.label}`
    if (isStruct(field.type)) {
      const found = inStruct(layout, field, name, slot, own, depth + 1)
      if (found !== undefined || own === slot) return found
    }
    if (own === slot) return named(field, name, slot, parsed(typeLabelOf(field.type)))
  }
  return undefined
}

function mappingTypes(
  layout: JsonObject,
  type: JsonObject,
): readonly [keys: JsonObject[], value: JsonObject] {
  if (type['encoding'] !== 'mapping') return [[], type]
  const types = objectOf(layout['types'])
  const [keys, value] = mappingTypes(layout, objectOf(types[`${type['value']}`]))
  return [[objectOf(types[`${type['key']}`]), ...keys], value]
}

type WrittenSlots = ReadonlyMap<hex.Hash, MappedSlot>

function inMapping(
  layout: JsonObject,
  { label, type, slot: root, offset }: Variable,
  slot: hex.Hash,
  mapped: WrittenSlots,
): SlotName | undefined {
  const words: hex.Hash[] = []
  let entry = mapped.get(slot)
  for (; entry !== undefined; entry = mapped.get(entry.parent)) {
    words.unshift(entry.key)
    if (BigInt(entry.parent) === root) break
  }
  if (entry === undefined) return undefined
  const [keyTypes, value] = mappingTypes(layout, type)
  const keys = words.map((word, at) => {
    const keyType = parsed(typeLabelOf(objectOf(keyTypes[at])))
    return (keyType && wordText(keyType, BigInt(word))) ?? word
  })
  const valueType = parsed(typeLabelOf(value)) ?? parsed('bytes')
  const name = `${label}${keys.map((key) => `[${key}]`).join('')}`
  const found = named({ label, type, slot: root, offset }, name, BigInt(slot), valueType)
  return found && { ...found, keys }
}

function identified(layout: JsonObject, slot: hex.Hash, mapped: WrittenSlots): SlotName | undefined {
  const at = BigInt(slot)
  for (const variable of variablesOf(layout, layout['storage'])) {
    const { label, type, slot: start } = variable
    const own = parsed(typeLabelOf(type))
    if (start === at && own !== undefined) return named(variable, `${label}${firstIndices(own)}`, at, own)
    const element = fixedElement(own)
    const slots = (BigInt(`${type['numberOfBytes']}`) + 31n) / 32n
    if (element !== undefined && at > start && at < start + slots)
      return named({ ...variable, offset: 0 }, `${label}${indicesAt(element, at - start)}`, at, own)
    const found = isStruct(type)
      ? inStruct(layout, variable, label, at, start)
      : type['encoding'] === 'mapping' && inMapping(layout, variable, slot, mapped)
    if (found) return found
  }
  return undefined
}

const wordOf = (raw: SlotChanges, slot: hex.Hash, end: 'before' | 'after') =>
  BigInt(raw.get(slot)?.[end] ?? 0n)
const contentOf = (slot: hex.Hash) => hex.bytesToBigInt(keccak256(hex.hexToBytes(slot)))
const BYTES32 = parsed('bytes32') as AbiType

/** The slots of a long text, of which a word is its length. */
function textSlots(text: SlotName, slot: hex.Hash, word: bigint): readonly SlotName[] {
  const count = (word / 2n + 31n) / 32n
  return Array.from({ length: Number(count < MOST_TEXT_SLOTS ? count : MOST_TEXT_SLOTS) }, (_, at) => {
    const label = `${text.label}[${at}]`
    const place = { label, typeLabel: text.typeLabel, slot: contentOf(slot) + BigInt(at), offset: 0 }
    return { ...place, type: BYTES32, shown: 'bytes32' }
  })
}

/** The slot of the bytes of a variable whose length has changed as well. */
function inText(layout: JsonObject, slot: hex.Hash, raw: SlotChanges): SlotName | undefined {
  for (const variable of variablesOf(layout, layout['storage'])) {
    const start = hex.toWord(variable.slot)
    const word = wordOf(raw, start, 'after')
    if (variable.type['encoding'] !== 'bytes' || word % 2n === 0n) continue
    const at = BigInt(slot) - contentOf(start)
    const text = named(variable, variable.label, variable.slot, parsed(typeLabelOf(variable.type)))
    if (text !== undefined && at >= 0n && at < (word / 2n + 31n) / 32n)
      return { ...text, label: `${text.label}[${at}]`, slot: BigInt(slot), type: BYTES32, shown: 'bytes32' }
  }
  return undefined
}

export function slotName(layout: JsonObject, slot: hex.Hash, mapped: WrittenSlots, raw: SlotChanges) {
  return identified(layout, slot, mapped) ?? inText(layout, slot, raw)
}

/** A character as Rust shows it within quotes. */
function escaped(character: string): string {
  const short: Readonly<Record<string, string>> = { '\0': '\\0', '\t': '\\t', '\r': '\\r', '\n': '\\n' }
  if (/["'\\]/.test(character)) return `\\${character}`
  return short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`
}

function textOf({ kind }: AbiType, bytes: Uint8Array): string {
  if (kind === 'bytes') return hex.bytesToHex(bytes)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.replace(/["'\\]|(?! )[\p{C}\p{Mn}\p{Me}\p{Z}]/gu, escaped)
  } catch {
    return ''
  }
}

/** A word as a value of a type. A dynamic one is in the word only if it is empty. */
function wordText(type: AbiType, word: bigint): string | undefined {
  if (type.kind === 'bool') return `${word !== 0n}`
  if (type.kind === 'uint') return `${word}`
  if (type.kind === 'int') return `${BigInt.asIntN(256, word)}`
  if (type.kind === 'address') return toChecksumAddress(addressOfWord(word))
  if (type.kind === 'fixedBytes') return hex.toWord(word).slice(0, 2 + 2 * type.length)
  if (word !== 0n) return undefined
  return { array: '[]', bytes: '0x' }[type.kind as string] ?? ''
}

function shortText(type: AbiType, word: bigint): string | undefined {
  if (type.kind !== 'string' && type.kind !== 'bytes') return wordText(type, word)
  const length = Math.min(Number(word & 0xffn) / 2, 31)
  return word % 2n === 1n ? undefined : textOf(type, hex.hexToBytes(hex.toWord(word)).subarray(0, length))
}

/** A text by its length and the changes of its slots; those that have not changed are left out. */
function longText(
  text: SlotName,
  slot: hex.Hash,
  raw: SlotChanges,
  end: 'before' | 'after',
): string | undefined {
  const type = text.type as AbiType
  const word = wordOf(raw, slot, end)
  if (word % 2n === 0n) return shortText(type, word)
  const places = textSlots(text, slot, word).map((part) => raw.get(hex.toWord(part.slot))?.[end] ?? '0x')
  const length = word / 2n
  const bytes = hex.concatBytes(...places.map((part) => hex.hexToBytes(part)))
  return textOf(type, bytes.subarray(0, Number(length < bytes.length ? length : bytes.length)))
}

function pairOf(before: string | undefined, after: string | undefined): { readonly decoded?: Decoded } {
  return before === undefined || after === undefined ? {} : { decoded: { before, after } }
}

/** The part of a word that a field has, where fixed bytes are read from its wrong end, as in forge. */
function fieldText(type: AbiType, offset: number, word: bigint): string | undefined {
  const sizes: Readonly<Record<string, number>> = { address: 20, bool: 1 }
  const own = type.kind === 'uint' || type.kind === 'int' ? type.bits / 8 : sizes[type.kind]
  const size = own ?? (type.kind === 'fixedBytes' ? type.length : 32)
  return wordText(type, offset + size > 32 ? 0n : BigInt.asUintN(8 * size, word >> BigInt(8 * offset)))
}

export function withValues(
  name: SlotName,
  slot: hex.Hash,
  change: Change<hex.Hex>,
  raw: SlotChanges,
): SlotName {
  const [before, after] = [BigInt(change.before), BigInt(change.after)]
  const { type, members } = name
  if (type === undefined) {
    const fields = (members ?? []).map((field) => {
      const read = (word: bigint) => fieldText(field.type as AbiType, field.offset, word)
      return { ...field, ...pairOf(read(before), read(after)) }
    })
    return { ...name, members: fields, ...(fields.length === 0 && pairOf('()', '()')) }
  }
  if ((type.kind !== 'string' && type.kind !== 'bytes') || !raw.has(slot)) {
    const base = innermost(type)
    return { ...name, ...pairOf(shortText(base, before), shortText(base, after)) }
  }
  const long = [wordOf(raw, slot, 'after'), wordOf(raw, slot, 'before')].find((word) => word % 2n === 1n)
  return {
    ...name,
    ...(long !== undefined && { members: textSlots(name, slot, long) }),
    ...pairOf(longText(name, slot, raw, 'before'), longText(name, slot, raw, 'after')),
  }
}
