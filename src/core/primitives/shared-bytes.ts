// Memory for many short byte arrays that are dropped about the same time: an engine takes longer to allocate one than to
// fill it. One that is kept keeps a whole chunk.

/** Below, a loop is faster than `set`. */
const SHORT_BYTES = 128

export class SharedBytes {
  private readonly chunkBytes: number
  private memory = new Uint8Array(0)
  private used: number

  constructor(chunkBytes: number) {
    this.chunkBytes = chunkBytes
    this.used = chunkBytes
  }

  /** A new array of zeros. A long one has memory of its own. */
  take(length: number): Uint8Array {
    const { chunkBytes } = this
    if (length > chunkBytes >> 2) return new Uint8Array(length)
    if (this.used + length > chunkBytes) {
      this.memory = new Uint8Array(chunkBytes)
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
