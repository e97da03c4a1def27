// An immutable Merkle Patricia trie (yellow paper, appendix D), whose versions share nodes and hashes. Keys are hashes
// or RLP indexes, which are prefix-free, so branches have no values. Property tests compare it with @ethereumjs/mpt;
// docs/decisions/0003-own-trie.md.

import { bigIntToBytes, concatBytes, equalBytes } from '../primitives/hex.ts'
import { encodeBytes } from '../primitives/rlp.ts'
import * as nodes from './trie-nodes.ts'
import { Branch, encodeNode, HASH_BYTES, trieRoot } from './trie-nodes.ts'

export type { Trie } from './trie-nodes.ts'
export { trieRoot } from './trie-nodes.ts'

/** The nibbles of a key from one place to another. */
function nibblesOf(key: Uint8Array, from: number, to: number): Uint8Array {
  const nibbles = new Uint8Array(to - from)
  for (let i = from; i < to; i++) nibbles[i - from] = nodes.nibbleAt(key, i)
  return nibbles
}

/** The first nibble in which two keys differ, whose first `depth` are the same, or the end of the shorter one. */
function firstDifference(a: Uint8Array, b: Uint8Array, depth: number): number {
  const end = Math.min(a.length, b.length)
  let index = depth >> 1
  while (index < end && a[index] === b[index]) index++
  if (index === end) return 2 * end
  return (((a[index] as number) ^ (b[index] as number)) & 0xf0) === 0 ? 2 * index + 1 : 2 * index
}

/** The number of nibbles that a path shares with a key from `depth` on. */
function sharedLength(path: Uint8Array, key: Uint8Array, depth: number): number {
  const most = Math.min(path.length, 2 * key.length - depth)
  let length = 0
  while (length < most && path[length] === nodes.nibbleAt(key, depth + length)) length++
  return length
}

/** The node below a longer path. An unknown one is the child of an extension, so it is a branch. */
function withPrefix(prefix: Uint8Array, node: nodes.TrieNode): nodes.TrieNode {
  if (prefix.length === 0) return node
  if (node.kind === 'branch' || node.kind === 'unknown') return new nodes.Extension(prefix, node)
  return node.kind === 'leaf'
    ? new nodes.Leaf(node.key, node.depth - prefix.length, node.value)
    : new nodes.Extension(concatBytes(prefix, node.path), node.child)
}

let updates = 0

/** Starts an update: it changes the branches that it has made itself, until a hash of them is asked for. */
export function beginUpdate(): number {
  return ++updates
}

/** The branch with another child; it is changed itself, if the update has made it. */
function withChild(branch: Branch, nibble: number, child: nodes.TrieNode | undefined, update = 0): Branch {
  const isOwn = update !== 0 && branch.update === update && !branch.isReferenced
  const own = isOwn ? branch : new Branch(branch.children.slice(), update)
  const children = own.children as (nodes.TrieNode | undefined)[]
  children[nibble] = child
  return own
}

/** A branch with two children. */
function fork(nibbleA: number, a: nodes.TrieNode, nibbleB: number, b: nodes.TrieNode): Branch {
  const children = new Array<nodes.TrieNode | undefined>(16).fill(undefined)
  children[nibbleA] = a
  children[nibbleB] = b
  return new Branch(children)
}

function insertAtLeaf(leaf: nodes.Leaf, key: Uint8Array, depth: number, value: Uint8Array): nodes.TrieNode {
  const split = firstDifference(leaf.key, key, depth)
  if (split === 2 * key.length) return new nodes.Leaf(leaf.key, depth, value)
  const older = new nodes.Leaf(leaf.key, split + 1, leaf.value)
  const newer = new nodes.Leaf(key, split + 1, value)
  const branch = fork(nodes.nibbleAt(leaf.key, split), older, nodes.nibbleAt(key, split), newer)
  return withPrefix(nibblesOf(key, depth, split), branch)
}

function insertAtExtension(
  { path, child }: nodes.Extension,
  key: Uint8Array,
  depth: number,
  value: Uint8Array,
  update: number,
): nodes.TrieNode {
  const shared = sharedLength(path, key, depth)
  const split = depth + shared
  if (shared === path.length)
    return new nodes.Extension(path, insertAtBranch(nodes.meet(child) as Branch, key, split, value, update))
  const older = withPrefix(path.slice(shared + 1), child)
  const newer = new nodes.Leaf(key, split + 1, value)
  const branch = fork(path[shared] as number, older, nodes.nibbleAt(key, split), newer)
  return withPrefix(path.slice(0, shared), branch)
}

function insertAtBranch(
  branch: Branch,
  key: Uint8Array,
  depth: number,
  value: Uint8Array,
  update: number,
): Branch {
  const nibble = nodes.nibbleAt(key, depth)
  const child = insert(branch.children[nibble], key, depth + 1, value, update)
  return withChild(branch, nibble, child, update)
}

