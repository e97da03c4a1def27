// Sequences of steps or calls: drawn, and made simpler: first without halves of them, then with simpler items.

import type { Arbitrary, Random, Value } from 'fast-check'

/** A sequence of up to so many items, drawn as fast-check draws arrays for the run with this number. */
export function drawSequence<Item>(
  item: Arbitrary<Item>,
  most: number,
  random: Random,
  run: number,
): Value<Item>[] {
  // Now and then its items are small, and then it may be short.
  const bias = 2 + Math.floor(Math.log10(run + 1))
  const isSmall = random.nextInt(1, bias) === 1
  const isShort = isSmall && random.nextInt(1, bias) === 1
  const length = random.nextInt(0, isShort ? Math.floor(Math.log2(most)) : most)
  return Array.from({ length }, () => item.generate(random, isSmall ? bias : undefined))
}

type Sequences<Item> = Iterable<readonly Value<Item>[]> | AsyncIterable<readonly Value<Item>[]>

type Repair<Item> = (items: readonly Value<Item>[]) => Sequences<Item>

export interface Shrinking<Item> {
  readonly simpler: (item: Value<Item>) => Iterable<Value<Item>>
  /** Items in place of one that do the part of another as well, which is left out. */
  readonly joined?: (item: Value<Item>, left: Value<Item>) => Iterable<Value<Item>>
  /** Sequences in which several items are simpler at once. */
  readonly together?: (items: readonly Value<Item>[]) => Iterable<readonly Value<Item>[]>
  /** Ways to make sequences in place of one from which an item was left out; those that make fewer come first. */
  readonly repairs?: readonly Repair<Item>[]
  readonly attempts: number
  /** Tries a sequence; resolves to the positions of the items that count, or `undefined` if it does not fail. */
  readonly attempt: (items: readonly Item[]) => Promise<readonly number[] | undefined>
}

/** What an arbitrary has in place of a value. */
export function simplerBy<Item>(item: Arbitrary<Item>, { value, context }: Value<Item>) {
  return context === undefined && !item.canShrinkWithoutContext(value) ? [] : item.shrink(value, context)
}

function without<Item>(items: readonly Item[], from: number, to: number): Item[] {
  return [...items.slice(0, Math.max(0, from)), ...items.slice(to)]
}

/** Tries simpler sequences, as long as one of them fails. */
export async function simplify<Item>(
  { simpler, together, joined, repairs = [], attempts, attempt }: Shrinking<Item>,
  start: readonly Value<Item>[],
): Promise<void> {
  let items = start
  let left = attempts
  /** A quarter of the attempts each: pairs are many. */
  let [joins, mends] = [attempts >> 2, attempts >> 2]
  const take = async (tried: readonly Value<Item>[]): Promise<boolean> => {
    if (left-- <= 0) return false
    const counted = await attempt(tried.map(({ value }) => value))
    if (counted !== undefined) items = counted.map((at) => tried[at] as Value<Item>)
    return counted !== undefined
  }
  /** The last are left out first: most of them come after the failure. */
  const leaveOut = async (size: number): Promise<boolean> => {
    let isLess = false
    for (let end = items.length; end > 0 && left > 0; end = Math.min(end - size, items.length))
      if (await take(without(items, end - size, end))) isLess = true
    return isLess
  }
  /** True if one of the sequences was taken. */
  const takeFirst = async (sequences: Iterable<readonly Value<Item>[]>): Promise<boolean> => {
    for (const each of sequences) {
      if (left <= 0) return false
      if (await take(each)) return true
    }
    return false
  }
  function* simplerAt(at: number): Generator<Value<Item>[]> {
    const [before, after] = [items.slice(0, at), items.slice(at + 1)]
    for (const each of simpler(items[at] as Value<Item>)) yield [...before, each, ...after]
  }
  /** True if an item was left out whose part another has taken. */
  const join = async (): Promise<boolean> => {
    for (let out = items.length - 1; out >= 0; out--)
      for (const [at, item] of items.entries()) {
        if (at === out) continue
        for (const each of joined?.(item, items[out] as Value<Item>) ?? []) {
          if (joins-- <= 0) return false
          const others = [...items.slice(0, at), each, ...items.slice(at + 1)]
          if (await take(without(others, out, out + 1))) return true
        }
      }
    return false
  }
  /** True if an item was left out, and others do without it. */
  const repair = async (repaired: Repair<Item>): Promise<boolean> => {
    for (let out = items.length - 2; out >= 0; out--) {
      // To ask for replacements takes as long as an attempt.
      if (mends-- <= 0) return false
      for await (const each of repaired(without(items, out, out + 1))) {
        if (mends-- <= 0) return false
        if (await take(each)) return true
      }
    }
    return false
  }
  const repairByAny = async (): Promise<boolean> => {
    for (const repaired of repairs) if (await repair(repaired)) return true
    return false
  }
  for (let isSimpler = true; isSimpler && left > 0; ) {
    isSimpler = false
    for (let size = (items.length + 1) >> 1; size > 0; size >>= 1)
      while ((await leaveOut(size)) && size === 1) isSimpler = true
    // Before values are small: what is left could not do the part of others any more.
    while ((await repairByAny()) || (await join())) isSimpler = true
    while (await takeFirst(together?.(items) ?? [])) isSimpler = true
    for (let at = 0; at < items.length; at++)
      while (at < items.length && (await takeFirst(simplerAt(at)))) isSimpler = true
  }
}
