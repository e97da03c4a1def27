// Codec of the block parameter: a tag, a number, a hash, or an object (EIP-1898).

import type { BlockSelector, BlockTag } from '../../node/lookup.ts'
import { type Hex, isHexBytes } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { asRecord, boolean, field, hash } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { uint64 } from './numbers.ts'

const TAGS: ReadonlySet<unknown> = new Set<BlockTag>(['latest', 'pending', 'safe', 'finalized', 'earliest'])

/** A tag or a number on the wire. */
export type BlockNumberWire = BlockTag | Hex | number
export type BlockWire =
  | BlockNumberWire
  | { readonly blockHash: Hex; readonly requireCanonical?: boolean }
  | { readonly blockNumber: BlockNumberWire }

function decodeTagOrNumber(value: unknown, path: string): BlockTag | number {
  if (TAGS.has(value)) return value as BlockTag
  if (typeof value === 'string' && !value.startsWith('0x')) {
    refuse(path, `unknown block tag ${describe(value)}: hex string without 0x prefix`)
  }
  // Above 2^53 there is no block, so the loss of precision does not matter.
  return Number(uint64.decode(value, path))
}

export const blockTagOrNumber: Codec<BlockTag | number, BlockNumberWire> = {
  name: 'block number or tag',
  decode: decodeTagOrNumber,
}

export const block: Codec<BlockSelector, BlockWire> = {
  name: 'block number, tag, hash, or EIP-1898 object',
  decode(value, path) {
    // No block has a number of 32 bytes: geth reads it as a hash (rpc.BlockNumberOrHash).
    if (isHexBytes(value, 32)) return { blockHash: hash.decode(value, path) }
    if (typeof value !== 'object' || value === null) return decodeTagOrNumber(value, path)
    const record = asRecord(value, path)
    const blockHash = field(record, 'blockHash', hash, path)
    const blockNumber = field(record, 'blockNumber', blockTagOrNumber, path)
    field(record, 'requireCanonical', boolean, path)
    if (blockHash !== undefined && blockNumber !== undefined) {
      refuse(path, 'cannot specify both blockHash and blockNumber, choose one or the other')
    }
    if (blockHash !== undefined) return { blockHash }
    if (blockNumber === undefined) refuse(path, 'expected blockHash or blockNumber')
    return blockNumber
  },
}
