// The nodes of a trie that are enough to read some of its keys, and to remove others, without the rest of it.

import { bytesToHex, equalBytes, type Hex } from '../primitives/hex.ts'
import { isOnPath, trieProof } from './trie.ts'
import { encodeNode, HASH_BYTES } from './trie-hash.ts'
import { meet, nibbleAt, type Trie, type TrieNode } from './trie-nodes.ts'

/** RLP of nodes by itself as hex. */
export type NodeSet = Map<Hex, Uint8Array>

/** True if a node stays if keys are removed from it. Collects the nodes that remain alone below a branch. */
function staysWithout(
  place: TrieNode,
  removed: readonly Uint8Array[],
  depth: number,
  alone: TrieNode[],
): boolean {
  if (removed.length === 0) return true
  const node = meet(place)
  switch (node.kind) {
    case 'leaf':
      return !removed.some((key) => equalBytes(key, node.key))
    case 'extension': {
      const below = removed.filter((key) => isOnPath(node, key, depth))
      // A key that is added beside the path and removed again makes a branch above the child, and unmakes it.
      if (below.length < removed.length) alone.push(node.child)
      return staysWithout(node.child, below, depth + node.path.length, alone)
    }
    case 'branch': {
      const left = node.children.filter((child, nibble): child is TrieNode => {
        if (child === undefined) return false
        const below = removed.filter((key) => nibbleAt(key, depth) === nibble)
        return staysWithout(child, below, depth + 1, alone)
      })
      // A branch with one child becomes part of it, so the child has to be known.
      if (left.length === 1) alone.push(...left)
      return left.length > 0
    }
  }
}

/** Adds the nodes from the root to each key, and those that a removal of keys merges with their parents. */
export function addWitness(
  nodes: NodeSet,
  trie: Trie,
  read: readonly Uint8Array[],
  removed: readonly Uint8Array[],
): void {
  if (trie === undefined) return
  const alone: TrieNode[] = []
  staysWithout(trie, removed, 0, alone)
  // Shorter nodes are part of their parents.
  const merged = alone.map((node) => encodeNode(meet(node))).filter(({ length }) => length >= HASH_BYTES)
  for (const node of [...read.flatMap((key) => trieProof(trie, key)), ...merged]) {
    nodes.set(bytesToHex(node), node)
  }
}
