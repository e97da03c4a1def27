// RLP decoding of blocks: header, transactions, uncles, withdrawals.

import { RLP } from '@ethereumjs/rlp'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { decodeIncluded } from '../../pool/decode.ts'
import { failure, TickchainError } from '../../primitives/errors.ts'
import { FIELD_KINDS, type FieldKind } from '../../primitives/fields.ts'
import { bytesToBigInt, bytesToHex } from '../../primitives/hex.ts'
import { type Item, itemEnd } from '../../primitives/rlp.ts'
import { type EncodedHeader, HEADER_NAMES, headerField, makeHeader } from '../../rollup/header.ts'
import { decodeForeignItem } from '../../rollup/rlp-fields.ts'
import type { Withdrawal } from '../block/body.ts'

/** The fields of a header's RLP; zero where the header is from before their fork. */
export interface DecodedHeader extends EncodedHeader {
  readonly fieldCount: number
}

export interface DecodedBlock {
  /** Bytes of its RLP. */
  readonly size: number
  readonly header: DecodedHeader
  readonly transactions: readonly Transaction[]
  readonly uncles: readonly DecodedHeader[]
  /** Absent if the body has no list of withdrawals, as before shanghai. */
  readonly withdrawals: readonly Withdrawal[] | undefined
}

/** `where` names the malformed part. */
function malformed(where: string, reason: string): never {
  throw failure('undecodableBlocks', { reason: `${where}: ${reason}` })
}

function asBytes(item: Item | undefined, where: string, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) malformed(where, 'expected a byte string')
  if (length !== undefined && item.length !== length)
    malformed(where, `expected ${length} bytes, got ${item.length}`)
  return item
}

function asList(item: Item | undefined, where: string): Item[] {
  return Array.isArray(item) ? item : malformed(where, 'expected a list')
}

function asInteger(item: Item | undefined, where: string, bytes: 8 | 32 = 32): bigint {
  const value = asBytes(item, where)
  if (value[0] === 0) malformed(where, 'expected a canonical integer')
  if (value.length > bytes)
    malformed(where, `expected an integer of up to ${bytes} bytes, got ${value.length}`)
  return bytesToBigInt(value)
}

function asNumber(item: Item | undefined, where: string): number {
  const integer = asInteger(item, where)
  const most = Number.MAX_SAFE_INTEGER
  if (integer > BigInt(most)) malformed(where, `expected at most ${most}, got ${integer}`)
  return Number(integer)
}

/** True if some fork has headers with so many fields. */
function isHeaderLength(length: number): boolean {
  const [last, next] = [HEADER_NAMES[length - 1], HEADER_NAMES[length]]
  return last !== undefined && headerField(last).since !== (next && headerField(next).since)
}

function decodeField(kind: FieldKind, item: Item | undefined, where: string): unknown {
  if (kind === 'integer') return asNumber(item, where)
  if (kind === 'amount') return asInteger(item, where)
  const { length, fromBytes } = FIELD_KINDS[kind]
  return fromBytes(asBytes(item, where, length))
}

function decodeHeader(item: Item | undefined, where: string): DecodedHeader {
  const fields = asList(item, where)
  const { length } = fields
  if (!isHeaderLength(length)) malformed(where, `a header of ${length} fields is of no fork`)
  const header = makeHeader((name) => {
    const { kind, isEncoded } = headerField(name)
    const position = HEADER_NAMES.indexOf(name as keyof EncodedHeader)
    return isEncoded === false || position >= length
      ? undefined
      : decodeField(kind, fields[position], `${where}.${name}`)
  })
  return { ...header, fieldCount: length }
}

export function decodeHeaderBytes(bytes: Uint8Array): DecodedHeader {
  const item = decodeForeignItem((reason) => malformed('header', reason), bytes)
  return decodeHeader(item, 'header')
}

function decodeWithdrawal(item: Item, where: string): Withdrawal {
  const fields = asList(item, where)
  if (fields.length !== 4) malformed(where, `expected 4 fields, got ${fields.length}`)
  const [index, validatorIndex, address, amount] = fields
  return {
    index: asInteger(index, `${where}.index`, 8),
    validatorIndex: asInteger(validatorIndex, `${where}.validatorIndex`, 8),
    address: bytesToHex(asBytes(address, `${where}.address`, 20)),
    amount: asInteger(amount, `${where}.amount`, 8),
  }
}

/** In a block a legacy transaction is a list, a typed one a byte string; neither has a blob sidecar (EIP-4844). */
function decodeBlockTransaction(item: Item, number: number, index: number): Transaction {
  const isTyped = item instanceof Uint8Array
  const where = `block ${number}: transaction ${index}`
  if (isTyped && item[0] !== undefined && item[0] >= 0xc0)
    malformed(where, 'a legacy transaction as a byte string')
  let transaction: Transaction
  try {
    transaction = decodeIncluded(isTyped ? item.slice() : RLP.encode(item))
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    const { kind, message: got } = error
    if (kind === 'undecodableTransaction') malformed(where, got)
    // It decodes, but is invalid: its type is unknown, or its signature is out of range.
    throw failure('invalidBlock', { number, check: `transaction ${index}`, expected: 'a valid one', got })
  }
  return transaction.sidecar === undefined ? transaction : malformed(where, 'a blob sidecar inside a block')
}

/** `position` among the items names the block in errors until its number is known. */
function decodeBlock(item: Item, size: number, position: number): DecodedBlock {
  const parts = asList(item, `item ${position}`)
  if (parts.length !== 3 && parts.length !== 4)
    malformed(`item ${position}`, `expected a block of 3 or 4 parts, got ${parts.length}`)
  const [first, transactions, uncles, withdrawals] = parts
  const header = decodeHeader(first, `item ${position}: header`)
  const { number } = header
  const block = `block ${number}`
  return {
    size,
    header,
    transactions: asList(transactions, `${block}: transactions`).map((each, index) =>
      decodeBlockTransaction(each, number, index),
    ),
    uncles: asList(uncles, `${block}: uncles`).map((each, index) =>
      decodeHeader(each, `${block}: uncle ${index}`),
    ),
    withdrawals:
      withdrawals === undefined
        ? undefined
        : asList(withdrawals, `${block}: withdrawals`).map((each, index) =>
            decodeWithdrawal(each, `${block}: withdrawal ${index}`),
          ),
  }
}

/** Decodes concatenated blocks, the format of `geth export`. */
export function decodeBlocks(bytes: Uint8Array): DecodedBlock[] {
  const blocks: DecodedBlock[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = itemEnd(bytes, at)
    const where = `item ${blocks.length}`
    const item = decodeForeignItem((reason) => malformed(where, reason), bytes, at, end)
    blocks.push(decodeBlock(item, end - at, blocks.length))
    at = end
  }
  return blocks
}
