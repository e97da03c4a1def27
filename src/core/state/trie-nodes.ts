// Trie nodes, shared by versions of a trie. Of a trie that stands on another
// chain, nodes are known by their hashes, and from proofs by what they are. Their encoding and hashing (yellow paper,
// appendix D): the hash of a node is computed once, with the first read.

import * as crypto from '../primitives/crypto.ts'
import { concatBytes, hexToBytes } from '../primitives/hex.ts'
import * as rlp from '../primitives/rlp.ts'

// Nodes are instances of classes for the reason that those of a persistent map are.

/** A parent's reference to a node: the hash of its RLP, or the RLP itself if that is shorter. */
class Referenced extends crypto.HashWords {
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
    crypto.takeHashWords(this, hash)
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
function decodeChild(item: rlp.Item, prefix: Uint8Array, source: NodeSource): TrieNode | undefined {
  if (!(item instanceof Uint8Array)) return nodeFrom(item, prefix, source)
  return item.length === 0 ? undefined : new Unknown(item, prefix, source)
}

function malformedNode(): never {
  throw new Error('a node of the trie that hashes to its reference is no list of 2 or 17 items')
}

function nodeFrom(item: rlp.Item, prefix: Uint8Array, source: NodeSource): KnownNode {
  const items = item as readonly rlp.Item[]
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
  const node = nodeFrom(rlp.decodeItem(encoded) ?? malformedNode(), prefix, source)
  crypto.takeHashWords(node, hash)
  node.isReferenced = true
  unknown.met = node
  return node
}

/** The node itself; throws a `Miss` while it is not known. */
export function meet(node: TrieNode): KnownNode {
  if (node.kind !== 'unknown') return node
  return metOf(node) ?? node.source.miss(node.prefix, node.hash)
}

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
function putLeafPath(target: Uint8Array, start: number, { key, depth }: Leaf): number {
  const isOdd = (depth & 1) === 1
  const from = (depth + 1) >> 1
  const first = isOdd ? 0x30 + nibbleAt(key, depth) : 0x20
  let offset = putPathStart(target, start, 1 + key.length - from, first)
  for (let i = from; i < key.length; i++) target[offset++] = key[i] as number
  return offset
}

/** Writes the path of an extension. */
function putExtensionPath(target: Uint8Array, start: number, { path }: Extension): number {
  const isOdd = path.length % 2 === 1
  const first = isOdd ? 0x10 + (path[0] as number) : 0
  let offset = putPathStart(target, start, 1 + (path.length >> 1), first)
  for (let i = isOdd ? 1 : 0; i < path.length; i += 2)
    target[offset++] = (path[i] as number) * 16 + (path[i + 1] as number)
  return offset
}

// Branches and extensions are encoded in the input buffer of the hash function, which has room for them.

/** Writes a child's reference, which is known, into its parent. */
function putChild({ input, inputView }: crypto.CryptoModule, start: number, child: TrieNode): number {
  const { short } = child
  if (short !== undefined) return rlp.putBytes(input, start, short)
  input[start] = HASH_STRING
  crypto.putHashWords(inputView, start + 1, child)
  return start + 1 + HASH_BYTES
}

function putBranch(hasher: crypto.CryptoModule, start: number, { children }: Branch): number {
  const { input } = hasher
  let offset = start
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = children[nibble]
    if (child === undefined) input[offset++] = EMPTY_STRING
    else offset = putChild(hasher, offset, child)
  }
  // Its value, which is always empty.
  input[offset] = EMPTY_STRING
  return offset + 1
}

/** Writes the fields of a node, whose children have their references. */
function putPayload(hasher: crypto.CryptoModule, target: Uint8Array, start: number, node: KnownNode): number {
  switch (node.kind) {
    case 'leaf':
      return rlp.putString(target, putLeafPath(target, start, node), node.value)
    case 'extension':
      return putChild(hasher, putExtensionPath(target, start, node), node.child)
    case 'branch':
      return putBranch(hasher, start, node)
  }
}

/** Hashes the children of a node first, because nodes are encoded in one buffer. */
function prepareChildren(node: KnownNode): void {
  if (node.kind === 'extension') prepare(node.child)
  if (node.kind !== 'branch') return
  const { children } = node
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = children[nibble]
    // An unknown node has its hash.
    if (child !== undefined && !child.isReferenced) computeReference(child as KnownNode)
  }
}

/** Bytes of a leaf besides key and value: prefixes, and the flag of its path. */
const MAX_LEAF_PREFIXES = 3 * rlp.MAX_LIST_PREFIX + 1

/** A buffer for a node: that of the hash function, unless a leaf's value is too long for it. */
function bufferFor({ input }: crypto.CryptoModule, node: KnownNode): Uint8Array {
  if (node.kind !== 'leaf') return input
  const bytes = MAX_LEAF_PREFIXES + node.key.length + node.value.length
  return bytes <= input.length ? input : new Uint8Array(bytes)
}

export function encodeNode(node: KnownNode): Uint8Array {
  prepareChildren(node)
  const hasher = crypto.loadedCrypto()
  const buffer = bufferFor(hasher, node)
  const end = putPayload(hasher, buffer, rlp.MAX_LIST_PREFIX, node)
  return buffer.slice(rlp.putListPrefix(buffer, rlp.MAX_LIST_PREFIX, end), end)
}

/** Computes the hash of a node, or its RLP if that is shorter. */
function computeReference(node: KnownNode): void {
  prepareChildren(node)
  const hasher = crypto.loadedCrypto()
  const buffer = bufferFor(hasher, node)
  const end = putPayload(hasher, buffer, rlp.MAX_LIST_PREFIX, node)
  const start = rlp.putListPrefix(buffer, rlp.MAX_LIST_PREFIX, end)
  if (buffer !== hasher.input) crypto.hashInto(node, buffer.subarray(start, end))
  else if (end - start < HASH_BYTES) node.short = buffer.slice(start, end)
  else crypto.hashInputInto(hasher, node, start, end)
  node.isReferenced = true
}

function prepare(node: TrieNode): void {
  if (!node.isReferenced) computeReference(node as KnownNode)
}

export function trieRoot(trie: Trie): Uint8Array {
  if (trie === undefined) return EMPTY_ROOT
  prepare(trie)
  // A root is always a hash, even of a node shorter than one.
  return trie.short === undefined ? crypto.hashWordsToBytes(trie) : crypto.keccak256(trie.short)
}
