// The blocks of an exact run: each is opened on the one before and sealed, as it would be by itself. How many there are
// does not matter: a run may go on, and what is built is built as far as somebody looks.

import { openBlock, type SealedBlock, sealBlock } from '../block/block.ts'
import {
  type BlockSource,
  type EmptyRun,
  environmentOf,
  type Predecessor,
  predecessorOf,
} from './empty-run.ts'
import { createRunIndex, startOfHash } from './run-index.ts'

/** Blocks of a stretch. One that was let go is built anew from where the one before it ended. */
const STRETCH = 32
/** The stretches that are kept: those that were built or built anew last. */
const KEPT = 16

/** Where a stretch goes on. */
interface Mark {
  readonly parent: SealedBlock
  readonly before: Predecessor
}

export function createExactBlocks(run: EmptyRun): BlockSource {
  const index = createRunIndex()
  /** Where each stretch begins, of those that somebody has reached. */
  const marks: Mark[] = [{ parent: run.parent, before: predecessorOf(run) }]
  const kept = new Map<number, SealedBlock[]>()

  const stretchAt = (number: number): SealedBlock[] => {
    let blocks = kept.get(number)
    if (blocks !== undefined) return blocks
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as number)
    blocks = []
    kept.set(number, blocks)
    return blocks
  }
  /** The blocks of a stretch, so many of them at least. */
  const build = (number: number, least: number): SealedBlock[] => {
    const blocks = stretchAt(number)
    let last = blocks.at(-1)
    while (blocks.length < least) {
      const { parent, before } = last === undefined ? (marks[number] as Mark) : { parent: last, before: last }
      const position = number * STRETCH + blocks.length
      last = sealBlock(openBlock(run.rules, parent, environmentOf(run, position, before)))
      index.note(position, startOfHash(last.hash))
      blocks.push(last)
    }
    return blocks
  }
  const at = (position: number): SealedBlock => {
    const number = Math.floor(position / STRETCH)
    while (marks.length <= number) {
      const end = build(marks.length - 1, STRETCH).at(-1) as SealedBlock
      marks.push({ parent: end, before: end })
    }
    return build(number, (position % STRETCH) + 1)[position % STRETCH] as SealedBlock
  }
  return {
    at,
    indexOf(hash, count) {
      at(count - 1)
      return index.find(hash, count, (position) => at(position).hash)
    },
  }
}
