// Packed form of a header: all fields as RLP items, without its bloom and without what every empty body has.

import { bigIntToBytes, bytesToBigInt, bytesToHex, hexToBytes } from '../../primitives/hex.ts'
import type { Item } from '../../primitives/rlp.ts'
import { bodyCommitments, EMPTY_BODY } from '../block/body.ts'
import { type Header, ZERO_NONCE } from '../block/header.ts'

/** Whether the fields that commit to the body are those of a block without uncles, withdrawals and requests. */
function hasEmptyBodyFields(header: Header): boolean {
  const { unclesHash, withdrawalsRoot, requestsHash } = bodyCommitments(EMPTY_BODY)
  return (
    header.nonce === ZERO_NONCE &&
    header.unclesHash === unclesHash &&
    header.withdrawalsRoot === withdrawalsRoot &&
    header.requestsHash === requestsHash
  )
}

const HASHES = [
  'parentHash',
  'coinbase',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'prevRandao',
  'parentBeaconBlockRoot',
] as const
const AMOUNTS = [
  'difficulty',
  'gasLimit',
  'gasUsed',
  'baseFeePerGas',
  'excessBlobGas',
  'blobGasUsed',
  'blobBaseFee',
] as const
const BODY_FIELDS = ['nonce', 'unclesHash', 'withdrawalsRoot', 'requestsHash'] as const

const NUMBER_AT = HASHES.length + AMOUNTS.length
const TIMESTAMP_AT = NUMBER_AT + 1
const EXTRA_DATA_AT = NUMBER_AT + 2
const BODY_FROM = NUMBER_AT + 3

export function packHeader(header: Header): Item[] {
  const items: Item[] = []
  for (const name of HASHES) items.push(hexToBytes(header[name]))
  for (const name of AMOUNTS) items.push(bigIntToBytes(header[name]))
  items.push(bigIntToBytes(BigInt(header.number)), bigIntToBytes(BigInt(header.timestamp)), header.extraData)
  if (!hasEmptyBodyFields(header)) for (const name of BODY_FIELDS) items.push(hexToBytes(header[name]))
  return items
}

type Fields = { -readonly [Name in keyof Header]?: Header[Name] }

/** The inverse of `packHeader`. */
export function unpackHeader(items: readonly Uint8Array[], logsBloom: Uint8Array): Header {
  const at = (index: number): Uint8Array => items[index] as Uint8Array
  const fields: Fields = { logsBloom, nonce: ZERO_NONCE, ...bodyCommitments(EMPTY_BODY) }
  let next = 0
  for (const name of HASHES) fields[name] = bytesToHex(at(next++))
  for (const name of AMOUNTS) fields[name] = bytesToBigInt(at(next++))
  fields.number = Number(bytesToBigInt(at(NUMBER_AT)))
  fields.timestamp = Number(bytesToBigInt(at(TIMESTAMP_AT)))
  fields.extraData = at(EXTRA_DATA_AT).slice()
  if (items.length === BODY_FROM) return fields as Header
  next = BODY_FROM
  for (const name of BODY_FIELDS) fields[name] = bytesToHex(at(next++))
  return fields as Header
}
