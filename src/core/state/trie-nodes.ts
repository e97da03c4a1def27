// Trie nodes, shared by versions of a trie. trie-hash.ts computes their references. Of a trie that stands on another
// chain, nodes are known by their hashes, and from proofs by what they are.

import { HashWords, takeHashWords } from '../primitives/crypto.ts'
import { concatBytes } from '../primitives/hex.ts'
import { decodeItem, type Item } from '../primitives/rlp.ts'

// Nodes are instances of classes for the reason that those of a persistent map are.

/** A parent's reference to a node: the hash of its RLP, or the RLP itself if that is shorter. */
class Referenced extends HashWords {
  /** True if the hash, or `short`, is computed. */
  isReferenced = false
  short: Uint8Array | undefined = undefined
}

export class Leaf extends Referenced {
  readonly kind = 'leaf'
  readonly key: Uint8Array
  /** Nibbles of the key above this leaf; its path is the rest. */
  readonly depth: number
  readonly value: Uint8Array

  constructor(key: Uint8Array, depth: number, value: Uint8Array) {
    super()
    this.key = key
    this.depth = depth
    this.value = value
  }
}

export class Extension extends Referenced {
  readonly kind = 'extension'
  readonly path: Uint8Array
  readonly child: Branch | Unknown

  constructor(path: Uint8Array, child: Branch | Unknown) {
    super()
    this.path = path
    this.child = child
  }
}

export class Branch extends Referenced {
  readonly kind = 'branch'
  readonly children: readonly (TrieNode | undefined)[]
  /** The update that has made the branch, and may still change it; 0 for none. */
  readonly update: number

  constructor(children: readonly (TrieNode | undefined)[], update = 0) {
    super()
    this.children = children
    this.update = update
  }
}

/** A node of which only the hash is known, until it is met. */
export class Unknown extends Referenced {
  readonly kind = 'unknown'
  /** The nibbles from the root to it. Nodes around it may change; its place stays. */
  readonly prefix: Uint8Array
  readonly hash: Uint8Array
  readonly source: NodeSource
  /** The node, once it was met. */
  met: KnownNode | undefined = undefined

  constructor(hash: Uint8Array, prefix: Uint8Array, source: NodeSource) {
    super()
    this.prefix = prefix
    this.hash = hash
    this.source = source
    takeHashWords(this, hash)
    this.isReferenced = true
  }
}

/** Nodes of a trie that is known in part. */
export interface NodeSource {
  /** The RLP of a node with a hash; `undefined` while it is not known. */
  readonly get: (hash: Uint8Array) => Uint8Array | undefined
  /** Throws a `Miss` that names a node. */
  readonly miss: (prefix: Uint8Array, hash: Uint8Array) => never
}

export type KnownNode = Leaf | Extension | Branch
export type TrieNode = KnownNode | Unknown

/** A version of a trie; `undefined` is the empty one. */
export type Trie = TrieNode | undefined

export function nibbleAt(key: Uint8Array, index: number): number {
  const byte = key[index >> 1] as number
  return (index & 1) === 0 ? byte >> 4 : byte & 15
}

const BRANCH_ITEMS = 17

/** The nibbles of a path, and whether a leaf ends it (yellow paper, appendix C). */
function decodePath(encoded: Uint8Array): { readonly nibbles: Uint8Array; readonly isLeaf: boolean } {
  const flag = nibbleAt(encoded, 0)
  const from = (flag & 1) === 1 ? 1 : 2
  const nibbles = Uint8Array.from({ length: 2 * encoded.length - from }, (_, index) =>
    nibbleAt(encoded, index + from),
  )
  return { nibbles, isLeaf: flag >= 2 }
}

function packNibbles(nibbles: Uint8Array): Uint8Array {
  return Uint8Array.from(
    { length: nibbles.length >> 1 },
    (_, index) => (nibbles[2 * index] as number) * 16 + (nibbles[2 * index + 1] as number),
  )
}

/** A child by its hash or, if it is shorter than one, as part of its parent. */
function decodeChild(item: Item, prefix: Uint8Array, source: NodeSource): TrieNode | undefined {
  if (!(item instanceof Uint8Array)) return nodeFrom(item, prefix, source)
  return item.length === 0 ? undefined : new Unknown(item, prefix, source)
}

function malformedNode(): never {
  throw new Error('a node of the trie that hashes to its reference is no list of 2 or 17 items')
}

function nodeFrom(item: Item, prefix: Uint8Array, source: NodeSource): KnownNode {
  const items = item as readonly Item[]
  if (items.length === BRANCH_ITEMS) {
    const children = items.slice(0, -1)
    return new Branch(
      children.map((child, nibble) => decodeChild(child, concatBytes(prefix, Uint8Array.of(nibble)), source)),
    )
  }
  const [path, value] = items
  if (!(path instanceof Uint8Array) || value === undefined) return malformedNode()
  const { nibbles, isLeaf } = decodePath(path)
  const place = concatBytes(prefix, nibbles)
  if (isLeaf) return new Leaf(packNibbles(place), prefix.length, value as Uint8Array)
  return new Extension(nibbles, decodeChild(value, place, source) as Branch | Unknown)
}

export function trieAt(root: Uint8Array, source: NodeSource): Trie {
  return new Unknown(root, new Uint8Array(0), source)
}

/** The node, if its source has it. */
export function metOf(unknown: Unknown): KnownNode | undefined {
  if (unknown.met !== undefined) return unknown.met
  const { hash, prefix, source } = unknown
  const encoded = source.get(hash)
  if (encoded === undefined) return undefined
  const node = nodeFrom(decodeItem(encoded) ?? malformedNode(), prefix, source)
  takeHashWords(node, hash)
  node.isReferenced = true
  unknown.met = node
  return node
}

/** The node itself; throws a `Miss` while it is not known. */
export function meet(node: TrieNode): KnownNode {
  if (node.kind !== 'unknown') return node
  return metOf(node) ?? node.source.miss(node.prefix, node.hash)
}
