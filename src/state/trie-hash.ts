// How nodes of a trie are written (yellow paper, appendix D), and the hashes by which one holds another. A node's is
// computed once, when a root above it is looked at.

import { keccak256, keccakOfRoom, keccakRoom } from '../primitives/keccak.ts'
import { LIST_PREFIX_ROOM, putBytes, putListPrefix, putString } from '../primitives/rlp.ts'
import {
  type Branch,
  type Extension,
  type Leaf,
  type NodeReference,
  nibbleAt,
  type Trie,
  type TrieNode,
} from './trie-nodes.ts'

export const HASH_BYTES = 32
/** The RLP of an empty string: a child that is not there. */
const EMPTY_STRING = 0x80
/** The prefix of a hash. */
const HASH_STRING = 0x80 + HASH_BYTES

const EMPTY_ROOT = Uint8Array.from([
  0x56, 0xe8, 0x1f, 0x17, 0x1b, 0xcc, 0x55, 0xa6, 0xff, 0x83, 0x45, 0xe6, 0x92, 0xc0, 0xf8, 0x6e, 0x5b, 0x48,
  0xe0, 0x1b, 0x99, 0x6c, 0xad, 0xc0, 0x01, 0x62, 0x2f, 0xb5, 0xe3, 0x63, 0xb4, 0x21,
])

// Paths are written in hex-prefix encoding (yellow paper, appendix C).

/** Begins a path: its length where it takes more than a byte, and the byte with its first nibble if it has an odd one. */
function putPathStart(target: Uint8Array, start: number, bytes: number, first: number): number {
  let offset = start
  if (bytes > 1) target[offset++] = EMPTY_STRING + bytes
  target[offset++] = first
  return offset
}

/** Writes the path of a leaf, the rest of its key, and answers where it ends. */
function putLeafPath(target: Uint8Array, start: number, { key, depth }: Leaf): number {
  const isOdd = (depth & 1) === 1
  const from = (depth + 1) >> 1
  const first = isOdd ? 0x30 + nibbleAt(key, depth) : 0x20
  let offset = putPathStart(target, start, 1 + key.length - from, first)
  for (let i = from; i < key.length; i++) target[offset++] = key[i] as number
  return offset
}

/** The same for an extension. */
function putExtensionPath(target: Uint8Array, start: number, { path }: Extension): number {
  const isOdd = path.length % 2 === 1
  const first = isOdd ? 0x10 + (path[0] as number) : 0
  let offset = putPathStart(target, start, 1 + (path.length >> 1), first)
  for (let i = isOdd ? 1 : 0; i < path.length; i += 2) {
    target[offset++] = (path[i] as number) * 16 + (path[i + 1] as number)
  }
  return offset
}

/** Writes a child into its parent, and answers where it ends. */
function putChild(target: Uint8Array, start: number, child: TrieNode): number {
  const reference = referenceTo(child)
  if (reference.length !== HASH_BYTES) return putBytes(target, start, reference)
  target[start] = HASH_STRING
  target.set(reference, start + 1)
  return start + 1 + HASH_BYTES
}

function putBranch(target: Uint8Array, start: number, { children }: Branch): number {
  let offset = start
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = children[nibble]
    if (child === undefined) target[offset++] = EMPTY_STRING
    else offset = putChild(target, offset, child)
  }
  // It never has a value.
  target[offset] = EMPTY_STRING
  return offset + 1
}

/** Writes what the list of a node holds, and answers where it ends. What is below it has been hashed. */
function putPayload(target: Uint8Array, start: number, node: TrieNode): number {
  switch (node.kind) {
    case 'leaf':
      return putString(target, putLeafPath(target, start, node), node.value)
    case 'extension':
      return putChild(target, putExtensionPath(target, start, node), node.child)
    case 'branch':
      return putBranch(target, start, node)
  }
}

/** Hashes what is below a node, which then can be laid out where nodes are hashed. */
function prepareChildren(node: TrieNode): void {
  if (node.kind === 'extension') referenceTo(node.child)
  if (node.kind !== 'branch') return
  const { children } = node
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = children[nibble]
    if (child !== undefined && child.reference === undefined) referenceTo(child)
  }
}

/** What a node takes besides its value: of a branch it is 16 hashes and their prefixes. */
const NODE_ROOM = 17 * (HASH_BYTES + 1) + LIST_PREFIX_ROOM

function roomFor(node: TrieNode): number {
  return node.kind === 'leaf' ? NODE_ROOM + node.value.length : NODE_ROOM
}

/** The RLP of a node. */
export function encodeNode(node: TrieNode): Uint8Array {
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