/** Inserts a value below a node that `depth` nibbles of the key lead to. */
function insert(
  node: nodes.TrieNode | undefined,
  key: Uint8Array,
  depth: number,
  value: Uint8Array,
  update: number,
): nodes.TrieNode {
  if (node === undefined) return new nodes.Leaf(key, depth, value)
  if (node.kind === 'branch') return insertAtBranch(node, key, depth, value, update)
  if (node.kind === 'unknown') return insert(nodes.meet(node), key, depth, value, update)
  return node.kind === 'leaf'
    ? insertAtLeaf(node, key, depth, value)
    : insertAtExtension(node, key, depth, value, update)
}

/** Replaces a branch with one child by that child with a longer path. */
function collapse(branch: Branch): nodes.TrieNode {
  let only = -1
  for (let nibble = 0; nibble < 16; nibble++) {
    if (branch.children[nibble] === undefined) continue
    if (only !== -1) return branch
    only = nibble
  }
  return withPrefix(Uint8Array.of(only), nodes.meet(branch.children[only] as nodes.TrieNode))
}

function remove(node: nodes.TrieNode, key: Uint8Array, depth: number): nodes.TrieNode | undefined {
  switch (node.kind) {
    case 'leaf':
      return equalBytes(node.key, key) ? undefined : node
    case 'extension': {
      const { path } = node
      if (!isOnPath(node, key, depth)) return node
      const child = remove(node.child, key, depth + path.length)
      // A branch has at least two children, so a removal does not leave it empty.
      return child === node.child ? node : withPrefix(path, child as nodes.TrieNode)
    }
    case 'branch': {
      const nibble = nodes.nibbleAt(key, depth)
      const child = node.children[nibble]
      if (child === undefined) return node
      const smaller = remove(child, key, depth + 1)
      return smaller === child ? node : collapse(withChild(node, nibble, smaller))
    }
    case 'unknown':
      return remove(nodes.meet(node), key, depth)
  }
}

/**
 * Sets a key; an empty value deletes it. The trie keeps both arrays. Sets of one update may change the trie that an earlier
 * one of them has returned.
 */
export function trieSet(trie: nodes.Trie, key: Uint8Array, value: Uint8Array, update = 0): nodes.Trie {
  if (value.length > 0) return insert(trie, key, 0, value, update)
  return trie === undefined ? undefined : remove(trie, key, 0)
}

/** True if a key continues below an extension that `depth` nibbles of it lead to. */
export function isOnPath({ path }: nodes.Extension, key: Uint8Array, depth: number): boolean {
  return sharedLength(path, key, depth) === path.length
}

/** The nodes from the root to a key, the last of which may be unknown to `meetNode`. */
function* nodesTo(
  trie: nodes.Trie,
  key: Uint8Array,
  meetNode: (node: nodes.TrieNode) => nodes.KnownNode | undefined,
): IterableIterator<nodes.TrieNode> {
  let next = trie
  let depth = 0
  while (next !== undefined) {
    const node = meetNode(next)
    if (node === undefined) {
      yield next
      return
    }
    yield node
    if (node.kind === 'leaf') return
    if (node.kind === 'branch') {
      next = node.children[nodes.nibbleAt(key, depth++)]
      continue
    }
    const { path } = node
    next = isOnPath(node, key, depth) ? node.child : undefined
    depth += path.length
  }
}

/** The RLP of the nodes from the root to a key: a proof of inclusion or absence. */
export function trieProof(trie: nodes.Trie, key: Uint8Array): Uint8Array[] {
  const proof: Uint8Array[] = []
  for (const node of nodesTo(trie, key, nodes.meet)) {
    const encoded = encodeNode(node as nodes.KnownNode)
    // A node shorter than a hash is embedded in its parent's RLP, except for the root.
    if (proof.length === 0 || encoded.length >= HASH_BYTES) proof.push(encoded)
  }
  return proof
}

export function trieGet(trie: nodes.Trie, key: Uint8Array): Uint8Array | undefined {
  for (const node of nodesTo(trie, key, nodes.meet))
    if (node.kind === 'leaf' && equalBytes(node.key, key)) return node.value
  return undefined
}

/** The first node on the way to a key that is not known; `undefined` if all are. */
export function unknownOnPath(trie: nodes.Trie, key: Uint8Array): nodes.Unknown | undefined {
  for (const node of nodesTo(trie, key, (node) => (node.kind === 'unknown' ? nodes.metOf(node) : node)))
    if (node.kind === 'unknown') return node
  return undefined
}

/** The root of a list, as in block headers: keys are the RLP of the indexes. */
export function listRoot(items: readonly Uint8Array[]): Uint8Array {
  const update = beginUpdate()
  let trie: nodes.Trie
  for (let index = 0; index < items.length; index++)
    trie = trieSet(trie, encodeBytes(bigIntToBytes(BigInt(index))), items[index] as Uint8Array, update)
  return trieRoot(trie)
}
