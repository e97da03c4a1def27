// Trie nodes, shared by versions of a trie. trie-hash.ts computes their references.

/** How a parent refers to a node: by the hash of its RLP, or by the RLP itself if that is shorter. */
export type NodeReference = Uint8Array

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
  readonly child: Branch | Unknown
  reference: NodeReference | undefined
}
export interface Branch {
  readonly kind: 'branch'
  readonly children: readonly (TrieNode | undefined)[]
  reference: NodeReference | undefined
}
/** A node of which only the hash is known, until it is met (unknown-nodes.ts). */
export interface Unknown {
  readonly kind: 'unknown'
  /** The nibbles from the root to it. Nodes around it may change; its place stays. */
  readonly prefix: Uint8Array
  /** Its hash. */
  readonly reference: Uint8Array
  readonly source: NodeSource
  /** The node, once it was met. */
  met: KnownNode | undefined
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

// Constructors set every field, because adding `reference` later doubles the size of the object in V8.
export function leafOf(key: Uint8Array, depth: number, value: Uint8Array): Leaf {
  return { kind: 'leaf', key, depth, value, reference: undefined }
}

export function extensionOf(path: Uint8Array, child: Extension['child']): Extension {
  return { kind: 'extension', path, child, reference: undefined }
}

export function branchOf(children: Branch['children']): Branch {
  return { kind: 'branch', children, reference: undefined }
}

export function nibbleAt(key: Uint8Array, index: number): number {
  const byte = key[index >> 1] as number
  return (index & 1) === 0 ? byte >> 4 : byte & 15
}
