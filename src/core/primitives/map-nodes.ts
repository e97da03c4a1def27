// Nodes of a persistent map, and the search among them.

import type { Key } from './immutable-map.ts'

// Nodes are instances of classes: V8 may allocate object literals in the old generation, if the first ones lived long,
// as those of a genesis state do. Each that dies there would keep all that it refers to up to a full collection.

export class MapLeaf<K, V> {
  readonly hash: number
  readonly key: K
  readonly value: V

  constructor(hash: number, key: K, value: V) {
    this.hash = hash
    this.key = key
    this.value = value
  }
}

/** Entries whose 32-bit hashes are all equal, sorted by key. */
export class Collision<K, V> {
  readonly hash: number
  readonly leaves: readonly MapLeaf<K, V>[]

  constructor(hash: number, leaves: readonly MapLeaf<K, V>[]) {
    this.hash = hash
    this.leaves = leaves
  }
}

export class MapBranch<K, V> {
  readonly bitmap: number
  readonly children: readonly TreeNode<K, V>[]

  constructor(bitmap: number, children: readonly TreeNode<K, V>[]) {
    this.bitmap = bitmap
    this.children = children
  }
}

export type TreeNode<K, V> = MapLeaf<K, V> | Collision<K, V> | MapBranch<K, V>

export const BITS = 5
export const MASK = 31

function hashOfText(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return hash | 0
}

/** The last texts and their hashes, by their ends: the same few addresses and slots are looked up again and again. */
const LINES = 256
const texts: string[] = new Array(LINES).fill('')
const hashes = new Int32Array(LINES).fill(hashOfText(''))

export function hashOf(key: Key): number {
  if (typeof key === 'number') return Math.imul(key ^ (key >>> 16), 0x45d9f3b) | 0
  const { length } = key
  const line = ((key.charCodeAt(length - 1) << 4) ^ key.charCodeAt(length - 2)) & (LINES - 1)
  if (texts[line] === key) return hashes[line] as number
  const hash = hashOfText(key)
  texts[line] = key
  hashes[line] = hash
  return hash
}

export function leavesOf<K, V>(node: MapLeaf<K, V> | Collision<K, V>): readonly MapLeaf<K, V>[] {
  return node instanceof Collision ? node.leaves : [node]
}

/** The index of a child: the number of bits below its own. */
export function childIndex(bitmap: number, bit: number): number {
  let n = bitmap & (bit - 1)
  n -= (n >>> 1) & 0x55555555
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function find<K, V>(
  start: TreeNode<K, V> | undefined,
  startShift: number,
  hash: number,
  key: K,
): MapLeaf<K, V> | undefined {
  let node = start
  let shift = startShift
  while (node instanceof MapBranch) {
    const bit = 1 << ((hash >>> shift) & MASK)
    if ((node.bitmap & bit) === 0) return undefined
    node = node.children[childIndex(node.bitmap, bit)]
    shift += BITS
  }
  if (node === undefined || node.hash !== hash) return undefined
  if (node instanceof Collision) return node.leaves.find((leaf) => leaf.key === key)
  return node.key === key ? node : undefined
}
