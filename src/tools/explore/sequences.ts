// Sequences of steps or calls, which shrink by leaving items out, halves of them first, before an item becomes simpler: what
// is left is told as soon as it is short.

import { Arbitrary, type Random, type Stream, stream, Value } from 'fast-check'

/** The place in the order of simpler sequences from which the search goes on. */
interface Shrinking<Item> {
  readonly items: readonly Value<Item>[]
  /** The number of items that are left out together; 0 when none can be any more. */
  readonly size: number
  /** The item before which everything has been tried. */
  readonly end: number
}

class Sequences<Item> extends Arbitrary<Item[]> {
  private readonly item: Arbitrary<Item>
  private readonly most: number

  constructor(item: Arbitrary<Item>, most: number) {
    super()
    this.item = item
    this.most = most
  }

  generate(random: Random, biasFactor: number | undefined): Value<Item[]> {
    // As fast-check draws arrays: now and then its items are small, and then it may be short.
    const isSmall = biasFactor !== undefined && random.nextInt(1, biasFactor) === 1
    const isShort = isSmall && random.nextInt(1, biasFactor) === 1
    const length = random.nextInt(0, isShort ? Math.floor(Math.log2(this.most)) : this.most)
    const bias = isSmall ? biasFactor : undefined
    return begin(Array.from({ length }, () => this.item.generate(random, bias)))
  }

  canShrinkWithoutContext(value: unknown): value is Item[] {
    return Array.isArray(value) && value.every((each) => this.item.canShrinkWithoutContext(each))
  }

  shrink(value: Item[], context?: unknown): Stream<Value<Item[]>> {
    const from = context ?? begin(value.map((each) => new Value(each, undefined))).context
    return stream(this.simpler(from as Shrinking<Item>))
  }

  private *simpler({ items, size: most, end: last }: Shrinking<Item>): Generator<Value<Item[]>> {
    let end = last
    for (let size = most; size > 0; size >>= 1) {
      // The last are left out first: most of them come after the failure.
      for (; end > 0; end -= size) {
        const left = [...items.slice(0, Math.max(0, end - size)), ...items.slice(end)]
        yield sequence({ items: left, size, end: end - size })
      }
      end = items.length
    }
    for (let at = most === 0 ? last : 0; at < items.length; at++) {
      const { value, context } = items[at] as Value<Item>
      for (const simpler of this.item.shrink(value, context))
        yield sequence({
          items: items.map((each, index) => (index === at ? simpler : each)),
          size: 0,
          end: at,
        })
    }
  }
}

function begin<Item>(items: readonly Value<Item>[]): Value<Item[]> {
  return sequence({ items, size: (items.length + 1) >> 1, end: items.length })
}

function sequence<Item>(shrinking: Shrinking<Item>): Value<Item[]> {
  return new Value(
    shrinking.items.map(({ value }) => value),
    shrinking,
  )
}

/** Sequences of up to so many items. */
export function sequencesOf<Item>(item: Arbitrary<Item>, most: number): Arbitrary<Item[]> {
  return new Sequences(item, most)
}
