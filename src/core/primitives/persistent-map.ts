// An immutable map (hash array mapped trie). A snapshot is a reference, a change copies the path to the entry, and the
// cost of comparing two versions depends only on their differences.

import { type DifferenceVisitor, type ImmutableMap, type Key, restored, visitKnown } from './immutable-map.ts'
import * as mapNodes from './map-nodes.ts'
import { MapBranch, MapLeaf, type TreeNode } from './map-nodes.ts'

/** Joins two nodes of different hashes below `shift`. */
function join<K, V>(
  shift: number,
  a: MapLeaf<K, V> | mapNodes.Collision<K, V>,
  b: MapLeaf<K, V> | mapNodes.Collision<K, V>,
): MapBranch<K, V> {
  const slotA = (a.hash >>> shift) & mapNodes.MASK
  const slotB = (b.hash >>> shift) & mapNodes.MASK
  if (slotA === slotB) return new MapBranch(1 << slotA, [join(shift + mapNodes.BITS, a, b)])
  return new MapBranch((1 << slotA) | (1 << slotB), slotA < slotB ? [a, b] : [b, a])
}

/** A copy with one more child. `splice` would leave room for sixteen more in every copy. */
function withInserted<Child>(children: readonly Child[], index: number, child: Child): Child[] {
  const copy = new Array<Child>(children.length + 1)
  for (let i = 0; i < index; i++) copy[i] = children[i] as Child
  copy[index] = child
  for (let i = index; i < children.length; i++) copy[i + 1] = children[i] as Child
  return copy
}

/** True if the last `insert` has added a key. */
let isAdded = false

/** Inserts among entries with the hash of the key. */
function insertAmong<K, V>(node: MapLeaf<K, V> | mapNodes.Collision<K, V>, key: K, value: V): TreeNode<K, V> {
  const leaves = mapNodes.leavesOf(node)
  const existing = leaves.find((leaf) => leaf.key === key)
  if (existing === undefined) isAdded = true
  else if (existing.value === value) return node
  const others = leaves.filter((leaf) => leaf !== existing)
  // Sorted, so that equal content has equal shape.
  return new mapNodes.Collision(
    node.hash,
    [...others, new MapLeaf(node.hash, existing?.key ?? key, value)].sort((a, b) => (a.key < b.key ? -1 : 1)),
  )
}

/** The node with an entry; the same node if it has that already. */
function insert<K, V>(
  node: TreeNode<K, V> | undefined,
  shift: number,
  hash: number,
  key: K,
  value: V,
): TreeNode<K, V> {
  if (node === undefined) {
    isAdded = true
    return new MapLeaf(hash, key, value)
  }
  if (node instanceof MapBranch) {
    const bit = 1 << ((hash >>> shift) & mapNodes.MASK)
    const index = mapNodes.childIndex(node.bitmap, bit)
    if ((node.bitmap & bit) === 0) {
      isAdded = true
      const leaf = new MapLeaf(hash, key, value)
      return new MapBranch(node.bitmap | bit, withInserted(node.children, index, leaf))
    }
    const before = node.children[index]
    const child = insert(before, shift + mapNodes.BITS, hash, key, value)
    if (child === before) return node
    const children = node.children.slice()
    children[index] = child
    return new MapBranch(node.bitmap, children)
  }
  if (node.hash !== hash) {
    isAdded = true
    return join(shift, node, new MapLeaf(hash, key, value))
  }
  // Keeps the existing key object, so that versions share equal strings.
  if (node instanceof MapLeaf && node.key === key)
    return node.value === value ? node : new MapLeaf(hash, node.key, value)
  return insertAmong(node, key, value)
}

function remove<K, V>(node: TreeNode<K, V>, shift: number, hash: number, key: K): TreeNode<K, V> | undefined {
  if (!(node instanceof MapBranch)) {
    const rest = mapNodes.leavesOf(node).filter((leaf) => leaf.key !== key)
    return rest.length > 1 ? new mapNodes.Collision(hash, rest) : rest[0]
  }
  const bit = 1 << ((hash >>> shift) & mapNodes.MASK)
  const index = mapNodes.childIndex(node.bitmap, bit)
  const child = remove(node.children[index] as TreeNode<K, V>, shift + mapNodes.BITS, hash, key)
  const children = node.children.slice()
  if (child !== undefined) {
    // Collapses a branch with one entry, so that equal content has equal shape.
    if (children.length === 1 && !(child instanceof MapBranch)) return child
    children[index] = child
    return new MapBranch(node.bitmap, children)
  }
  children.splice(index, 1)
  if (children.length === 0) return undefined
  const only = children[0] as TreeNode<K, V>
  return children.length === 1 && !(only instanceof MapBranch)
    ? only
    : new MapBranch(node.bitmap & ~bit, children)
}

function* walk<K, V>(node: TreeNode<K, V> | undefined): IterableIterator<MapLeaf<K, V>> {
  if (node === undefined) return
  if (node instanceof MapBranch) for (const child of node.children) yield* walk(child)
  else yield* mapNodes.leavesOf(node)
}

