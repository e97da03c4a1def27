// Packed form of a header: all fields as RLP items, without its bloom and without what every empty body has.

import {
  bigIntToBytes,
  bytesToBigInt,
  bytesToHex,
  EMPTY_BYTES,
  type Hash,
  hexToBytes,
} from '../../primitives/hex.ts'
import type { Item } from '../../primitives/rlp.ts'
import { bodyCommitments, EMPTY_BODY } from '../block/body.ts'
import { type Header, ZERO_NONCE } from '../block/header.ts'

/** The fields that are the same in all headers of blocks without uncles, withdrawals and requests. */
function emptyBodyFields() {
  return { nonce: ZERO_NONCE, ...bodyCommitments(EMPTY_BODY) }
}

function hasEmptyBodyFields(header: Header): boolean {
  const { nonce, unclesHash, withdrawalsRoot, requestsHash } = emptyBodyFields()
  return (
    header.nonce === nonce &&
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

const HASHES_FROM = 0
const AMOUNTS_FROM = HASHES_FROM + HASHES.length
const NUMBER_AT = AMOUNTS_FROM + AMOUNTS.length
const TIMESTAMP_AT = NUMBER_AT + 1
const EXTRA_DATA_AT = NUMBER_AT + 2
const BODY_FROM = NUMBER_AT + 3

export function packHeader(header: Header): Item[] {
  return [
    ...HASHES.map((name) => hexToBytes(header[name])),
    ...AMOUNTS.map((name) => bigIntToBytes(header[name])),
    bigIntToBytes(BigInt(header.number)),
    bigIntToBytes(BigInt(header.timestamp)),
    header.extraData,
    ...(hasEmptyBodyFields(header) ? [] : BODY_FIELDS.map((name) => hexToBytes(header[name]))),
  ]
}

/** The inverse of `packHeader`. */
export function unpackHeader(items: readonly Uint8Array[], logsBloom: Uint8Array): Header {
  const hexAt = (index: number): Hash => bytesToHex(items[index] as Uint8Array)
  const amountAt = (index: number): bigint => bytesToBigInt(items[index] as Uint8Array)
  const hash = (name: (typeof HASHES)[number]): Hash => hexAt(HASHES_FROM + HASHES.indexOf(name))
  const amount = (name: (typeof AMOUNTS)[number]): bigint => amountAt(AMOUNTS_FROM + AMOUNTS.indexOf(name))
  const extraData = items[EXTRA_DATA_AT] as Uint8Array
  const bodyFields =
    items.length === BODY_FROM
      ? emptyBodyFields()
      : {
          nonce: hexAt(BODY_FROM),
          unclesHash: hexAt(BODY_FROM + 1),
          withdrawalsRoot: hexAt(BODY_FROM + 2),
          requestsHash: hexAt(BODY_FROM + 3),
        }
  return {
    number: Number(amountAt(NUMBER_AT)),
    timestamp: Number(amountAt(TIMESTAMP_AT)),
    parentHash: hash('parentHash'),
    coinbase: hash('coinbase'),
    gasLimit: amount('gasLimit'),
    baseFeePerGas: amount('baseFeePerGas'),
    prevRandao: hash('prevRandao'),
    extraData: extraData.length === 0 ? EMPTY_BYTES : extraData.slice(),
    parentBeaconBlockRoot: hash('parentBeaconBlockRoot'),
    excessBlobGas: amount('excessBlobGas'),
    blobBaseFee: amount('blobBaseFee'),
    difficulty: amount('difficulty'),
    stateRoot: hash('stateRoot'),
    transactionsRoot: hash('transactionsRoot'),
    receiptsRoot: hash('receiptsRoot'),
    logsBloom,
    gasUsed: amount('gasUsed'),
    blobGasUsed: amount('blobGasUsed'),
    ...bodyFields,
  }
}
