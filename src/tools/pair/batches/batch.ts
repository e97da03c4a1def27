// Singular batches: what a sequencer has chosen for a block, besides what follows from the layer 1 (OP specs,
// Derivation, "Batch Format", version 0). Span batches are not supported.

import { decodeItem, itemEnd } from '../../../core/primitives/decode-rlp.ts'
import { encodeItems } from '../../../core/primitives/encode-rlp.ts'
import { bytesToBigInt, bytesToHex, type Hash } from '../../../core/primitives/hex.ts'
import { encodeBytes } from '../../../core/primitives/rlp.ts'

/** A block of the layer 2 as the batcher posts it. */
export interface Batch {
  readonly parentHash: Hash
  /** The number and hash of the block's L1 origin. */
  readonly epochNumber: number
  readonly epochHash: Hash
  /** Seconds. */
  readonly timestamp: number
  /** Raw transactions, without deposits. */
  readonly transactions: readonly Uint8Array[]
}

const SINGULAR = 0
const HASH_BYTES = 32

/** The batch as an RLP string, as channels hold it. */
export function encodeBatch(batch: Batch): Uint8Array {
  const { parentHash, epochNumber, epochHash, timestamp, transactions } = batch
  return encodeBytes(encodeItems([parentHash, epochNumber, epochHash, timestamp, transactions], SINGULAR))
}

function asHash(item: unknown): Hash | undefined {
  return item instanceof Uint8Array && item.length === HASH_BYTES ? bytesToHex(item) : undefined
}

/** A canonical number that is a safe integer. */
function asNumber(item: unknown): number | undefined {
  if (!(item instanceof Uint8Array) || item.length > 8 || item[0] === 0) return undefined
  const value = Number(bytesToBigInt(item))
  return Number.isSafeInteger(value) ? value : undefined
}

function asStrings(item: unknown): Uint8Array[] | undefined {
  return Array.isArray(item) && item.every((each) => each instanceof Uint8Array) ? item : undefined
}

function decodeBatch(bytes: Uint8Array): Batch | undefined {
  const items = bytes[0] === SINGULAR ? decodeItem(bytes, 1) : undefined
  if (!Array.isArray(items) || items.length !== 5) return undefined
  const [parentHash, epochHash] = [asHash(items[0]), asHash(items[2])]
  const [epochNumber, timestamp] = [asNumber(items[1]), asNumber(items[3])]
  const transactions = asStrings(items[4])
  if (parentHash === undefined || epochHash === undefined || transactions === undefined) return undefined
  if (epochNumber === undefined || timestamp === undefined) return undefined
  return { parentHash, epochNumber, epochHash, timestamp, transactions }
}

/** The batches of a decompressed channel, up to the first that is malformed or of another version. */
export function decodeBatches(bytes: Uint8Array): Batch[] {
  const batches: Batch[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = itemEnd(bytes, at)
    const content = end > bytes.length ? undefined : decodeItem(bytes, at, end)
    const batch = content instanceof Uint8Array ? decodeBatch(content) : undefined
    if (batch === undefined) break
    batches.push(batch)
    at = end
  }
  return batches
}
