// Tries of which only the nodes of proofs are known: they change as the whole trie does, or say which node is missing.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { keccak256, loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { bytesToHex } from '../../../src/core/primitives/hex.ts'
import {
  type Trie,
  trieGet,
  trieProof,
  trieRoot,
  trieSet,
  unknownOnPath,
} from '../../../src/core/state/trie.ts'
import { nibbleAt, trieAt } from '../../../src/core/state/trie-nodes.ts'

beforeAll(loadCrypto)

class MissingNode extends Error {
  readonly prefix: Uint8Array

  constructor(prefix: Uint8Array) {
    super('missing')
    this.prefix = prefix
  }
}

const keyOf = (index: number): Uint8Array => keccak256(Uint8Array.of(index))
// Short values make nodes that are part of their parents, and long ones do not.
const wordOf = (index: number): Uint8Array => new Uint8Array(1 + (index % 40)).fill(index + 1)
const setAll = (trie: Trie, keys: readonly number[]): Trie =>
  keys.reduce<Trie>((made, key) => trieSet(made, keyOf(key), wordOf(key)), trie)

/** A trie with the root of another, of which proofs show the nodes on the way to some keys. */
function partOf(whole: Trie, shown: readonly number[]) {
  const nodes = new Map<string, Uint8Array>()
  const learn = (key: Uint8Array): void => {
    for (const node of trieProof(whole, key)) nodes.set(bytesToHex(keccak256(node)), node)
  }
  for (const key of shown) learn(keyOf(key))
  const source = {
    get: (hash: Uint8Array) => nodes.get(bytesToHex(hash)),
    miss(prefix: Uint8Array): never {
      throw new MissingNode(prefix)
    },
  }
  return { trie: trieAt(trieRoot(whole), source), learn }
}

const indexes = fc.uniqueArray(fc.nat(255), { maxLength: 60 })
const some = fc.uniqueArray(fc.nat(255), { maxLength: 12 })

test('values and proofs of keys that were shown are those of the whole trie', { tags: 'gate' }, () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(255), { minLength: 1, maxLength: 60 }), some, (there, shown) => {
      const whole = setAll(undefined, there)
      const { trie } = partOf(whole, shown)
      for (const key of shown) {
        expect(unknownOnPath(trie, keyOf(key))).toBeUndefined()
        expect(trieGet(trie, keyOf(key))).toEqual(there.includes(key) ? wordOf(key) : undefined)
        expect(trieProof(trie, keyOf(key))).toEqual(trieProof(whole, keyOf(key)))
      }
    }),
    { seed: 1 },
  )
})

/** Removes a key; where that needs a node that no proof has shown, its prefix says which keys would show it. */
function removeShowing(part: ReturnType<typeof partOf>, trie: Trie, key: number): [Trie, number] {
  for (let misses = 0; ; misses++) {
    try {
      return [trieSet(trie, keyOf(key), new Uint8Array(0)), misses]
    } catch (error) {
      if (!(error instanceof MissingNode)) throw error
      const { prefix } = error
      const below = Uint8Array.from({ length: 32 }, (_, index) => {
        const [high = 0, low = 0] = [prefix[2 * index], prefix[2 * index + 1]]
        return 16 * high + low
      })
      expect(Array.from(prefix, (_, index) => nibbleAt(below, index))).toEqual([...prefix])
      part.learn(below)
    }
  }
}

test('additions and removals lead to the root of the whole trie', { tags: 'gate' }, () => {
  let missed = 0
  fc.assert(
    fc.property(indexes, some, some, (there, set, picked) => {
      const removed = [...picked, ...picked.flatMap((each) => there[each % there.length] ?? [])]
      const whole = setAll(undefined, [...there, 0])
      const part = partOf(whole, [...set, ...removed])
      let expected = setAll(whole, set)
      let trie = setAll(part.trie, set)
      expect(trieRoot(trie)).toEqual(trieRoot(expected))
      for (const key of removed) {
        expected = trieSet(expected, keyOf(key), new Uint8Array(0))
        const [after, misses] = removeShowing(part, trie, key)
        trie = after
        missed += misses
        expect(trieRoot(trie)).toEqual(trieRoot(expected))
      }
    }),
    { seed: 2, numRuns: 200 },
  )
  // A removal that leaves a branch with one child has to know that child.
  expect(missed).toBeGreaterThan(20)
})

test('a change of a key that nobody has shown names the node', () => {
  const { trie } = partOf(setAll(undefined, [1, 2, 3, 4, 5, 6]), [])
  expect(() => trieSet(trie, keyOf(7), wordOf(7))).toThrow(MissingNode)
  expect(() => trieGet(trie, keyOf(1))).toThrow(MissingNode)
  expect(unknownOnPath(trie, keyOf(1))?.prefix).toEqual(new Uint8Array(0))
})
