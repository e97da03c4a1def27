// The nodes of a trie. Versions share them; what a node's parent holds of it is worked out once, by trie-hash.ts.

/** A node as its parent holds it: the hash of its RLP, or the RLP itself where that is shorter. */
export type NodeReference = Uint8Array

export interface Leaf {
  readonly kind: 'leaf'
  readonly key: Uint8Array
  /** How many nibbles of the key are above it; its path is the rest of them. */
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

// Made in one place each, and complete: a node whose reference is added later takes twice the room.
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
