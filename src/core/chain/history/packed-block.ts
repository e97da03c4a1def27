// Packed form of a block: one byte string, a sixth of the memory of the objects. It begins with the bloom filter, so
// that a search for logs decodes nothing else, and ends with three lists: header, transactions, changes of the state.
// State dumps contain it: a change of it is a new version of theirs (docs/state-format.md).

import { BLOOM_BYTES, EMPTY_BLOOM } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { decodeItem, type Item, itemEnd } from '../../primitives/decode-rlp.ts'
import { encodeBetween } from '../../primitives/encode-rlp.ts'
import { concatBytes } from '../../primitives/hex.ts'
import type { Header } from '../../rollup/header.ts'
import { codeCountIn } from '../../state/state-changes.ts'
import { isPackedHeader, packHeader, unpackHeader } from './packed-header.ts'
import { areChanges, areTransactions } from './packed-shape.ts'
import { packTransactions, unpackTransactions } from './packed-transactions.ts'

/** The first byte. */
const NO_BLOOM = 0
const WITH_BLOOM = 1

const NO_BLOOM_BYTES = Uint8Array.of(NO_BLOOM)
const WITH_BLOOM_BYTES = Uint8Array.of(WITH_BLOOM)

/** The block as bytes, with changes of the state that are encoded already, and without blob sidecars. */
export function packBlock(
  header: Header,
  executed: readonly ExecutedTransaction[],
  changes: Uint8Array,
): Uint8Array {
  const { logsBloom } = header
  const hasBloom = logsBloom !== EMPTY_BLOOM && logsBloom.some((byte) => byte !== 0)
  const start = hasBloom ? concatBytes(WITH_BLOOM_BYTES, logsBloom) : NO_BLOOM_BYTES
  return encodeBetween(start, [packHeader(header), packTransactions(executed)], changes)
}

/** The bloom filter of the block's logs, as a view of the packed bytes. */
export function logsBloomIn(packed: Uint8Array): Uint8Array {
  return packed[0] === NO_BLOOM ? EMPTY_BLOOM : packed.subarray(1, 1 + BLOOM_BYTES)
}

/** Where the lists begin. */
function listsStart(packed: Uint8Array): number {
  return packed[0] === NO_BLOOM ? 1 : 1 + BLOOM_BYTES
}

/** The items of the list at a position: 0, 1 or 2. */
function listIn(packed: Uint8Array, position: number): Item[] {
  let start = listsStart(packed)
  for (let i = 0; i < position; i++) start = itemEnd(packed, start)
  return decodeItem(packed, start, itemEnd(packed, start)) as Item[]
}

function unpackHeaderOf(packed: Uint8Array, items: readonly Item[]): Header {
  const bloom = logsBloomIn(packed)
  const logsBloom = bloom === EMPTY_BLOOM ? bloom : bloom.slice()
  return unpackHeader(items as readonly Uint8Array[], logsBloom)
}

export function headerIn(packed: Uint8Array): Header {
  return unpackHeaderOf(packed, listIn(packed, 0))
}

export function transactionsIn(packed: Uint8Array): readonly ExecutedTransaction[] {
  return unpackTransactions(listIn(packed, 1))
}

/** The changes of the state; empty if the block's state is kept whole, or not at all. */
export function changesIn(packed: Uint8Array): Item[] {
  return listIn(packed, 2)
}

function decodeForeign(list: Uint8Array): Item | undefined {
  try {
    return decodeItem(list)
  } catch (error) {
    // A stack overflow: it is nested too deeply.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export interface UnpackedBlock {
  readonly header: Header
  readonly executed: readonly ExecutedTransaction[]
  readonly changes: {
    readonly items: Item[]
    readonly bytes: Uint8Array
    /** Number of accounts with new code. */
    readonly codeCount: number
  }
}

/** Unpacks bytes from elsewhere; `undefined` if they are no packed block. A transaction that does not decode throws. */
export function unpackBlock(packed: Uint8Array): UnpackedBlock | undefined {
  if (packed[0] !== NO_BLOOM && packed[0] !== WITH_BLOOM) return undefined
  const lists: Uint8Array[] = []
  for (let start = listsStart(packed); start < packed.length; start = itemEnd(packed, start)) {
    lists.push(packed.subarray(start, itemEnd(packed, start)))
  }
  const [header, transactions, changes] = lists.map(decodeForeign)
  const isPacked =
    lists.length === 3 && isPackedHeader(header) && areTransactions(transactions) && areChanges(changes)
  if (!isPacked) return undefined
  return {
    header: unpackHeaderOf(packed, header as Item[]),
    executed: unpackTransactions(transactions as Item[]),
    changes: {
      items: changes as Item[],
      bytes: lists[2] as Uint8Array,
      codeCount: codeCountIn(changes as Item[]),
    },
  }
}
