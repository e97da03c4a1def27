// RLP decoding of blocks: header, transactions, uncles, withdrawals.

import { RLP } from '@ethereumjs/rlp'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { decodeIncluded } from '../../pool/decode.ts'
import { decodeItem, itemEnd } from '../../primitives/decode-rlp.ts'
import { failure, TickchainError } from '../../primitives/errors.ts'
import {
  type Address,
  bytesToBigInt,
  bytesToHex,
  type Hash,
  type Hex,
  ZERO_HASH,
} from '../../primitives/hex.ts'
import type { Withdrawal } from '../block/body.ts'

type Item = Uint8Array | Item[]

/** The fields of a header's RLP; zero where the header is from before their fork. */
export interface DecodedHeader {
  readonly fieldCount: number
  readonly parentHash: Hash
  readonly unclesHash: Hash
  readonly coinbase: Address
  readonly stateRoot: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Uint8Array
  readonly difficulty: bigint
  readonly number: number
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly timestamp: number
  readonly extraData: Uint8Array
  readonly prevRandao: Hash
  readonly nonce: Hex
  readonly baseFeePerGas: bigint
  readonly withdrawalsRoot: Hash
  readonly blobGasUsed: bigint
  readonly excessBlobGas: bigint
  readonly parentBeaconBlockRoot: Hash
  readonly requestsHash: Hash
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
  if (length !== undefined && item.length !== length) {
    malformed(where, `expected ${length} bytes, got ${item.length}`)
  }
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

const FIELD_COUNTS: ReadonlySet<number> = new Set([15, 16, 17, 20, 21])

function decodeHeader(item: Item | undefined, where: string): DecodedHeader {
  const fields = asList(item, where)
  const { length } = fields
  if (!FIELD_COUNTS.has(length)) malformed(where, `a header of ${length} fields is of no fork`)
  const bytes = (index: number, name: string, size?: number): Uint8Array =>
    asBytes(fields[index], `${where}.${name}`, size)
  const hash = (index: number, name: string): Hash => bytesToHex(bytes(index, name, 32))
  const integer = (index: number, name: string): bigint => asInteger(fields[index], `${where}.${name}`)
  const number = (index: number, name: string): number => asNumber(fields[index], `${where}.${name}`)
  const laterHash = (index: number, name: string): Hash => (index < length ? hash(index, name) : ZERO_HASH)
  const laterInteger = (index: number, name: string): bigint => (index < length ? integer(index, name) : 0n)
  return {
    fieldCount: length,
    parentHash: hash(0, 'parentHash'),
    unclesHash: hash(1, 'unclesHash'),
    coinbase: bytesToHex(bytes(2, 'coinbase', 20)),
    stateRoot: hash(3, 'stateRoot'),
    transactionsRoot: hash(4, 'transactionsRoot'),
    receiptsRoot: hash(5, 'receiptsRoot'),
    logsBloom: bytes(6, 'logsBloom', 256).slice(),
    difficulty: integer(7, 'difficulty'),
    number: number(8, 'number'),
    gasLimit: integer(9, 'gasLimit'),
    gasUsed: integer(10, 'gasUsed'),
    timestamp: number(11, 'timestamp'),
    extraData: bytes(12, 'extraData').slice(),
    prevRandao: hash(13, 'mixHash'),
    nonce: bytesToHex(bytes(14, 'nonce', 8)),
    baseFeePerGas: laterInteger(15, 'baseFeePerGas'),
    withdrawalsRoot: laterHash(16, 'withdrawalsRoot'),
    blobGasUsed: laterInteger(17, 'blobGasUsed'),
    excessBlobGas: laterInteger(18, 'excessBlobGas'),
    parentBeaconBlockRoot: laterHash(19, 'parentBeaconBlockRoot'),
    requestsHash: laterHash(20, 'requestsHash'),
  }
}

/** Decodes the RLP of a single header. */
export function decodeHeaderBytes(bytes: Uint8Array): DecodedHeader {
  let item: Item
  try {
    // Falls back to @ethereumjs/rlp for its error message.
    item = decodeItem(bytes) ?? (RLP.decode(bytes) as Item)
  } catch (error) {
    malformed('header', (error as Error).message)
  }
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
  if (parts.length !== 3 && parts.length !== 4) {
    malformed(`item ${position}`, `expected a block of 3 or 4 parts, got ${parts.length}`)
  }
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
    let item: Item
    try {
      // @ethereumjs/rlp copies all that follows; it is asked only for its error message.
      item = decodeItem(bytes, at, end) ?? (RLP.decode(bytes.subarray(at, end)) as Item)
    } catch (error) {
      // A RangeError is a stack overflow; its message differs between JavaScript engines.
      const reason = error instanceof RangeError ? 'nested too deeply' : (error as Error).message
      malformed(`item ${blocks.length}`, reason)
    }
    blocks.push(decodeBlock(item, end - at, blocks.length))
    at = end
  }
  return blocks
}
