// What the emulator's calls take, checked.

import type { ImportMarks } from './node/import.ts'
import type { Reorganisation, Replacement } from './node/reorg.ts'
import type { Returning } from './node/rerun.ts'
import { decodeTransaction } from './pool/decode.ts'
import { failure } from './primitives/errors.ts'
import { type Hash, type Hex, hexToBytes, isHexBytes } from './primitives/hex.ts'

/** What `reorg` replaces, and with what. */
export interface ReorgOptions {
  /** How many sealed blocks are replaced. */
  readonly depth: number
  /**
   * The transactions of each new block, in order: an orphaned or pooled one by its hash, or a signed transaction
   * as hex. Default: as many empty blocks as are replaced. Fewer shorten the chain, more lengthen it: these fall
   * due a block time after one another, and the clock goes along.
   */
  readonly blocks?: readonly (readonly (Hash | Hex)[])[]
  /** Whether orphaned transactions wait in the pool again. Default true. */
  readonly repool?: boolean
}

/** What becomes of transactions that `dropPreconfirmed` drops. */
export interface DropOptions {
  /** Whether the dropped transactions wait in the pool again. Default false. */
  readonly repool?: boolean
  /** When they vanish: at once, or when the block is sealed that they would be in. Default 'now'. */
  readonly at?: 'now' | 'seal'
}

export function refuse(call: string, expected: string, value: unknown): never {
  const given =
    typeof value === 'string'
      ? `"${value.slice(0, 40)}"`
      : typeof value === 'number'
        ? `${value}`
        : typeof value
  throw failure('invalidCall', { call, expected, given })
}

export function asReturning(call: string, repool: unknown, fallback: Returning): Returning {
  if (repool === undefined) return fallback
  if (typeof repool !== 'boolean') refuse(call, 'repool to be true or false', repool)
  return repool ? 'repool' : 'drop'
}

function asReplacement(value: unknown): Replacement {
  if (isHexBytes(value, 32)) return value.toLowerCase() as Hash
  if (!isHexBytes(value)) refuse('reorg', 'blocks to hold transaction hashes or signed transactions', value)
  return decodeTransaction(hexToBytes(value))
}

/** Checks the argument of `reorg`. */
export function resolveReorg(options: ReorgOptions): Reorganisation {
  if (typeof options !== 'object' || options === null) refuse('reorg', 'an object with depth', options)
  const { depth, blocks, repool } = options
  if (!Number.isSafeInteger(depth) || depth < 1) refuse('reorg', 'depth to be a whole number from 1', depth)
  // Array.from sees the holes of an array, which map passes over.
  if (blocks !== undefined && !(Array.isArray(blocks) && Array.from(blocks).every(Array.isArray))) {
    refuse('reorg', 'blocks to be an array of arrays of transactions', blocks)
  }
  return {
    depth,
    blocks:
      blocks === undefined
        ? undefined
        : blocks.map((transactions) => Array.from(transactions, asReplacement)),
    returning: asReturning('reorg', repool, 'repool'),
  }
}

/** Checks the first argument of `dropPreconfirmed`. */
export function resolveHashes(hashes: Hash | readonly Hash[]): Hash[] {
  const list: readonly unknown[] = Array.isArray(hashes) ? Array.from(hashes) : [hashes]
  if (list.length === 0) refuse('dropPreconfirmed', 'at least one transaction hash', 'an empty array')
  return list.map((hash) => {
    if (!isHexBytes(hash, 32)) refuse('dropPreconfirmed', 'transaction hashes of 32 bytes', hash)
    return hash.toLowerCase() as Hash
  })
}

/** Checks the second argument of `dropPreconfirmed`. */
export function resolveDrop(options: DropOptions | undefined): {
  readonly returning: Returning
  readonly at: 'now' | 'seal'
} {
  const { repool, at = 'now' } = options ?? {}
  if (at !== 'now' && at !== 'seal') refuse('dropPreconfirmed', 'at to be now or seal', at)
  return { returning: asReturning('dropPreconfirmed', repool, 'drop'), at }
}

export interface ImportMarksOptions {
  /** Number of the block that `safe` means from now on. */
  readonly safe?: number
  /** Number of the block that `finalized` means from now on. */
  readonly finalized?: number
}

/** Checks the first argument of `importBlocks`. */
export function resolveRlp(rlp: Uint8Array | Hex): Uint8Array {
  if (rlp instanceof Uint8Array) return rlp
  return isHexBytes(rlp) ? hexToBytes(rlp) : refuse('importBlocks', 'RLP as bytes or hex', rlp)
}

/** Checks the second argument of `importBlocks`. */
export function resolveMarks(marks: ImportMarksOptions = {}): ImportMarks {
  const expected = 'an object with safe and finalized'
  if (typeof marks !== 'object' || marks === null || Array.isArray(marks)) {
    refuse('importBlocks', expected, marks)
  }
  const unknown = Object.keys(marks).find((key) => key !== 'safe' && key !== 'finalized')
  if (unknown !== undefined) refuse('importBlocks', expected, unknown)
  for (const mark of [marks.safe, marks.finalized]) {
    if (mark !== undefined && !(Number.isSafeInteger(mark) && mark >= 0)) {
      refuse('importBlocks', 'safe and finalized to be block numbers', mark)
    }
  }
  return { safe: marks.safe, finalized: marks.finalized }
}
