// Frames: the pieces of a channel in the transactions of the batcher (OP specs, Derivation, "Frame Format").

import { bytesToHex, concatBytes, type Hex, hexToBytes } from '../../../core/primitives/hex.ts'

/** A piece of a channel. */
export interface Frame {
  /** 16 bytes that the batcher has chosen. */
  readonly channelId: Hex
  readonly number: number
  readonly data: Uint8Array
  readonly isLast: boolean
}

/** The first byte of a transaction with frames. */
const VERSION = 0
const ID_BYTES = 16
/** The id, a number of two bytes and a length of four come before the data. */
const HEAD_BYTES = ID_BYTES + 2 + 4
const MOST_DATA = 1_000_000
const MOST_FRAMES = 0xffff

function encodeFrame({ channelId, number, data, isLast }: Frame): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES)
  head.set(hexToBytes(channelId))
  const view = new DataView(head.buffer)
  view.setUint16(ID_BYTES, number)
  view.setUint32(ID_BYTES + 2, data.length)
  return concatBytes(head, data, Uint8Array.of(isLast ? 1 : 0))
}

/** Cuts a channel into the input of transactions with a frame each, of at most `mostBytes` of input. */
export function frameTransactions(channelId: Hex, channel: Uint8Array, mostBytes: number): Uint8Array[] {
  const room = mostBytes - HEAD_BYTES - 2
  const count = Math.max(1, Math.ceil(channel.length / room))
  if (count > MOST_FRAMES) throw new RangeError(`a channel of ${channel.length} bytes has too many frames`)
  return Array.from({ length: count }, (_, number) => {
    const data = channel.subarray(number * room, (number + 1) * room)
    const frame = encodeFrame({ channelId, number, data, isLast: number === count - 1 })
    return concatBytes(Uint8Array.of(VERSION), frame)
  })
}

function frameAt(input: Uint8Array, at: number): { readonly frame: Frame; readonly end: number } | undefined {
  if (at + HEAD_BYTES > input.length) return undefined
  const view = new DataView(input.buffer, input.byteOffset + at, HEAD_BYTES)
  const length = view.getUint32(ID_BYTES + 2)
  const last = at + HEAD_BYTES + length
  const flag = input[last]
  if (length > MOST_DATA || (flag !== 0 && flag !== 1)) return undefined
  const frame = {
    channelId: bytesToHex(input.subarray(at, at + ID_BYTES)),
    number: view.getUint16(ID_BYTES),
    data: input.subarray(at + HEAD_BYTES, last),
    isLast: flag === 1,
  }
  return { frame, end: last + 1 }
}

/** The frames in the input of a transaction; none if it is of another version, or if one is malformed. */
export function decodeFrames(input: Uint8Array): readonly Frame[] {
  if (input[0] !== VERSION) return []
  const frames: Frame[] = []
  for (let at = 1; at < input.length; ) {
    const found = frameAt(input, at)
    if (found === undefined) return []
    frames.push(found.frame)
    at = found.end
  }
  return frames
}
