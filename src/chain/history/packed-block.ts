// Packed form of a block: one byte string, a sixth of the memory of the objects. It begins with the bloom filter, so
// that a search for logs decodes nothing else, and ends with three lists: header, transactions, changes of the state.

import { BLOOM_BYTES, EMPTY_BLOOM } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { decodeItem, type Item, itemEnd } from '../../primitives/decode-rlp.ts'
import { concatBytes } from '../../primitives/hex.ts'
import { encodeItems } from '../../primitives/rlp.ts'
import type { Header } from '../block/header.ts'
import { packHeader, unpackHeader } from './packed-header.ts'
import { packTransactions, unpackTransactions } from './packed-transactions.ts'

/** The first byte. */
const NO_BLOOM = 0
const WITH_BLOOM = 1

const NO_BLOOM_BYTES = Uint8Array.of(NO_BLOOM)
const WITH_BLOOM_BYTES = Uint8Array.of(WITH_BLOOM)

/**
 * The block as bytes, with changes of the state that are encoded already; `undefined` if a transaction has a blob
 * sidecar, which these cannot hold.
 */
export function packBlock(
  header: Header,
  executed: readonly ExecutedTransaction[],
  changes: Uint8Array,
): Uint8Array | undefined {
  const transactions = packTransactions(executed)
  if (transactions === undefined) return undefined
  const lists = [encodeItems(packHeader(header)), encodeItems(transactions), changes]
  const { logsBloom } = header
  return logsBloom.every((byte) => byte === 0)
    ? concatBytes(NO_BLOOM_BYTES, ...lists)
    : concatBytes(WITH_BLOOM_BYTES, logsBloom, ...lists)
}

/** The bloom filter of the block's logs, as a view of the packed bytes. */
export function logsBloomIn(packed: Uint8Array): Uint8Array {
  return packed[0] === NO_BLOOM ? EMPTY_BLOOM : packed.subarray(1, 1 + BLOOM_BYTES)
}

/** The items of the list at a position: 0, 1 or 2. */
function listIn(packed: Uint8Array, position: number): Item[] {
  let start = packed[0] === NO_BLOOM ? 1 : 1 + BLOOM_BYTES
  for (let i = 0; i < position; i++) start = itemEnd(packed, start)
  return decodeItem(packed, start, itemEnd(packed, start)) as Item[]
}

export function headerIn(packed: Uint8Array): Header {
  const bloom = logsBloomIn(packed)
  const logsBloom = bloom === EMPTY_BLOOM ? bloom : bloom.slice()
  return unpackHeader(listIn(packed, 0) as Uint8Array[], logsBloom)
}

export function transactionsIn(packed: Uint8Array): readonly ExecutedTransaction[] {
  return unpackTransactions(listIn(packed, 1))
}

/** The changes of the state; empty if the block's state is kept whole, or not at all. */
export function changesIn(packed: Uint8Array): Item[] {
  return listIn(packed, 2)
}
