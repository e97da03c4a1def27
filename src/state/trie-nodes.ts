// Trie nodes, shared by versions of a trie. trie-hash.ts computes their references.

import type { HashWords } from '../primitives/keccak.ts'

/** How a parent refers to a node: by the hash of its RLP, or by the RLP itself if that is shorter. */
export type NodeReference = HashWords | Uint8Array

export interface Leaf {
  readonly kind: 'leaf'
  readonly key: Uint8Array
  /** Nibbles of the key above this leaf; its path is the rest. */
  readonly depth: number
  readonly value: Uint8Array
  reference: NodeReference | undefined
}
export interface Extension {
  readonly kind: 'extension'
  readonly path: Uint8Array
  readonly child: Branch
  reference: NodeReference | undefined
}
export interface Branch {
  readonly kind: 'branch'
  readonly children: readonly (TrieNode | undefined)[]
  reference: NodeReference | undefined
}
export type TrieNode = Leaf | Extension | Branch

/** A version of a trie; `undefined` is the empty one. */
export type Trie = TrieNode | undefined

// Constructors set every field, because adding `reference` later doubles the size of the object in V8.
export function leafOf(key: Uint8Array, depth: number, value: Uint8Array): Leaf {
  return { kind: 'leaf', key, depth, value, reference: undefined }
}

export function extensionOf(path: Uint8Array, child: Branch): Extension {
  return { kind: 'extension', path, child, reference: undefined }
}

export function branchOf(children: Branch['children']): Branch {
  return { kind: 'branch', children, reference: undefined }
}

export function nibbleAt(key: Uint8Array, index: number): number {
  const byte = key[index >> 1] as number
  return (index & 1) === 0 ? byte >> 4 : byte & 15
}
