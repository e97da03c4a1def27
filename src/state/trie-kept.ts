// Encodings of branches that stay in the module of keccak-256. A branch that another one becomes by a change of some
// children takes over its encoding, writes their hashes into it, and is hashed from the first block that differs. It is a
// cache: an encoding that another branch has taken over is made again, and no hash depends on it.

import { hashKeptInto, type KeptMessages, keptMessages, writeWords } from '../primitives/keccak.ts'
import { prefixSize, writePrefix } from '../primitives/rlp.ts'
import type { Branch, TrieNode } from './trie-nodes.ts'

const HASH_STRING = 0xa0
const EMPTY_STRING = 0x80
const HASH_BYTES = 32

/** The mark of the branch whose encoding is kept at each place; no two branches have one mark. */
let marks = new Float64Array(0)
let marked = 0
/** The place that was taken last. Places are taken in turn. */
let last = -1

/** Branches with fewer children are encoded again: they would take the places of those that are worth it. */
const LEAST_CHILDREN = 6

function payloadLength(children: number): number {
  return children * HASH_BYTES + 17
}

/** Takes over a place for a branch. */
function takePlace(branch: Branch, place: number): void {
  marks[place] = ++marked
  branch.keptAt = place
  branch.keptMark = marked
  branch.changed = 0
  branch.isReferenced = true
}

/** Encodes a branch whose children have their references, and hashes it; returns whether it can be kept. */
export function keepBranch(branch: Branch): boolean {
  const kept = keptMessages()
  if (marks.length !== kept.count) marks = new Float64Array(kept.count)
  let count = 0
  for (const child of branch.children) {
    if (child === undefined) continue
    if (child.short !== undefined) return false
    count++
  }
  if (count < LEAST_CHILDREN) return false
  const place = (last + 1) % kept.count
  last = place
  const end = putBranch(kept, place * kept.size, branch, payloadLength(count))
  takePlace(branch, place)
  hashKeptInto(branch, place * kept.size, end - place * kept.size, 0)
  return true
}

function putBranch(
  { bytes, view }: KeptMessages,
  start: number,
  { children }: Branch,
  length: number,
): number {
  let offset = writePrefix(bytes, start, 0xc0, length)
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = children[nibble]
    bytes[offset++] = child === undefined ? EMPTY_STRING : HASH_STRING
    if (child !== undefined) offset = writeWords(view, offset, child)
  }
  // Its value, which is always empty.
  bytes[offset] = EMPTY_STRING
  return offset + 1
}

/**
 * Hashes a branch by what has changed since the one that it came from; returns whether that is kept. `prepare` computes
 * the reference of a child.
 */
export function hashKeptBranch(branch: Branch, prepare: (child: TrieNode) => void): boolean {
  const { children, changed, keptAt, keptMark } = branch
  if (keptAt === -1 || marks[keptAt] !== keptMark) return false
  for (let bits = changed; bits !== 0; bits &= bits - 1) {
    const child = children[31 - Math.clz32(bits & -bits)] as TrieNode
    prepare(child)
    if (child.short !== undefined) return false
  }
  // The places of the children may be those of branches that were kept.
  if (marks[keptAt] !== keptMark) return false
  let count = 0
  for (let nibble = 0; nibble < 16; nibble++) if (children[nibble] !== undefined) count++
  const kept = keptMessages()
  const start = keptAt * kept.size
  const length = payloadLength(count)
  const first = prefixSize(length)
  const from = patch(kept, start, first, branch)
  takePlace(branch, keptAt)
  hashKeptInto(branch, start, first + length, from)
  return true
}

/** Writes the hashes of the children that have changed; returns where the first of them begins. */
function patch({ view }: KeptMessages, start: number, first: number, { children, changed }: Branch): number {
  let from = -1
  let offset = first
  for (let nibble = 0; changed >> nibble !== 0; nibble++) {
    const child = children[nibble]
    if ((changed & (1 << nibble)) !== 0 && child !== undefined) {
      if (from === -1) from = offset
      writeWords(view, start + offset + 1, child)
    }
    offset += child === undefined ? 1 : 1 + HASH_BYTES
  }
  return from
}
