// The batches of the last blocks of a layer 2, by number: a cache. The batcher and derivation ask for those of the last
// minute, whose blocks are archived by then, so that reading them again would take longer than making them.

import type { Hash } from '../../primitives/hex.ts'
import type { Batch } from './batch.ts'

/** Twice the blocks of the batcher's default interval. */
const MOST_KNOWN = 64

interface KnownBatch {
  readonly hash: Hash
  readonly batch: Batch
}

export class KnownBatches {
  private readonly known: (KnownBatch | undefined)[] = new Array(MOST_KNOWN).fill(undefined)

  /** The batch of a block; `undefined` if it is not known. */
  get(number: number, hash: Hash): Batch | undefined {
    const found = this.known[number % MOST_KNOWN]
    return found?.hash === hash ? found.batch : undefined
  }

  add(number: number, hash: Hash, batch: Batch): void {
    this.known[number % MOST_KNOWN] = { hash, batch }
  }
}
