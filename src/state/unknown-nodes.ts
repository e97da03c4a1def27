// Nodes of a trie that stands on another chain: they are known by their hashes, and from proofs by what they are.

import { decodeItem } from '../primitives/decode-rlp.ts'
import type { Item } from '../primitives/rlp.ts'
import {
  branchOf,
  extensionOf,
  type KnownNode,
  leafOf,
  type NodeSource,
  nibbleAt,
  type Trie,
  type TrieNode,
  type Unknown,
} from './trie-nodes.ts'

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

export function joinNibbles(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
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
  return item.length === 0 ? undefined : unknownNode(item, prefix, source)
}

function malformedNode(): never {
  throw new Error('a node of the trie that hashes to its reference is no list of 2 or 17 items')
}

function nodeFrom(item: Item, prefix: Uint8Array, source: NodeSource): KnownNode {
  const items = item as readonly Item[]
  if (items.length === BRANCH_ITEMS) {
    const children = items.slice(0, -1)
    return branchOf(
      children.map((child, nibble) => decodeChild(child, joinNibbles(prefix, Uint8Array.of(nibble)), source)),
    )
  }
  const [path, value] = items
  if (!(path instanceof Uint8Array) || value === undefined) return malformedNode()
  const { nibbles, isLeaf } = decodePath(path)
  const place = joinNibbles(prefix, nibbles)
  if (isLeaf) return leafOf(packNibbles(place), prefix.length, value as Uint8Array)
  return extensionOf(nibbles, decodeChild(value, place, source) as ReturnType<typeof branchOf> | Unknown)
}

/** A node with a hash; `prefix` leads to it. */
function unknownNode(reference: Uint8Array, prefix: Uint8Array, source: NodeSource): Unknown {
  return { kind: 'unknown', prefix, reference, source, met: undefined }
}

/** A trie of which the root is given. */
export function trieAt(root: Uint8Array, source: NodeSource): Trie {
  return unknownNode(root, new Uint8Array(0), source)
}

/** The node, if its source has it. */
export function metOf(unknown: Unknown): KnownNode | undefined {
  if (unknown.met !== undefined) return unknown.met
  const { reference, prefix, source } = unknown
  const encoded = source.get(reference)
  if (encoded === undefined) return undefined
  const node = nodeFrom(decodeItem(encoded) ?? malformedNode(), prefix, source)
  node.reference = reference
  unknown.met = node
  return node
}

/** The node itself; throws a `Miss` while it is not known. */
export function meet(node: TrieNode): KnownNode {
  if (node.kind !== 'unknown') return node
  return metOf(node) ?? node.source.miss(node.prefix, node.reference)
}
