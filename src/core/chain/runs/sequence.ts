// A long sequence in which each item follows from the one before. Keeps the last item of every stretch, and all items
// of the stretches read last; others are computed again on demand.

import type { Hash } from '../../primitives/hex.ts'
import { memoizeLast } from '../../primitives/memoize-last.ts'

export interface Sequence<Item> {
  /** The item at a position, counted from 0. */
  readonly at: (index: number) => Item
  /** The position of the item with a hash, among the first `count` items. */
  readonly indexOf: (hash: Hash, count: number) => number | undefined
}

export interface Stretches {
  /** Items per stretch. */
  readonly length: number
  /** Stretches kept in full. */
  readonly kept: number
}

/** The first four bytes of a hash; they are indexed for every item. */
function hashPrefix(hash: Hash): number {
  return Number.parseInt(hash.slice(2, 10), 16)
}

/** The sequence that begins with `next(undefined, 0)`; `next` must be pure. */
export function createSequence<Item extends { readonly hash: Hash }>(
  { length, kept }: Stretches,
  next: (before: Item | undefined, index: number) => Item,
): Sequence<Item> {
  const starts: number[] = []
  /** The item before each stretch reached so far. */
  const marks: (Item | undefined)[] = [undefined]
  const stretchAt = memoizeLast<number, Item[]>(kept, () => [])
  const build = (number: number, count: number): readonly Item[] => {
    const items = stretchAt(number)
    while (items.length < count) {
      const index = number * length + items.length
      const item = next(items.at(-1) ?? marks[number], index)
      starts[index] = hashPrefix(item.hash)
      items.push(item)
      if (items.length === length) marks[number + 1] = item
    }
    return items
  }
  const at = (index: number): Item => {
    const number = Math.floor(index / length)
    while (marks.length <= number) build(marks.length - 1, length)
    return build(number, (index % length) + 1)[index % length] as Item
  }
  return {
    at,
    indexOf(hash, count) {
      at(count - 1)
      const wanted = hashPrefix(hash)
      for (let index = starts.indexOf(wanted); index !== -1; index = starts.indexOf(wanted, index + 1)) {
        if (index >= count) return undefined
        if (at(index).hash === hash) return index
      }
      return undefined
    },
  }
}
