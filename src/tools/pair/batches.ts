// The data that the batcher posts (OP specs, Derivation): singular batches ("Batch Format", version 0), what a sequencer has
// chosen for a block besides what follows from the layer 1; channels of batches ("Channel Format"), compressed by zlib; and
// frames ("Frame Format"), the pieces of a channel in transactions. Span batches, and brotli of fjord, are not supported.

import { Unzlib, zlibSync } from 'fflate/browser'
import { isItemOf } from '../../core/primitives/fields.ts'
import * as hex from '../../core/primitives/hex.ts'
import { decodeItem, encodeBytes, encodeItems, type Item, itemEnd } from '../../core/primitives/rlp.ts'

/** A block of the layer 2 as the batcher posts it. */
export interface Batch {
  readonly parentHash: hex.Hash
  /** The number and hash of the block's L1 origin. */
  readonly epochNumber: number
  readonly epochHash: hex.Hash
  /** Seconds. */
  readonly timestamp: number
  /** Raw transactions, without deposits. */
  readonly transactions: readonly Uint8Array[]
}

const SINGULAR = 0

/** The batch as an RLP string, as channels hold it. */
export function encodeBatch(batch: Batch): Uint8Array {
  const { parentHash, epochNumber, epochHash, timestamp, transactions } = batch
  return encodeBytes(encodeItems([parentHash, epochNumber, epochHash, timestamp, transactions], SINGULAR))
}

/** An integer is canonical, and below 2^53. */
const ITEMS = ['hash', 'integer', 'hash', 'integer'] as const

function decodeBatch(bytes: Uint8Array): Batch | undefined {
  const items = bytes[0] === SINGULAR ? decodeItem(bytes, 1) : undefined
  if (!Array.isArray(items) || items.length !== 5) return undefined
  const [parentHash, epochNumber, epochHash, timestamp, transactions] = items as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Item,
  ]
  const areStrings = Array.isArray(transactions) && transactions.every((each) => isItemOf('bytes', each))
  if (!areStrings || !ITEMS.every((kind, position) => isItemOf(kind, items[position]))) return undefined
  return {
    parentHash: hex.bytesToHex(parentHash),
    epochNumber: Number(hex.bytesToBigInt(epochNumber)),
    epochHash: hex.bytesToHex(epochHash),
    timestamp: Number(hex.bytesToBigInt(timestamp)),
    transactions: transactions as Uint8Array[],
  }
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

/** Compression method 8 in the first byte of zlib; op-node also takes 15. */
const ZLIB_METHODS = [8, 15]

export function encodeChannel(batches: readonly Batch[]): Uint8Array {
  return zlibSync(hex.concatBytes(...batches.map(encodeBatch)), { level: 6 })
}

/** Bytes that are decompressed at once: of a damaged stream, the pieces before the damage count. */
const PUSHED_BYTES = 4096

/** Decompresses a stream, up to `mostBytes`, also of a damaged stream. */
function decompress(bytes: Uint8Array, mostBytes: number): Uint8Array {
  const chunks: Uint8Array[] = []
  let length = 0
  const stream = new Unzlib((chunk) => {
    const room = mostBytes - length
    if (room <= 0) return
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk
    chunks.push(part)
    length += part.length
  })
  try {
    for (let start = 0; start < bytes.length && length < mostBytes; start += PUSHED_BYTES) {
      const end = start + PUSHED_BYTES
      stream.push(bytes.subarray(start, end), end >= bytes.length)
    }
  } catch {
    // fflate says only that the stream is damaged; what came before has been collected.
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : hex.concatBytes(...chunks)
}

/** The batches of a channel that is complete; those before the first that cannot be read. */
export function decodeChannel(bytes: Uint8Array, mostBytes: number): readonly Batch[] {
  const isZlib = ZLIB_METHODS.includes((bytes[0] ?? 0) & 0x0f)
  return decodeBatches(isZlib ? decompress(bytes, mostBytes) : hex.EMPTY_BYTES)
}

export interface ChannelFrame {
  /** 16 bytes that the batcher has chosen. */
  readonly channelId: hex.Hex
  readonly number: number
  readonly data: Uint8Array
  readonly isLast: boolean
}

/** The first byte of a transaction with frames. */
const FRAME_VERSION = 0
const ID_BYTES = 16
/** The id, a number of two bytes and a length of four come before the data. */
const HEAD_BYTES = ID_BYTES + 2 + 4
const MOST_DATA = 1_000_000
const MOST_FRAMES = 0xffff

function encodeFrame({ channelId, number, data, isLast }: ChannelFrame): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES)
  head.set(hex.hexToBytes(channelId))
  const view = new DataView(head.buffer)
  view.setUint16(ID_BYTES, number)
  view.setUint32(ID_BYTES + 2, data.length)
  return hex.concatBytes(head, data, Uint8Array.of(isLast ? 1 : 0))
}

/** Cuts a channel into the input of transactions with a frame each, of at most `mostBytes` of input. */
export function frameTransactions(channelId: hex.Hex, channel: Uint8Array, mostBytes: number): Uint8Array[] {
  const room = mostBytes - HEAD_BYTES - 2
  const count = Math.max(1, Math.ceil(channel.length / room))
  if (count > MOST_FRAMES) throw new RangeError(`a channel of ${channel.length} bytes has too many frames`)
  return Array.from({ length: count }, (_, number) => {
    const data = channel.subarray(number * room, (number + 1) * room)
    const frame = encodeFrame({ channelId, number, data, isLast: number === count - 1 })
    return hex.concatBytes(Uint8Array.of(FRAME_VERSION), frame)
  })
}

function frameAt(input: Uint8Array, at: number) {
  if (at + HEAD_BYTES > input.length) return undefined
  const view = new DataView(input.buffer, input.byteOffset + at, HEAD_BYTES)
  const length = view.getUint32(ID_BYTES + 2)
  const last = at + HEAD_BYTES + length
  const flag = input[last]
  if (length > MOST_DATA || (flag !== 0 && flag !== 1)) return undefined
  const frame = {
    channelId: hex.bytesToHex(input.subarray(at, at + ID_BYTES)),
    number: view.getUint16(ID_BYTES),
    data: input.subarray(at + HEAD_BYTES, last),
    isLast: flag === 1,
  }
  return { frame, end: last + 1 }
}

/** The frames in the input of a transaction; none if it is of another version, or if one is malformed. */
export function decodeFrames(input: Uint8Array): readonly ChannelFrame[] {
  if (input[0] !== FRAME_VERSION) return []
  const frames: ChannelFrame[] = []
  for (let at = 1; at < input.length; ) {
    const found = frameAt(input, at)
    if (found === undefined) return []
    frames.push(found.frame)
    at = found.end
  }
  return frames
}
