// A binary heap, as a priority queue.

interface Heap<Item> {
  readonly items: Item[]
  /** True if `a` precedes `b`; must be a total order, so that the result does not depend on insertion. */
  readonly isBefore: (a: Item, b: Item) => boolean
}

export function createHeap<Item>(isBefore: (a: Item, b: Item) => boolean): Heap<Item> {
  return { items: [], isBefore }
}

export function pushHeap<Item>({ items, isBefore }: Heap<Item>, item: Item): void {
  let index = items.length
  items.push(item)
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(item, items[parent] as Item)) break
    items[index] = items[parent] as Item
    index = parent
  }
  items[index] = item
}

export function popHeap<Item>({ items, isBefore }: Heap<Item>): Item | undefined {
  const best = items[0]
  const last = items.pop()
  if (items.length === 0 || last === undefined) return best
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= items.length) break
    if (child + 1 < items.length && isBefore(items[child + 1] as Item, items[child] as Item)) child++
    if (!isBefore(items[child] as Item, last)) break
    items[index] = items[child] as Item
    index = child
  }
  items[index] = last
  return best
}
