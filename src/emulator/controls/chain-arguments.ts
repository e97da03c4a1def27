// What the calls take that reorganise a chain, break promises and import blocks, checked.

import type { ImportMarks } from '../../node/control/import.ts'
import type { Reorganisation, Replacement } from '../../node/control/reorg.ts'
import type { Returning } from '../../node/production/rerun.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { type Hash, type Hex, hexToBytes, isHexBytes } from '../../primitives/hex.ts'
import {
  asBoolean,
  asBytesArgument,
  asFields,
  asHashArgument,
  asObjectArgument,
  asOneOf,
  asWholeNumber,
  refuseArgument,
} from './arguments.ts'

/** What `reorg` replaces, and with what. */
export interface ReorgOptions {
  /** How many sealed blocks are replaced, a whole number from 1. */
  readonly depth: number
  /**
   * The transactions of each new block, in order: an orphaned or pooled one by its hash, or a signed transaction as
   * hex. Fewer blocks shorten the chain, more lengthen it: these fall due a block time after one another, and the
   * clock moves along. Default: as many empty blocks as are replaced.
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

export function asReturning(call: string, repool: unknown, fallback: Returning): Returning {
  if (repool === undefined) return fallback
  return asBoolean(call, 'repool', repool) ? 'repool' : 'drop'
}

function asReplacement(value: unknown): Replacement {
  if (isHexBytes(value, 32)) return value.toLowerCase() as Hash
  if (!isHexBytes(value))
    refuseArgument('reorg', 'blocks to hold transaction hashes or signed transactions', value)
  return decodeTransaction(hexToBytes(value))
}

/** Checks the argument of `reorg`. */
export function resolveReorg(options: ReorgOptions): Reorganisation {
  const { depth: given, blocks, repool } = asObjectArgument('reorg', options, 'an object with depth')
  const depth = asWholeNumber('reorg', 'depth', given, 1)
  // Array.from sees the holes of an array, which map passes over.
  if (blocks !== undefined && !(Array.isArray(blocks) && Array.from(blocks).every(Array.isArray))) {
    refuseArgument('reorg', 'blocks to be an array of arrays of transactions', blocks)
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
  if (list.length === 0) refuseArgument('dropPreconfirmed', 'at least one transaction hash', 'an empty array')
  return list.map((hash) => asHashArgument('dropPreconfirmed', hash, 'transaction hashes of 32 bytes'))
}

/** Checks the second argument of `dropPreconfirmed`. */
export function resolveDrop(options: DropOptions | undefined): {
  readonly returning: Returning
  readonly at: 'now' | 'seal'
} {
  const { repool, at = 'now' } = asFields('dropPreconfirmed', options)
  return {
    returning: asReturning('dropPreconfirmed', repool, 'drop'),
    at: asOneOf('dropPreconfirmed', ['now', 'seal'], at, 'at to be now or seal'),
  }
}

/** What `safe` and `finalized` mean after an import. */
export interface ImportMarksOptions {
  /** Number of the block that `safe` means from now on. */
  readonly safe?: number
  /** Number of the block that `finalized` means from now on. */
  readonly finalized?: number
}

/** Checks the first argument of `importBlocks`. */
export function resolveRlp(rlp: Uint8Array | Hex): Uint8Array {
  return asBytesArgument('importBlocks', 'RLP', rlp)
}

/** Checks the second argument of `importBlocks`. */
export function resolveMarks(marks: ImportMarksOptions = {}): ImportMarks {
  const expected = 'an object with safe and finalized'
  const unknown = Object.keys(asObjectArgument('importBlocks', marks, expected)).find(
    (key) => key !== 'safe' && key !== 'finalized',
  )
  if (unknown !== undefined) refuseArgument('importBlocks', expected, unknown)
  for (const mark of [marks.safe, marks.finalized]) {
    if (mark !== undefined && !(Number.isSafeInteger(mark) && mark >= 0)) {
      refuseArgument('importBlocks', 'safe and finalized to be block numbers', mark)
    }
  }
  return { safe: marks.safe, finalized: marks.finalized }
}
