// Which block of a run has a hash: four bytes of each are kept, and what they suggest is looked at.

import type { Hash } from '../../primitives/hex.ts'

export interface RunIndex {
  /** Notes the hash of a block; noting it again changes nothing. */
  readonly note: (index: number, start: number) => void
  /** The first of `count` noted blocks with this hash, which `hashAt` confirms. */
  readonly find: (hash: Hash, count: number, hashAt: (index: number) => Hash) => number | undefined
}

/** The first four bytes of a hash. */
export function startOfHash(hash: Hash): number {
  return Number.parseInt(hash.slice(2, 10), 16)
}

/** The same of a hash as bytes. */
export function startOfBytes(hash: Uint8Array): number {
  const byteAt = (position: number): number => hash[position] as number
  return ((byteAt(0) << 24) | (byteAt(1) << 16) | (byteAt(2) << 8) | byteAt(3)) >>> 0
}

/** An index of so many blocks, or of as many as come. */
export function createRunIndex(capacity?: number): RunIndex {
  const starts: number[] | Uint32Array = capacity === undefined ? [] : new Uint32Array(capacity)
  return {
    note(index, start) {
      starts[index] = start
    },
    find(hash, count, hashAt) {
      const wanted = startOfHash(hash)
      for (let index = starts.indexOf(wanted); index !== -1; index = starts.indexOf(wanted, index + 1)) {
        if (index >= count) return undefined
        if (hashAt(index) === hash) return index
      }
      return undefined
    },
  }
}
