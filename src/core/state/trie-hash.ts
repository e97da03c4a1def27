// Encoding and hashing of trie nodes (yellow paper, appendix D). The hash of a node is computed once, with the first
// root above it.

import * as crypto from '../primitives/crypto.ts'
import { hexToBytes } from '../primitives/hex.ts'
import { MAX_LIST_PREFIX, putBytes, putListPrefix, putString } from '../primitives/rlp.ts'
import * as nodes from './trie-nodes.ts'

export const HASH_BYTES = 32
/** The RLP of an empty string, for an absent child. */
const EMPTY_STRING = 0x80
/** The prefix of a hash. */
const HASH_STRING = 0x80 + HASH_BYTES

const EMPTY_ROOT = hexToBytes('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

// Paths have hex-prefix encoding (yellow paper, appendix C). Each `put…` function returns the offset after its output.

/** Writes the start of a path: a length prefix, if it has several bytes, and the flag byte with an odd first nibble. */
function putPathStart(target: Uint8Array, start: number, bytes: number, first: number): number {
  let offset = start
  if (bytes > 1) target[offset++] = EMPTY_STRING + bytes
  target[offset++] = first
  return offset
}

/** Writes the path of a leaf: the rest of its key. */
function putLeafPath(target: Uint8Array, start: number, { key, depth }: nodes.Leaf): number {
  const isOdd = (depth & 1) === 1
  const from = (depth + 1) >> 1
  const first = isOdd ? 0x30 + nodes.nibbleAt(key, depth) : 0x20
  let offset = putPathStart(target, start, 1 + key.length - from, first)
  for (let i = from; i < key.length; i++) target[offset++] = key[i] as number
  return offset
}

/** Writes the path of an extension. */
function putExtensionPath(target: Uint8Array, start: number, { path }: nodes.Extension): number {
  const isOdd = path.length % 2 === 1
  const first = isOdd ? 0x10 + (path[0] as number) : 0
  let offset = putPathStart(target, start, 1 + (path.length >> 1), first)
  for (let i = isOdd ? 1 : 0; i < path.length; i += 2) {
    target[offset++] = (path[i] as number) * 16 + (path[i + 1] as number)
  }
  return offset
}

// Branches and extensions are encoded in the input buffer of the hash function, which has room for them.

/** Writes a child's reference, which is known, into its parent. */
function putChild(target: Uint8Array, start: number, child: nodes.TrieNode): number {
  const { short } = child
  if (short !== undefined) return putBytes(target, start, short)
  target[start] = HASH_STRING
  return crypto.putHashWords(start + 1, child)
}

function putBranch(target: Uint8Array, start: number, { children }: nodes.Branch): number {
  let offset = start
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = children[nibble]
    if (child === undefined) target[offset++] = EMPTY_STRING
    else offset = putChild(target, offset, child)
  }
  // Its value, which is always empty.
  target[offset] = EMPTY_STRING
  return offset + 1
}

/** Writes the fields of a node, whose children have their references. */
function putPayload(target: Uint8Array, start: number, node: nodes.KnownNode): number {
  switch (node.kind) {
    case 'leaf':
      return putString(target, putLeafPath(target, start, node), node.value)
    case 'extension':
      return putChild(target, putExtensionPath(target, start, node), node.child)
    case 'branch':
      return putBranch(target, start, node)
  }
}

/** Hashes the children of a node first, because nodes are encoded in one buffer. */
function prepareChildren(node: nodes.KnownNode): void {
  if (node.kind === 'extension') prepare(node.child)
  if (node.kind !== 'branch') return
  const { children } = node
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = children[nibble]
    if (child !== undefined) prepare(child)
  }
}

/** Bytes of a leaf besides key and value: prefixes, and the flag of its path. */
const MAX_LEAF_PREFIXES = 3 * MAX_LIST_PREFIX + 1

/** A buffer for a node: that of the hash function, unless a leaf's value is too long for it. */
function bufferFor(node: nodes.KnownNode): Uint8Array {
  const input = crypto.keccakInput()
  if (node.kind !== 'leaf') return input
  const bytes = MAX_LEAF_PREFIXES + node.key.length + node.value.length
  return bytes <= input.length ? input : new Uint8Array(bytes)
}

/** The RLP of a node. */
export function encodeNode(node: nodes.KnownNode): Uint8Array {
  prepareChildren(node)
  const buffer = bufferFor(node)
  const end = putPayload(buffer, MAX_LIST_PREFIX, node)
  return buffer.slice(putListPrefix(buffer, MAX_LIST_PREFIX, end), end)
}

/** Computes the hash of a node, or its RLP if that is shorter. */
function computeReference(node: nodes.KnownNode): void {
  prepareChildren(node)
  const buffer = bufferFor(node)
  const end = putPayload(buffer, MAX_LIST_PREFIX, node)
  const start = putListPrefix(buffer, MAX_LIST_PREFIX, end)
  if (buffer !== crypto.keccakInput()) crypto.hashInto(node, buffer.subarray(start, end))
  else if (end - start < HASH_BYTES) node.short = buffer.slice(start, end)
  else crypto.hashInputInto(node, start, end)
  node.isReferenced = true
}

function prepare(node: nodes.TrieNode): void {
  // An unknown node has its hash.
  if (!node.isReferenced) computeReference(node as nodes.KnownNode)
}

/** The 32-byte root. */
export function trieRoot(trie: nodes.Trie): Uint8Array {
  if (trie === undefined) return EMPTY_ROOT
  prepare(trie)
  // A root is always a hash, even of a node shorter than one.
  return trie.short === undefined ? crypto.hashWordsToBytes(trie) : crypto.keccak256(trie.short)
}
