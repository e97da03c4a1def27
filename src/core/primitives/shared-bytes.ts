// Byte arrays that share memory. One of over 64 bytes has memory of its own otherwise, which takes several times as long to
// get as it takes to fill, and to free. The memory stays as long as one of its arrays.

/** Up to this length, engines keep the bytes in the array itself. */
const OWN_BYTES = 64
/** Below, a loop is faster than `set`. */
const SHORT_BYTES = 128

export class SharedBytes {
  private readonly size: number
  private readonly ownBytes: number
  private memory = new Uint8Array(0)
  private used: number

  /** Chunks of a size; arrays of up to `ownBytes` have their own memory, and so have long ones. */
  constructor(size: number, ownBytes: number = OWN_BYTES) {
    this.size = size
    this.ownBytes = ownBytes
    this.used = size
  }

  /** A new array of zeros. */
  take(length: number): Uint8Array {
    const { size } = this
    if (length <= this.ownBytes || length > size >> 2) return new Uint8Array(length)
    if (this.used + length > size) {
      this.memory = new Uint8Array(size)
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

  /** A copy of a short part of other bytes, the last first. */
  copyReversed(from: Uint8Array, start: number, length: number): Uint8Array {
    const copy = this.take(length)
    const last = start + length - 1
    for (let i = 0; i < length; i++) copy[i] = from[last - i] as number
    return copy
  }
}

/** Memory for many short arrays that are soon dropped. One that is kept keeps a whole chunk. */
export function passingBytes(): SharedBytes {
  return new SharedBytes(1 << 16, 0)
}

/** For what lives as long as a block that is not archived. */
const recent = new SharedBytes(4096)

/** A new array of zeros, which may share its memory with others. */
export function newBytes(length: number): Uint8Array {
  return recent.take(length)
}
