// Kinds of fields of headers, receipts and logs: the JavaScript value, its RLP, its JSON.

import * as hex from './hex.ts'
import type { ForeignJson } from './json-reader.ts'
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
  readonly length?: number | undefined
  readonly isInteger?: true
  readonly fromBytes: (bytes: Uint8Array) => Value
  /** JSON-RPC, which state dumps follow except for integers. */
  readonly toJson: (value: Value) => hex.Hex
  readonly fromDump: (dumped: ForeignJson) => Value
}

function hexKind(absent: hex.Hex, length: number): Kind<hex.Hex> {
  const fromDump = (dumped: ForeignJson): hex.Hex => dumped.hex(length)
  return { absent, length, fromBytes: hex.bytesToHex, toJson: (value) => value, fromDump }
}

function bytesKind(absent: Uint8Array, length?: number): Kind<Uint8Array> {
  return {
    absent,
    length,
    toJson: hex.bytesToHex,
    // A copy: a view would keep all bytes around it in memory.
    fromBytes: (bytes) => (bytes.length === 0 ? hex.EMPTY_BYTES : bytes.slice()),
    fromDump: (dumped) => dumped.bytes(length),
  }
}

function bigIntKind(length: 8 | 32): Kind<bigint> {
  return {
    absent: 0n,
    length,
    isInteger: true,
    fromBytes: hex.bytesToBigInt,
    toJson: hex.toQuantity,
    fromDump: (dumped) => dumped.amount(length === 8 ? 64 : 256),
  }
}

export const FIELD_KINDS: { readonly [Name in FieldKind]: Kind<FieldValues[Name]> } = {
  hash: hexKind(hex.ZERO_HASH, 32),
  address: hexKind(hex.ZERO_ADDRESS, 20),
  bytes: bytesKind(hex.EMPTY_BYTES),
  bloom: bytesKind(new Uint8Array(BLOOM_BYTES), BLOOM_BYTES),
  nonce: hexKind('0x0000000000000000', 8),
  amount: bigIntKind(32),
  gas: bigIntKind(8),
  integer: {
    absent: 0,
    length: 7,
    isInteger: true,
    toJson: hex.toQuantity,
    fromBytes: (bytes) => Number(hex.bytesToBigInt(bytes)),
    fromDump: (dumped) => dumped.integer(),
  },
  flag: {
    absent: 0,
    length: 1,
    isInteger: true,
    toJson: hex.toQuantity,
    fromBytes: (bytes) => (bytes.length === 0 ? 0 : 1),
    fromDump: (dumped) => dumped.integer(1) as 0 | 1,
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

/** A field of a value in a state dump. */
interface DumpedField {
  readonly kind: FieldKind
  readonly isOptional?: true
  /** The greatest value of an integer. */
  readonly most?: number
}

type Fields = Readonly<Record<string, DumpedField>>

type FieldValue<Field extends DumpedField> =
  | FieldValues[Field['kind']]
  | (Field extends { readonly isOptional: true } ? undefined : never)

export type ValuesOf<Table extends Fields> = { readonly [Name in keyof Table]: FieldValue<Table[Name]> }

/** Fields as in JSON-RPC, but integers as JSON numbers, in the order of the table, without those that have no value. */
export function dumpFields<Table extends Fields>(
  table: Table,
  values: ValuesOf<Table>,
): Record<string, hex.Hex | number> {
  const fields = Object.entries(table).flatMap(([name, { kind }]): [string, hex.Hex | number][] => {
    const value = values[name]
    if (value === undefined) return []
    return [[name, typeof value === 'number' ? value : FIELD_KINDS[kind].toJson(value as never)]]
  })
  return Object.fromEntries(fields)
}

/** The inverse of `dumpFields`. */
export function loadFields<Table extends Fields>(table: Table, dumped: ForeignJson): ValuesOf<Table> {
  const loaded = Object.entries(table).map(([name, { kind, isOptional, most }]): [string, unknown] => {
    const read = (field: ForeignJson): unknown =>
      most === undefined ? FIELD_KINDS[kind].fromDump(field) : field.integer(most)
    const field = dumped.field(name)
    return [name, isOptional === true ? field.optional(read) : read(field)]
  })
  return Object.fromEntries(loaded) as ValuesOf<Table>
}
