// Argument of `reorg`.

import type { Reorganisation, Replacement } from '../../node/control/reorg.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { type Hash, type Hex, isHexBytes } from '../../primitives/hex.ts'
import { arrayOf, asFields, data, hash, requiredField } from '../../rpc/codecs/basic.ts'
import type { Codec } from '../../rpc/codecs/codec.ts'
import { numberFrom } from '../../rpc/codecs/numbers.ts'
import { returning } from '../../rpc/codecs/scheduling.ts'
import { option } from '../checks.ts'

/** What `reorg` replaces, and with what. */
export interface ReorgOptions {
  /** How many sealed blocks are replaced, a whole number from 1. */
  readonly depth: number
  /**
   * The transactions of each new block, in order: an orphaned or pooled one by its hash, or a signed transaction as
   * hex. A rollup's blocks open with their own deposits, and those given are left out. Fewer blocks shorten the chain.
   * More blocks lengthen it; these fall due one block time apart, and the clock moves along. Default: as many empty
   * blocks as are replaced.
   */
  readonly blocks?: readonly (readonly (Hash | Hex)[])[]
  /** Whether orphaned transactions return to the pool, and pre-confirmed ones stay so. Default true. */
  readonly repool?: boolean
}

const replacement: Codec<Replacement, Hash | Hex> = {
  name: 'hash or signed transaction',
  decode: (value, path) =>
    isHexBytes(value, 32) ? hash.decode(value, path) : decodeTransaction(data.decode(value, path)),
}

const blockLists = arrayOf(arrayOf(replacement))

export const reorgOptions: Codec<Reorganisation, ReorgOptions> = {
  name: 'object with depth, blocks and repool',
  decode(value, path) {
    const record = asFields(value, path, ['depth', 'blocks', 'repool'])
    return {
      depth: requiredField(record, 'depth', numberFrom(1), path),
      blocks: option(record, 'blocks', blockLists, undefined, path),
      returning: option(record, 'repool', returning, 'repool', path),
    }
  },
}
