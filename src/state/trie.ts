// An immutable Merkle Patricia trie (yellow paper, appendix D). Versions share their unchanged nodes, and a
// node's hash is computed once, when a root is looked at. Keys are hashes or RLP indexes: prefix-free, so no
// branch ever holds a value. Held to @ethereumjs/mpt by property tests; docs/decisions/0003-own-trie.md.

import { keccak256 } from '../primitives/crypto.ts'
import { bigIntToBytes, equalBytes } from '../primitives/hex.ts'
import { encodeBytes, encodeBytesList, encodeList, startList } from '../primitives/rlp.ts'

/** A node as its parent holds it: the encoded hash of its RLP, or the RLP itself where that is shorter. */
type NodeReference = Uint8Array

interface Leaf {
  readonly kind: 'leaf'
  readonly path: Uint8Array
  readonly value: Uint8Array
  reference?: NodeReference
}
interface Extension {
  readonly kind: 'extension'
  readonly path: Uint8Array
  readonly child: Branch
  reference?: NodeReference
}
interface Branch {
  readonly kind: 'branch'
  readonly children: readonly (TrieNode | undefined)[]
  reference?: NodeReference
}
type TrieNode = Leaf | Extension | Branch

/** A version of a trie; `undefined` is the empty one. */
export type Trie = TrieNode | undefined

const HASH_BYTES = 32
/** The RLP of an empty string: a child that is not there. */
const EMPTY_STRING = Uint8Array.of(0x80)

const EMPTY_ROOT = Uint8Array.from([
  0x56, 0xe8, 0x1f, 0x17, 0x1b, 0xcc, 0x55, 0xa6, 0xff, 0x83, 0x45, 0xe6, 0x92, 0xc0, 0xf8, 0x6e, 0x5b, 0x48,
  0xe0, 0x1b, 0x99, 0x6c, 0xad, 0xc0, 0x01, 0x62, 0x2f, 0xb5, 0xe3, 0x63, 0xb4, 0x21,
])

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
  if (node.kind === 'branch') return { kind: 'extension', path: prefix, child: node }
  return node.kind === 'leaf'
    ? { kind: 'leaf', path: concatNibbles(prefix, node.path), value: node.value }
    : { kind: 'extension', path: concatNibbles(prefix, node.path), child: node.child }
}

function withChild(branch: Branch, nibble: number, child: TrieNode | undefined): Branch {
  const children = branch.children.slice()
  children[nibble] = child
  return { kind: 'branch', children }
}

/** A branch over two subtrees whose paths differ in their first nibble. */
function fork(nibbleA: number, a: TrieNode, nibbleB: number, b: TrieNode): Branch {
  const children = new Array<TrieNode | undefined>(16).fill(undefined)
  children[nibbleA] = a
  children[nibbleB] = b
  return { kind: 'branch', children }
}

function insert(node: TrieNode | undefined, path: Uint8Array, value: Uint8Array): TrieNode {
  if (node === undefined) return { kind: 'leaf', path, value }
  if (node.kind === 'branch') {
    const nibble = path[0] as number
    return withChild(node, nibble, insert(node.children[nibble], path.subarray(1), value))
  }
  const shared = commonPrefixLength(node.path, path)
  if (shared === node.path.length) {
    if (node.kind === 'leaf') return { kind: 'leaf', path, value }
    const child = insert(node.child, path.subarray(shared), value) as Branch
    return { kind: 'extension', path: node.path, child }
  }
  const rest = node.path.subarray(shared + 1)
  const older: TrieNode =
    node.kind === 'leaf' ? { kind: 'leaf', path: rest, value: node.value } : withPrefix(rest, node.child)
  const newer: Leaf = { kind: 'leaf', path: path.subarray(shared + 1), value }
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

/** Hex-prefix encoding (yellow paper, appendix C). */
function encodePath(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const isOdd = nibbles.length % 2 === 1
  const encoded = new Uint8Array((nibbles.length >> 1) + 1)
  encoded[0] = (isLeaf ? 0x20 : 0) + (isOdd ? 0x10 + (nibbles[0] as number) : 0)
  for (let i = isOdd ? 1 : 0, out = 1; i < nibbles.length; i += 2, out++) {
    encoded[out] = (nibbles[i] as number) * 16 + (nibbles[i + 1] as number)
  }
  return encoded
}

/** Where branches are laid out to be hashed: 17 items of 33 bytes at most, and the prefix of their list. */
const scratch = new Uint8Array(17 * (HASH_BYTES + 1) + 3)

/** The RLP of a branch in the scratch buffer, until the next one is laid out there. */
function layOutBranch({ children }: Branch): Uint8Array {
  // Before anything is laid out: what is below may be laid out there too.
  let length = 1
  for (const child of children) length += child === undefined ? 1 : referenceTo(child).length
  let offset = startList(scratch, length)
  for (const child of children) {
    const item = child === undefined ? EMPTY_STRING : referenceTo(child)
    scratch.set(item, offset)
    offset += item.length
  }
  scratch.set(EMPTY_STRING, offset)
  return scratch.subarray(0, offset + 1)
}

/** The RLP of a node; that of a branch is valid until another branch is encoded. */
function encodeForNow(node: TrieNode): Uint8Array {
  switch (node.kind) {
    case 'leaf':
      return encodeBytesList([encodePath(node.path, true), node.value])
    case 'extension':
      return encodeList([encodeBytes(encodePath(node.path, false)), referenceTo(node.child)])
    case 'branch':
      return layOutBranch(node)
  }
}

function encodeNode(node: TrieNode): Uint8Array {
  return encodeForNow(node).slice()
}

function referenceTo(node: TrieNode): NodeReference {
  if (node.reference === undefined) {
    const encoded = encodeForNow(node)
    node.reference = encoded.length < HASH_BYTES ? encoded.slice() : encodeBytes(keccak256(encoded))
  }
  return node.reference
}

/** The 32-byte root. */
export function trieRoot(trie: Trie): Uint8Array {
  if (trie === undefined) return EMPTY_ROOT
  const reference = referenceTo(trie)
  // A root is a hash even where the node is short.
  return reference.length > HASH_BYTES ? reference.subarray(1) : keccak256(reference)
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
