// Byte arrays that share memory. One of over 64 bytes has memory of its own otherwise, which takes several times as long to
// get as it takes to fill, and to free. The memory stays as long as one of its arrays.

/** Up to this length, engines keep the bytes in the array itself. */
const OWN_BYTES = 64

export class SharedBytes {
  private readonly size: number
  private memory = new Uint8Array(0)
  private used: number

  constructor(size: number) {
    this.size = size
    this.used = size
  }

  /** A new array of zeros. A long one has memory of its own. */
  take(length: number): Uint8Array {
    const { size } = this
    if (length <= OWN_BYTES || length > size >> 2) return new Uint8Array(length)
    if (this.used + length > size) {
      this.memory = new Uint8Array(size)
      this.used = 0
    }
    const start = this.used
    this.used += length
    return this.memory.subarray(start, this.used)
  }
}

/** For what lives as long as a block that is not archived. */
const recent = new SharedBytes(4096)

/** A new array of zeros, which may share its memory with others. */
export function newBytes(length: number): Uint8Array {
  return recent.take(length)
}
