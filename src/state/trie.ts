// An immutable Merkle Patricia trie (yellow paper, appendix D). Versions share their unchanged nodes, and a
// node's hash is computed once, when a root is looked at. Keys are hashes or RLP indexes: prefix-free, so no
// branch ever holds a value. Held to @ethereumjs/mpt by property tests; docs/decisions/0003-own-trie.md.

import { bigIntToBytes, equalBytes } from '../primitives/hex.ts'
import { keccak256, keccakOfRoom, keccakRoom } from '../primitives/keccak.ts'
import { encodeBytes, LIST_PREFIX_ROOM, putBytes, putListPrefix, putString } from '../primitives/rlp.ts'

/** A node as its parent holds it: the hash of its RLP, or the RLP itself where that is shorter. */
type NodeReference = Uint8Array

interface Leaf {
  readonly kind: 'leaf'
  readonly path: Uint8Array
  readonly value: Uint8Array
  reference: NodeReference | undefined
}
interface Extension {
  readonly kind: 'extension'
  readonly path: Uint8Array
  readonly child: Branch
  reference: NodeReference | undefined
}
interface Branch {
  readonly kind: 'branch'
  readonly children: readonly (TrieNode | undefined)[]
  reference: NodeReference | undefined
}
type TrieNode = Leaf | Extension | Branch

/** A version of a trie; `undefined` is the empty one. */
export type Trie = TrieNode | undefined

const HASH_BYTES = 32
/** The RLP of an empty string: a child that is not there. */
const EMPTY_STRING = 0x80
/** The prefix of a hash. */
const HASH_STRING = 0x80 + HASH_BYTES

const EMPTY_ROOT = Uint8Array.from([
  0x56, 0xe8, 0x1f, 0x17, 0x1b, 0xcc, 0x55, 0xa6, 0xff, 0x83, 0x45, 0xe6, 0x92, 0xc0, 0xf8, 0x6e, 0x5b, 0x48,
  0xe0, 0x1b, 0x99, 0x6c, 0xad, 0xc0, 0x01, 0x62, 0x2f, 0xb5, 0xe3, 0x63, 0xb4, 0x21,
])

// Made in one place each, and complete: a node whose reference is added later takes twice the room.
function leafOf(path: Uint8Array, value: Uint8Array): Leaf {
  return { kind: 'leaf', path, value, reference: undefined }
}

function extensionOf(path: Uint8Array, child: Branch): Extension {
  return { kind: 'extension', path, child, reference: undefined }
}

function branchOf(children: Branch['children']): Branch {
  return { kind: 'branch', children, reference: undefined }
}

function toNibbles(key: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(key.length * 2)
  for (let i = 0; i < key.length; i++) {
    const byte = key[i] as number
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 15
  }
  return nibbles
}

function commonPrefixLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[length] === b[length]) length++
  return length
}

