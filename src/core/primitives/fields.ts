// Kinds of fields of headers, receipts and logs: the JavaScript value, its RLP, its JSON.

import * as hex from './hex.ts'
import * as json from './json-reader.ts'
import type { Item } from './rlp.ts'

/** The values of each kind. */
export interface FieldValues {
  readonly hash: hex.Hash
  readonly address: hex.Address
  readonly bytes: Uint8Array
  readonly bloom: Uint8Array
  /** 8 bytes. */
  readonly nonce: hex.Hex
  /** An integer of up to 256 bits. */
  readonly amount: bigint
  /** An integer of up to 64 bits. */
  readonly gas: bigint
  /** An integer below 2^53. */
  readonly integer: number
  readonly flag: 0 | 1
}

export type FieldKind = keyof FieldValues

const BLOOM_BYTES = 256

interface Kind<Value> {
  /** The value of a field that a block does not have. */
  readonly absent: Value
  /** The exact length of its bytes, or for an integer the greatest. */
  readonly length?: number
  readonly isInteger?: true
  readonly fromBytes: (bytes: Uint8Array) => Value
  /** JSON-RPC, which state dumps follow except for integers. */
  readonly toJson: (value: Value) => hex.Hex
  readonly fromDump: (value: unknown, path: string) => Value
}

const asIs = <Value extends hex.Hex>(value: Value): hex.Hex => value
/** A copy: a view would keep all bytes around it in memory. */
const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.length === 0 ? hex.EMPTY_BYTES : bytes.slice())

export const FIELD_KINDS: { readonly [Name in FieldKind]: Kind<FieldValues[Name]> } = {
  hash: {
    absent: hex.ZERO_HASH,
    length: 32,
    fromBytes: hex.bytesToHex,
    toJson: asIs,
    fromDump: json.readHash,
  },
  address: {
    absent: hex.ZERO_ADDRESS,
    length: 20,
    fromBytes: hex.bytesToHex,
    toJson: asIs,
    fromDump: json.readAddressField,
  },
  bytes: {
    absent: hex.EMPTY_BYTES,
    fromBytes: ownBytes,
    toJson: hex.bytesToHex,
    fromDump: (value, path) => hex.hexToBytes(json.readHex(value, path)),
  },
  bloom: {
    absent: new Uint8Array(BLOOM_BYTES),
    length: BLOOM_BYTES,
    fromBytes: ownBytes,
    toJson: hex.bytesToHex,
    fromDump: (value, path) => hex.hexToBytes(json.readHex(value, path, BLOOM_BYTES)),
  },
  nonce: {
    absent: '0x0000000000000000',
    length: 8,
    fromBytes: hex.bytesToHex,
    toJson: asIs,
    fromDump: (value, path) => json.readHex(value, path, 8),
  },
  amount: {
    absent: 0n,
    length: 32,
    isInteger: true,
    fromBytes: hex.bytesToBigInt,
    toJson: hex.toQuantity,
    fromDump: (value, path) => json.readAmount(value, path),
  },
  gas: {
    absent: 0n,
    length: 8,
    isInteger: true,
    fromBytes: hex.bytesToBigInt,
    toJson: hex.toQuantity,
    fromDump: (value, path) => json.readAmount(value, path, 64),
  },
  integer: {
    absent: 0,
    length: 7,
    isInteger: true,
    fromBytes: (bytes) => Number(hex.bytesToBigInt(bytes)),
    toJson: hex.toQuantity,
    fromDump: (value, path) => json.readInteger(value, path),
  },
  flag: {
    absent: 0,
    length: 1,
    isInteger: true,
    fromBytes: (bytes) => (bytes.length === 0 ? 0 : 1),
    toJson: hex.toQuantity,
    fromDump: (value, path) => json.readInteger(value, path, 1) as 0 | 1,
  },
}

/** True if an RLP item is a value of a kind. */
export function isItemOf(kind: FieldKind, item: Item | undefined): boolean {
  if (!(item instanceof Uint8Array)) return false
  const { length, isInteger } = FIELD_KINDS[kind]
  if (isInteger !== true) return length === undefined || item.length === length
  const [first = 1] = item
  const isInRange =
    (kind !== 'integer' || item.length < 7 || first < 0x20) && (kind !== 'flag' || first === 1)
  return item.length <= (length as number) && first !== 0 && isInRange
}

/** A value in a state dump: as in JSON-RPC, but integers are JSON numbers. */
export function dumpField<Name extends FieldKind>(kind: Name, value: FieldValues[Name]): hex.Hex | number {
  return typeof value === 'number' ? value : FIELD_KINDS[kind].toJson(value)
}

/** A field of a value in a state dump. */
export interface DumpedField {
  readonly kind: FieldKind
  readonly isOptional?: true
  /** The greatest value of an integer. */
  readonly most?: number
}

type Fields = Readonly<Record<string, DumpedField>>

type FieldValue<Field extends DumpedField> =
  | FieldValues[Field['kind']]
  | (Field extends { readonly isOptional: true } ? undefined : never)

/** The values that a table of fields stands for. */
export type ValuesOf<Table extends Fields> = { readonly [Name in keyof Table]: FieldValue<Table[Name]> }

/** Fields as JSON, in the order of the table, without those that have no value. */
export function dumpFields<Table extends Fields>(
  table: Table,
  values: ValuesOf<Table>,
): Record<string, hex.Hex | number> {
  const present = Object.entries(table).filter(([name]) => values[name] !== undefined)
  return Object.fromEntries(
    present.map(([name, { kind }]) => [name, dumpField(kind, values[name] as FieldValues[FieldKind])]),
  )
}

/** The inverse of `dumpFields`; throws `undecodableState`. */
export function loadFields<Table extends Fields>(
  table: Table,
  value: unknown,
  path: string,
): ValuesOf<Table> {
  const given = json.readObject(value, path)
  const loaded = Object.entries(table).map(([name, { kind, isOptional, most }]): [string, unknown] => {
    const [item, at] = [given[name], `${path}.${name}`]
    const read = (each: unknown): unknown =>
      most === undefined ? FIELD_KINDS[kind].fromDump(each, at) : json.readInteger(each, at, most)
    return [name, isOptional === true ? json.readOptional(item, at, read) : read(item)]
  })
  return Object.fromEntries(loaded) as ValuesOf<Table>
}
