// Packed form of a header: all fields as RLP items, without its bloom and without what every empty body has.

import type { Encodable } from '../../primitives/encode-rlp.ts'
import { bytesToBigInt, bytesToHex, type Hex } from '../../primitives/hex.ts'
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

/** The number of fields without those that commit to a body. */
const BODY_FROM = 17

export function packHeader(header: Header): Encodable[] {
  const items: Encodable[] = [
    header.parentHash,
    header.coinbase,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.prevRandao,
    header.parentBeaconBlockRoot,
    header.difficulty,
    header.gasLimit,
    header.gasUsed,
    header.baseFeePerGas,
    header.excessBlobGas,
    header.blobGasUsed,
    header.blobBaseFee,
    header.number,
    header.timestamp,
    header.extraData,
  ]
  if (hasEmptyBodyFields(header)) return items
  return [...items, header.nonce, header.unclesHash, header.withdrawalsRoot, header.requestsHash]
}

/** The inverse of `packHeader`. */
export function unpackHeader(items: readonly Uint8Array[], logsBloom: Uint8Array): Header {
  const bytes = (index: number): Uint8Array => items[index] as Uint8Array
  const hex = (index: number): Hex => bytesToHex(bytes(index))
  const amount = (index: number): bigint => bytesToBigInt(bytes(index))
  const hasEmptyBody = items.length === BODY_FROM
  const empty = bodyCommitments(EMPTY_BODY)
  return {
    logsBloom,
    parentHash: hex(0),
    coinbase: hex(1),
    stateRoot: hex(2),
    transactionsRoot: hex(3),
    receiptsRoot: hex(4),
    prevRandao: hex(5),
    parentBeaconBlockRoot: hex(6),
    difficulty: amount(7),
    gasLimit: amount(8),
    gasUsed: amount(9),
    baseFeePerGas: amount(10),
    excessBlobGas: amount(11),
    blobGasUsed: amount(12),
    blobBaseFee: amount(13),
    number: Number(amount(14)),
    timestamp: Number(amount(15)),
    extraData: bytes(16).slice(),
    nonce: hasEmptyBody ? ZERO_NONCE : hex(17),
    unclesHash: hasEmptyBody ? empty.unclesHash : hex(18),
    withdrawalsRoot: hasEmptyBody ? empty.withdrawalsRoot : hex(19),
    requestsHash: hasEmptyBody ? empty.requestsHash : hex(20),
  }
}