function concatNibbles(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

function withPrefix(prefix: Uint8Array, node: TrieNode): TrieNode {
  if (prefix.length === 0) return node
  if (node.kind === 'branch') return extensionOf(prefix, node)
  return node.kind === 'leaf'
    ? leafOf(concatNibbles(prefix, node.path), node.value)
    : extensionOf(concatNibbles(prefix, node.path), node.child)
}

function withChild(branch: Branch, nibble: number, child: TrieNode | undefined): Branch {
  const children = branch.children.slice()
  children[nibble] = child
  return branchOf(children)
}

/** A branch over two subtrees whose paths differ in their first nibble. */
function fork(nibbleA: number, a: TrieNode, nibbleB: number, b: TrieNode): Branch {
  const children = new Array<TrieNode | undefined>(16).fill(undefined)
  children[nibbleA] = a
  children[nibbleB] = b
  return branchOf(children)
}

function insert(node: TrieNode | undefined, path: Uint8Array, value: Uint8Array): TrieNode {
  if (node === undefined) return leafOf(path, value)
  if (node.kind === 'branch') {
    const nibble = path[0] as number
    return withChild(node, nibble, insert(node.children[nibble], path.subarray(1), value))
  }
  const shared = commonPrefixLength(node.path, path)
  if (shared === node.path.length) {
    if (node.kind === 'leaf') return leafOf(path, value)
    const child = insert(node.child, path.subarray(shared), value) as Branch
    return extensionOf(node.path, child)
  }
  const rest = node.path.subarray(shared + 1)
  const older: TrieNode = node.kind === 'leaf' ? leafOf(rest, node.value) : withPrefix(rest, node.child)
  const newer = leafOf(path.subarray(shared + 1), value)
  const branch = fork(node.path[shared] as number, older, path[shared] as number, newer)
  return withPrefix(path.subarray(0, shared), branch)
}

/** A branch that is down to one child is that child with a longer path. */
function collapse(branch: Branch): TrieNode {
  let only = -1
  for (let nibble = 0; nibble < 16; nibble++) {
    if (branch.children[nibble] === undefined) continue
    if (only !== -1) return branch
    only = nibble
  }
  return withPrefix(Uint8Array.of(only), branch.children[only] as TrieNode)
}

function remove(node: TrieNode, path: Uint8Array): TrieNode | undefined {
  switch (node.kind) {
    case 'leaf':
      return equalBytes(node.path, path) ? undefined : node
    case 'extension': {
      if (commonPrefixLength(node.path, path) !== node.path.length) return node
      const child = remove(node.child, path.subarray(node.path.length))
      // A branch has two children at least, so removing one key never empties it.
      return child === node.child ? node : withPrefix(node.path, child as TrieNode)
    }
    case 'branch': {
      const nibble = path[0] as number
      const child = node.children[nibble]
      if (child === undefined) return node
      const smaller = remove(child, path.subarray(1))
      return smaller === child ? node : collapse(withChild(node, nibble, smaller))
    }
  }
}

/** Sets a key; an empty value deletes it. */
export function trieSet(trie: Trie, key: Uint8Array, value: Uint8Array): Trie {
  const path = toNibbles(key)
  if (value.length > 0) return insert(trie, path, value)
  return trie === undefined ? undefined : remove(trie, path)
}

/** Writes a path in hex-prefix encoding (yellow paper, appendix C), and answers where it ends. */
function putPath(target: Uint8Array, start: number, nibbles: Uint8Array, of: 'leaf' | 'extension'): number {
  const bytes = (nibbles.length >> 1) + 1
  const isOdd = nibbles.length % 2 === 1
  let offset = start
  if (bytes > 1) target[offset++] = EMPTY_STRING + bytes
  target[offset++] = (of === 'leaf' ? 0x20 : 0) + (isOdd ? 0x10 + (nibbles[0] as number) : 0)
  for (let i = isOdd ? 1 : 0; i < nibbles.length; i += 2) {
    target[offset++] = (nibbles[i] as number) * 16 + (nibbles[i + 1] as number)
  }
  return offset
}

/** Writes a child into its parent, and answers where it ends. */
function putChild(target: Uint8Array, start: number, child: TrieNode | undefined): number {
  if (child === undefined) {
    target[start] = EMPTY_STRING
    return start + 1
  }
  const reference = referenceTo(child)
  if (reference.length !== HASH_BYTES) return putBytes(target, start, reference)
  target[start] = HASH_STRING
  return putBytes(target, start + 1, reference)
}

/** Writes what the list of a node holds, and answers where it ends. What is below it has been hashed. */
function putPayload(target: Uint8Array, start: number, node: TrieNode): number {
  switch (node.kind) {
    case 'leaf':
      return putString(target, putPath(target, start, node.path, 'leaf'), node.value)
    case 'extension':
      return putChild(target, putPath(target, start, node.path, 'extension'), node.child)
    case 'branch': {
      let offset = start
      for (const child of node.children) offset = putChild(target, offset, child)
      // It never has a value.
      target[offset] = EMPTY_STRING
      return offset + 1
    }
  }
}

/** Hashes what is below a node, which then can be laid out where nodes are hashed. */
function prepareChildren(node: TrieNode): void {
  if (node.kind === 'extension') referenceTo(node.child)
  if (node.kind === 'branch') for (const child of node.children) if (child !== undefined) referenceTo(child)
}

/** What a node takes besides its value: of a branch it is 16 hashes and their prefixes. */
const NODE_ROOM = 17 * (HASH_BYTES + 1) + LIST_PREFIX_ROOM

function roomFor(node: TrieNode): number {
  return node.kind === 'leaf' ? NODE_ROOM + node.value.length : NODE_ROOM
}

/** The RLP of a node. */
function encodeNode(node: TrieNode): Uint8Array {
  prepareChildren(node)
  const buffer = new Uint8Array(roomFor(node))
  const end = putPayload(buffer, LIST_PREFIX_ROOM, node)
  return buffer.slice(putListPrefix(buffer, LIST_PREFIX_ROOM, end), end)
}

/** Nodes are hashed where they are laid out, but for those for which there is no room. */
function computeReference(node: TrieNode): NodeReference {
  const room = keccakRoom()
  if (roomFor(node) > room.length) return keccak256(encodeNode(node))
  prepareChildren(node)
  const end = putPayload(room, LIST_PREFIX_ROOM, node)
  const start = putListPrefix(room, LIST_PREFIX_ROOM, end)
  return end - start < HASH_BYTES ? room.slice(start, end) : keccakOfRoom(start, end)
}

function referenceTo(node: TrieNode): NodeReference {
  node.reference ??= computeReference(node)
  return node.reference
}

/** The 32-byte root. */
export function trieRoot(trie: Trie): Uint8Array {
  if (trie === undefined) return EMPTY_ROOT
  const reference = referenceTo(trie)
  // A root is a hash even where the node is short.
  return reference.length === HASH_BYTES ? reference : keccak256(reference)
}

/** The RLP of the nodes from the root towards a key: a proof that it is there with its value, or absent. */
export function trieProof(trie: Trie, key: Uint8Array): Uint8Array[] {
  const proof: Uint8Array[] = []
  let node = trie
  let path = toNibbles(key)
  while (node !== undefined) {
    const encoded = encodeNode(node)
    // A node shorter than a hash stands inside its parent and is proven with it; the root stands alone.
    if (proof.length === 0 || encoded.length >= HASH_BYTES) proof.push(encoded)
    if (node.kind === 'leaf') break
    if (node.kind === 'branch') {
      node = node.children[path[0] as number]
      path = path.subarray(1)
      continue
    }
    const { path: shared } = node
    node = commonPrefixLength(shared, path) === shared.length ? node.child : undefined
    path = path.subarray(shared.length)
  }
  return proof
}

/** The root of a list as a block commits to it: key is the RLP of the index. */
export function listRoot(items: readonly Uint8Array[]): Uint8Array {
  let trie: Trie
  for (const [index, item] of items.entries())
    trie = trieSet(trie, encodeBytes(bigIntToBytes(BigInt(index))), item)
  return trieRoot(trie)
}