/** `walk` with a callback, which is faster; every block compares states. */
function visitLeaves<K, V>(node: TreeNode<K, V> | undefined, visit: (leaf: MapLeaf<K, V>) => void): void {
  if (node === undefined) return
  if (node instanceof MapBranch) for (const child of node.children) visitLeaves(child, visit)
  else if (node instanceof mapNodes.Collision) for (const leaf of node.leaves) visit(leaf)
  else visit(node)
}

/** Compares the children of two branches; an absent child is `undefined`. */
function visitBranchDifference<K, V>(
  a: MapBranch<K, V>,
  b: MapBranch<K, V>,
  shift: number,
  visit: DifferenceVisitor<K, V>,
): void {
  // Read once: the calls below might change them for all that the compiler knows.
  const { bitmap: bitmapA, children: childrenA } = a
  const { bitmap: bitmapB, children: childrenB } = b
  if (bitmapA === bitmapB) {
    for (let i = 0; i < childrenA.length; i++) {
      const childA = childrenA[i]
      const childB = childrenB[i]
      if (childA !== childB) visitDifference(childA, childB, shift + mapNodes.BITS, visit)
    }
    return
  }
  let indexA = 0
  let indexB = 0
  for (let bits = bitmapA | bitmapB; bits !== 0; bits &= bits - 1) {
    const bit = bits & -bits
    const childA = (bitmapA & bit) === 0 ? undefined : childrenA[indexA++]
    const childB = (bitmapB & bit) === 0 ? undefined : childrenB[indexB++]
    if (childA !== childB) visitDifference(childA, childB, shift + mapNodes.BITS, visit)
  }
}

function visitDifference<K, V>(
  a: TreeNode<K, V> | undefined,
  b: TreeNode<K, V> | undefined,
  shift: number,
  visit: DifferenceVisitor<K, V>,
): void {
  if (a === b) return
  if (a instanceof MapBranch && b instanceof MapBranch) {
    visitBranchDifference(a, b, shift, visit)
    return
  }
  if (a instanceof MapLeaf && b instanceof MapLeaf && a.key === b.key) {
    if (a.value !== b.value) visit(a.key, a.value, b.value)
    return
  }
  visitLeaves(a, ({ hash, key, value }) => {
    const after = mapNodes.find(b, shift, hash, key)?.value
    if (after !== value) visit(key, value, after)
  })
  visitLeaves(b, ({ hash, key, value }) => {
    if (mapNodes.find(a, shift, hash, key) === undefined) visit(key, undefined, value)
  })
}

/** An immutable map from strings or integers to values; `undefined` is not a value. */
export class PersistentMap<K extends Key, V> implements ImmutableMap<K, V> {
  private readonly root: TreeNode<K, V> | undefined
  readonly size: number

  private constructor(root: TreeNode<K, V> | undefined, size: number) {
    this.root = root
    this.size = size
  }

  private static readonly EMPTY = new PersistentMap<never, never>(undefined, 0)

  static empty<K extends Key, V>(): PersistentMap<K, V> {
    return PersistentMap.EMPTY as unknown as PersistentMap<K, V>
  }

  static from<K extends Key, V>(entries: Iterable<readonly [K, V]>): PersistentMap<K, V> {
    let map = PersistentMap.empty<K, V>()
    for (const [key, value] of entries) map = map.set(key, value)
    return map
  }

  get isEmpty(): boolean {
    return this.root === undefined
  }

  get base(): undefined {
    return undefined
  }

  get untouched(): PersistentMap<K, V> {
    return PersistentMap.empty()
  }

  get(key: K): V | undefined {
    return mapNodes.find(this.root, 0, mapNodes.hashOf(key), key)?.value
  }

  has(key: K): boolean {
    return mapNodes.find(this.root, 0, mapNodes.hashOf(key), key) !== undefined
  }

  set(key: K, value: V): PersistentMap<K, V> {
    const { root: before, size } = this
    isAdded = false
    const root = insert(before, 0, mapNodes.hashOf(key), key, value)
    return root === before ? this : new PersistentMap(root, isAdded ? size + 1 : size)
  }

  delete(key: K): PersistentMap<K, V> {
    const hash = mapNodes.hashOf(key)
    if (this.root === undefined || mapNodes.find(this.root, 0, hash, key) === undefined) return this
    return new PersistentMap(remove(this.root, 0, hash, key), this.size - 1)
  }

  restore(key: K, earlier: ImmutableMap<K, V>): PersistentMap<K, V> {
    return restored(this, key, earlier)
  }

  /** In the order of the keys' hashes: arbitrary, but equal for equal content. */
  *entries(): IterableIterator<[K, V]> {
    for (const leaf of walk(this.root)) yield [leaf.key, leaf.value]
  }

  *values(): IterableIterator<V> {
    for (const leaf of walk(this.root)) yield leaf.value
  }

  /** Visits every key whose value is not identical in `this` and `later`; costs as much as they differ. */
  visitChanges(later: ImmutableMap<K, V>, visit: DifferenceVisitor<K, V>): void {
    if (later instanceof PersistentMap) visitDifference(this.root, later.root, 0, visit)
    else visitKnown(this, later, visit)
  }

  visitWrites(later: ImmutableMap<K, V>, visit: DifferenceVisitor<K, V>): void {
    this.visitChanges(later, visit)
  }
}
