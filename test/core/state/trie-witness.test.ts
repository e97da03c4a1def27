// Witnesses of a trie: @ethereumjs/mpt has nothing but their nodes, and computes the same roots.

import { createMPT } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { addWitness, type NodeSet } from '../../../src/core/node/witness.ts'
import { keccak256, loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { bytesToHex } from '../../../src/core/primitives/hex.ts'
import { type Trie, trieRoot, trieSet } from '../../../src/core/state/trie.ts'
import { databaseOf } from '../../standards/stateless.ts'

const seed = 20261122

beforeAll(loadCrypto)

/** Keys that share nothing, or the first nibbles, or all but the last. */
function keyOf(kind: 'scattered' | 'crowded' | 'nearly equal', n: number): Uint8Array {
  if (kind === 'scattered') return keccak256(Uint8Array.of(n))
  const key = new Uint8Array(32).fill(0xab)
  if (kind === 'crowded') key.set([(n & 3) * 17, (n >> 2) * 16])
  else key.set([n & 7, n >> 3], 30)
  return key
}

const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 2 }),
  fc.uint8Array({ minLength: 33, maxLength: 40 }),
)
/** A key's values one after another; `undefined` removes it. */
const history = fc.tuple(
  fc.integer({ min: 0, max: 31 }),
  fc.array(fc.option(value, { nil: undefined, freq: 1 }), { minLength: 1, maxLength: 3 }),
)

const set = (trie: Trie, key: Uint8Array, next: Uint8Array | undefined): Trie =>
  trieSet(trie, key, next ?? new Uint8Array(0))

describe.each(['scattered', 'crowded', 'nearly equal'] as const)('of %s keys', (kind) => {
  test('it is enough to read, change, add and remove keys in any order', { tags: 'gate' }, async () => {
    const content = fc.uniqueArray(fc.integer({ min: 0, max: 31 }), { minLength: 1, maxLength: 14 })
    const changes = fc.uniqueArray(history, { maxLength: 6, selector: ([n]) => n })
    await fc.assert(
      fc.asyncProperty(content, value, changes, fc.integer(), async (names, first, changed, order) => {
        let trie = names.reduce<Trie>((grown, n) => set(grown, keyOf(kind, n), first), undefined)
        const nodes: NodeSet = new Map()
        const read = changed.map(([n]) => keyOf(kind, n))
        const isRemoved = ([n, values]: (typeof changed)[number]): boolean =>
          values.includes(undefined) && (names.includes(n) || values.some((each) => each !== undefined))
        const removed = changed.filter(isRemoved).map(([n]) => keyOf(kind, n))
        addWitness(nodes, trie, read, removed)
        const db = await databaseOf({ state: [...nodes.keys()], codes: [] })
        const stateless = await createMPT({ db, root: trieRoot(trie) } as never)
        for (const [n] of changed) {
          expect(await stateless.get(keyOf(kind, n))).toEqual(names.includes(n) ? first : null)
        }
        // Round by round, as blocks change a state; within a round forwards or backwards.
        for (let round = 0; round < 3; round++) {
          for (const [n, values] of order % 2 === 0 ? changed : [...changed].reverse()) {
            if (round >= values.length) continue
            const [key, next] = [keyOf(kind, n), values[round]]
            trie = set(trie, key, next)
            if (next === undefined) await stateless.del(key)
            else await stateless.put(key, next)
          }
          expect(bytesToHex(stateless.root())).toBe(bytesToHex(trieRoot(trie)))
        }
      }),
      { seed, numRuns: 200 },
    )
  })
})

test('it leaves out what is not needed', () => {
  const keys = [0x00, 0x10, 0x20, 0x21].map((first) => {
    const key = new Uint8Array(32)
    key[0] = first
    return key
  })
  // Values that make nodes of their own, no two of them equal.
  const trie = keys.reduce<Trie>(
    (grown, key, index) => set(grown, key, new Uint8Array(40).fill(index + 1)),
    undefined,
  )
  const count = (read: readonly number[], removed: readonly number[]): number => {
    const nodes: NodeSet = new Map()
    const pick = (indexes: readonly number[]) => indexes.map((index) => keys[index] as Uint8Array)
    addWitness(nodes, trie, pick(read), pick(removed))
    return nodes.size
  }
  // A root with the children 0, 1 and 2; under 2 a branch with the children 0 and 1.
  expect(count([], [])).toBe(0)
  expect(count([0], [])).toBe(2)
  expect(count([2], [])).toBe(3)
  // Two children of the root remain.
  expect(count([0], [0])).toBe(2)
  // The last child of the branch under 2 remains alone.
  expect(count([2], [2])).toBe(4)
  // The branch under 2 remains alone in the root.
  expect(count([0, 1], [0, 1])).toBe(4)
})

test('it is enough for a key that comes between and goes again', async () => {
  // A root that is an extension of 61 nibbles over a branch; the third key leaves it half-way.
  const [first, second, between] = [1, 2, 3].map((n) => {
    const key = new Uint8Array(32).fill(0xab)
    key[n === 3 ? 15 : 31] = n
    return key
  }) as [Uint8Array, Uint8Array, Uint8Array]
  const long = new Uint8Array(40).fill(1)
  const trie = set(set(undefined, first, long), second, long)
  const nodes: NodeSet = new Map()
  addWitness(nodes, trie, [between], [between])
  const db = await databaseOf({ state: [...nodes.keys()], codes: [] })
  const stateless = await createMPT({ db, root: trieRoot(trie) } as never)
  await stateless.put(between, long)
  await stateless.del(between)
  expect(bytesToHex(stateless.root())).toBe(bytesToHex(trieRoot(trie)))
})
