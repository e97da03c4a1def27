// Memory for many short byte arrays that are soon dropped: an engine takes longer to allocate one than to fill it. One that
// is kept keeps a whole chunk, so what lives long is to have memory of its own.

const CHUNK_BYTES = 1 << 16
/** Longer ones have memory of their own. */
const MOST_BYTES = 1 << 10
/** Below, a loop is faster than `set`. */
const SHORT_BYTES = 128

export class ByteArena {
  /** The present chunk; what has not been taken is zero. */
  bytes = new Uint8Array(CHUNK_BYTES)
  view = new DataView(this.bytes.buffer)
  private end = 0

  /** True if an array of a length belongs here. */
  fits(length: number): boolean {
    return length <= MOST_BYTES
  }

  /** The offset of some zeros in the chunk. */
  take(length: number): number {
    if (this.end + length > CHUNK_BYTES) {
      this.bytes = new Uint8Array(CHUNK_BYTES)
      this.view = new DataView(this.bytes.buffer)
      this.end = 0
    }
    const at = this.end
    this.end = at + length
    return at
  }

  /** The array of what was taken last. */
  part(at: number, length: number): Uint8Array {
    return new Uint8Array(this.bytes.buffer, at, length)
  }

  /** A copy of a part of other bytes. */
  copy(from: Uint8Array, start: number, length: number): Uint8Array {
    if (!this.fits(length)) return from.slice(start, start + length)
    const at = this.take(length)
    const { bytes } = this
    if (length > SHORT_BYTES) bytes.set(from.subarray(start, start + length), at)
    else for (let i = 0; i < length; i++) bytes[at + i] = from[start + i] as number
    return this.part(at, length)
  }

  /** A copy of a short part of other bytes, the last first. */
  copyReversed(from: Uint8Array, start: number, length: number): Uint8Array {
    const at = this.take(length)
    const { bytes } = this
    const last = start + length - 1
    for (let i = 0; i < length; i++) bytes[at + i] = from[last - i] as number
    return this.part(at, length)
  }
}
