// Roots of versions of a trie, and updates that change their own branches.

import { createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { keccak256, loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { bytesToHex } from '../../../src/core/primitives/hex.ts'
import { beginUpdate, type Trie, trieRoot, trieSet } from '../../../src/core/state/trie.ts'
import { scaled } from '../../size.ts'

beforeAll(loadCrypto)

const seed = 20261122
const rootHex = (trie: Trie) => bytesToHex(trieRoot(trie))
const keyOf = (n: number) => keccak256(Uint8Array.of(n >> 8, n & 255))
const bytesOf = (n: number, length: number) => new Uint8Array(length).fill(n % 255 || 1)

interface Version {
  readonly trie: Trie
  readonly reference: MerklePatriciaTrie
}

/** Keys to set, from the version before or one long before, with values that may be so short that nodes are embedded. */
const step = fc.record({
  back: fc.constantFrom(0, 0, 0, 1, 5),
  isSeen: fc.boolean(),
  isCrowded: fc.boolean(),
  sets: fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.constantFrom(1, 3, 33, 70)), {
    minLength: 1,
    maxLength: 6,
  }),
  removed: fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 2 }),
})

/** Another trie of many branches. */
function crowd(from: number): void {
  const update = beginUpdate()
  let trie: Trie
  for (let n = 0; n < 2500; n++) trie = trieSet(trie, keyOf(1000 + from + n), Uint8Array.of(1), update)
  trieRoot(trie)
}

test('versions have the roots of @ethereumjs/mpt, whatever was hashed before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const versions: Version[] = [{ trie: undefined, reference: await createMPT() }]
      for (const { back, isSeen, isCrowded, sets, removed } of steps) {
        const start = versions[Math.max(0, versions.length - 1 - back)] as Version
        const reference = start.reference.shallowCopy()
        const update = beginUpdate()
        let { trie } = start
        for (const [n, length] of sets) {
          trie = trieSet(trie, keyOf(n), bytesOf(n + versions.length, length), update)
          await reference.put(keyOf(n), bytesOf(n + versions.length, length))
        }
        for (const n of removed) {
          trie = trieSet(trie, keyOf(n), new Uint8Array(0))
          await reference.del(keyOf(n))
        }
        if (isCrowded) crowd(versions.length)
        if (isSeen) expect(rootHex(trie)).toBe(bytesToHex(reference.root()))
        versions.push({ trie, reference })
      }
      for (const { trie, reference } of versions.reverse())
        expect(rootHex(trie)).toBe(bytesToHex(reference.root()))
    }),
    { seed, numRuns: scaled(40) },
  )
})

test('an update leaves the versions before it as they are', () => {
  const first = trieSet(trieSet(undefined, keyOf(1), bytesOf(1, 40)), keyOf(2), bytesOf(2, 40))
  const root = rootHex(first)
  const update = beginUpdate()
  const second = trieSet(trieSet(first, keyOf(1), bytesOf(3, 40), update), keyOf(2), bytesOf(4, 40), update)
  expect(rootHex(first)).toBe(root)
  expect(rootHex(second)).not.toBe(root)
  // A root was asked for: the same update begins again with a copy.
  const secondRoot = rootHex(second)
  const third = trieSet(second, keyOf(1), bytesOf(9, 40), update)
  expect(rootHex(third)).not.toBe(secondRoot)
  const again = trieSet(trieSet(undefined, keyOf(1), bytesOf(3, 40)), keyOf(2), bytesOf(4, 40))
  expect(secondRoot).toBe(rootHex(again))
  expect(rootHex(trieSet(again, keyOf(1), bytesOf(9, 40)))).toBe(rootHex(third))
})

test('an update of many branches takes over none that is still to be hashed', () => {
  const keys = Array.from({ length: 2500 }, (_, n) => keyOf(n))
  const write = (trie: Trie, length: number) => {
    const update = beginUpdate()
    return keys.reduce<Trie>((made, key, n) => trieSet(made, key, bytesOf(n, length), update), trie)
  }
  const first = write(undefined, 40)
  rootHex(first)
  const expected = rootHex(write(undefined, 50))
  let trie = keys.slice(0, 64).reduce<Trie>((made, key, n) => trieSet(made, key, bytesOf(n, 41)), first)
  rootHex(trie)
  trie = write(trie, 50)
  expect(rootHex(trie)).toBe(expected)
})
