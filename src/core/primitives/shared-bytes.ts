// Memory for many short byte arrays that are soon dropped, as exploring makes them: an engine takes longer to allocate one
// than to fill it. One that is kept keeps a whole chunk, so what lives long has memory of its own.

const CHUNK_BYTES = 1 << 16
/** Below, a loop is faster than `set`. */
const SHORT_BYTES = 128

export class SharedBytes {
  private memory = new Uint8Array(0)
  private used = CHUNK_BYTES

  /** A new array of zeros. A long one has memory of its own. */
  take(length: number): Uint8Array {
    if (length > CHUNK_BYTES >> 2) return new Uint8Array(length)
    if (this.used + length > CHUNK_BYTES) {
      this.memory = new Uint8Array(CHUNK_BYTES)
      this.used = 0
    }
    const start = this.used
    this.used += length
    return this.memory.subarray(start, this.used)
  }

  /** A copy of a part of other bytes. */
  copy(from: Uint8Array, start: number, length: number): Uint8Array {
    const copy = this.take(length)
    if (length > SHORT_BYTES) copy.set(from.subarray(start, start + length))
    else for (let i = 0; i < length; i++) copy[i] = from[start + i] as number
    return copy
  }
}
