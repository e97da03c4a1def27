// Blocks as they are exchanged: RLP to header, transactions and body.

import { RLP } from '@ethereumjs/rlp'
import type { Transaction } from '../execution/transaction.ts'
import { decodeTransaction } from '../pool/decode.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, bytesToBigInt, bytesToHex, type Hash, type Hex, ZERO_HASH } from '../primitives/hex.ts'
import type { Withdrawal } from './body.ts'

type Item = Uint8Array | Item[]

/** A header's fields as they are in its RLP; later ones are absent before their fork. */
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
  readonly header: DecodedHeader
  readonly transactions: readonly Transaction[]
  readonly uncles: readonly DecodedHeader[]
  readonly withdrawals: readonly Withdrawal[]
}

function malformed(reason: string): never {
  throw failure('undecodableBlocks', { reason })
}

function asBytes(item: Item | undefined, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) malformed('expected a byte string')
  if (length !== undefined && item.length !== length)
    malformed(`expected ${length} bytes, got ${item.length}`)
  return item
}

function asList(item: Item | undefined): Item[] {
  return Array.isArray(item) ? item : malformed('expected a list')
}

function asInteger(item: Item | undefined): bigint {
  const bytes = asBytes(item)
  if (bytes[0] === 0 || bytes.length > 32) malformed('expected a canonical integer')
  return bytesToBigInt(bytes)
}

function asNumber(item: Item | undefined): number {
  const integer = asInteger(item)
  if (integer > BigInt(Number.MAX_SAFE_INTEGER)) malformed('a number is too large')
  return Number(integer)
}

const FIELD_COUNTS: ReadonlySet<number> = new Set([15, 16, 17, 20, 21])

function decodeHeader(item: Item | undefined): DecodedHeader {
  const fields = asList(item)
  if (!FIELD_COUNTS.has(fields.length)) malformed(`a header of ${fields.length} fields is of no fork`)
  const hash = (index: number): Hash => bytesToHex(asBytes(fields[index], 32))
  const optional = <Value>(index: number, decode: (index: number) => Value, absent: Value): Value =>
    index < fields.length ? decode(index) : absent
  const integer = (index: number): bigint => asInteger(fields[index])
  return {
    fieldCount: fields.length,
    parentHash: hash(0),
    unclesHash: hash(1),
    coinbase: bytesToHex(asBytes(fields[2], 20)),
    stateRoot: hash(3),
    transactionsRoot: hash(4),
    receiptsRoot: hash(5),
    logsBloom: asBytes(fields[6], 256).slice(),
    difficulty: integer(7),
    number: asNumber(fields[8]),
    gasLimit: integer(9),
    gasUsed: integer(10),
    timestamp: asNumber(fields[11]),
    extraData: asBytes(fields[12]).slice(),
    prevRandao: hash(13),
    nonce: bytesToHex(asBytes(fields[14], 8)),
    baseFeePerGas: optional(15, integer, 0n),
    withdrawalsRoot: optional(16, hash, ZERO_HASH),
    blobGasUsed: optional(17, integer, 0n),
    excessBlobGas: optional(18, integer, 0n),
    parentBeaconBlockRoot: optional(19, hash, ZERO_HASH),
    requestsHash: optional(20, hash, ZERO_HASH),
  }
}

function decodeWithdrawal(item: Item): Withdrawal {
  const [index, validatorIndex, address, amount] = asList(item)
  return {
    index: asInteger(index),
    validatorIndex: asInteger(validatorIndex),
    address: bytesToHex(asBytes(address, 20)),
    amount: asInteger(amount),
  }
}

/** A legacy transaction is a list inside the block's, a typed one a byte string; blobs stay outside (EIP-4844). */
function decodeBlockTransaction(item: Item): Transaction {
  const transaction = decodeTransaction(item instanceof Uint8Array ? item.slice() : RLP.encode(item))
  if (transaction.sidecar !== undefined) malformed('a blob sidecar inside a block')
  return transaction
}

function decodeBlock(item: Item): DecodedBlock {
  const [header, transactions, uncles, withdrawals] = asList(item)
  return {
    header: decodeHeader(header),
    transactions: asList(transactions).map(decodeBlockTransaction),
    uncles: asList(uncles).map(decodeHeader),
    withdrawals: withdrawals === undefined ? [] : asList(withdrawals).map(decodeWithdrawal),
  }
}

/** The items that stand one after another in a file of blocks, as geth exports them. */
export function decodeBlocks(bytes: Uint8Array): DecodedBlock[] {
  const blocks: DecodedBlock[] = []
  let rest = bytes
  while (rest.length > 0) {
    let decoded: { data: Item; remainder: Uint8Array }
    try {
      decoded = RLP.decode(rest, true) as typeof decoded
    } catch (error) {
      malformed((error as Error).message)
    }
    blocks.push(decodeBlock(decoded.data))
    rest = decoded.remainder
  }
  return blocks
}
