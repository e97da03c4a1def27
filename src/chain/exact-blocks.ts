// The blocks of an exact run: each is opened on the one before and sealed, as it would be by itself.

import { openBlock, type SealedBlock, sealBlock } from './block.ts'
import {
  type BlockSource,
  type EmptyRun,
  environmentOf,
  type Predecessor,
  predecessorOf,
} from './empty-run.ts'
import { createRunIndex, startOfHash } from './run-index.ts'
import { createSegments, SEGMENT_LENGTH } from './segments.ts'

interface Mark {
  readonly parent: SealedBlock
  readonly before: Predecessor
}

export function createExactBlocks(run: EmptyRun): BlockSource {
  const index = createRunIndex(run.count)
  const first: Mark = { parent: run.parent, before: predecessorOf(run) }
  const segments = createSegments<Mark, readonly SealedBlock[]>(first, (mark, number) => {
    const blocks: SealedBlock[] = []
    const start = number * SEGMENT_LENGTH
    const end = Math.min(start + SEGMENT_LENGTH, run.count)
    let { parent, before } = mark
    for (let position = start; position < end; position++) {
      const block = sealBlock(openBlock(run.rules, parent, environmentOf(run, position, before)))
      index.note(position, startOfHash(block.hash))
      blocks.push(block)
      parent = block
      before = block
    }
    return { segment: blocks, next: { parent, before } }
  })
  const at = (position: number): SealedBlock =>
    segments.at(Math.floor(position / SEGMENT_LENGTH))[position % SEGMENT_LENGTH] as SealedBlock
  return {
    at,
    indexOf(hash, count) {
      at(count - 1)
      return index.find(hash, count, (position) => at(position).hash)
    },
  }
}

/** The same for a run of one block, which needs no more than the block. */
export function createOneBlock(run: EmptyRun): BlockSource {
  const block = sealBlock(openBlock(run.rules, run.parent, environmentOf(run, 0, predecessorOf(run))))
  return { at: () => block, indexOf: (hash) => (block.hash === hash ? 0 : undefined) }
}
