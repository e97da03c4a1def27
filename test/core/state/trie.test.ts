import { createMerkleProof, createMPT, type MerklePatriciaTrie, verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { keccak256, loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { bytesToHex, utf8ToBytes } from '../../../src/core/primitives/hex.ts'
import { listRoot, type Trie, trieProof, trieRoot, trieSet } from '../../../src/core/state/trie.ts'

const seed = 20261121
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const rootHex = (trie: Trie) => bytesToHex(trieRoot(trie))

beforeAll(loadCrypto)

function trieOf(entries: readonly (readonly [Uint8Array, Uint8Array])[]): Trie {
  return entries.reduce<Trie>((trie, [key, value]) => trieSet(trie, key, value), undefined)
}

describe('published roots', () => {
  const secure = (entries: Readonly<Record<string, string>>) =>
    trieOf(Object.entries(entries).map(([key, value]) => [keccak256(utf8ToBytes(key)), utf8ToBytes(value)]))

  test('of the empty trie is the hash of an empty string in RLP (yellow paper, 4.1)', () => {
    expect(rootHex(undefined)).toBe(EMPTY_ROOT)
    expect(bytesToHex(keccak256(RLP.encode(Uint8Array.of())))).toBe(EMPTY_ROOT)
    expect(bytesToHex(listRoot([]))).toBe(EMPTY_ROOT)
  })

  // ethereum/tests, TrieTests/trieanyorder_secureTrie.json
  test.each([
    [{ A: 'a'.repeat(50) }, '0xe9e2935138352776cad724d31c9fa5266a5c593bb97726dd2a908fe6d53284df'],
    [
      { doe: 'reindeer', dog: 'puppy', dogglesworth: 'cat' },
      '0xd4cd937e4a4368d7931a9cf51686b7e10abb3dce38a39000fd7902a092b64585',
    ],
  ])('of %j under hashed keys is %s', (entries, root) => {
    expect(rootHex(secure(entries))).toBe(root)
  })

  // Parity's triehash, ordered_trie_root
  test('of the list doe, reindeer', () => {
    expect(bytesToHex(listRoot(['doe', 'reindeer'].map(utf8ToBytes)))).toBe(
      '0xe766d5d51b89dc39d981b41bda63248d7abce4f0225eefd023792a540bcffee3',
    )
  })

  test('of one short leaf is the hash of its RLP, worked out by hand', () => {
    // Key 0x12 is a path of two nibbles: hex-prefix 0x20 0x12. Node: list of 0x2012 and 0x07.
    expect(rootHex(trieSet(undefined, Uint8Array.of(0x12), Uint8Array.of(7)))).toBe(
      bytesToHex(keccak256(Uint8Array.of(0xc4, 0x82, 0x20, 0x12, 0x07))),
    )
  })
})

/** Kinds of prefix-free keys, from scattered to as crowded as can be. */
const keyKinds: Readonly<Record<string, fc.Arbitrary<Uint8Array>>> = {
  'hashes of few names': fc.integer({ min: 0, max: 40 }).map((n) => keccak256(Uint8Array.of(n))),
  'RLP indexes': fc.integer({ min: 0, max: 300 }).map((n) => RLP.encode(n)),
  'two crowded bytes': fc
    .tuple(fc.constantFrom(0, 1, 16, 17), fc.constantFrom(0, 1, 2, 16, 17, 255))
    .map((b) => {
      return Uint8Array.from(b)
    }),
  '32 bytes with a long common prefix': fc
    .tuple(fc.constantFrom(0, 1), fc.constantFrom(0, 1, 16, 17, 18))
    .map(([middle, last]) => {
      const key = new Uint8Array(32).fill(0xab)
      key[20] = middle
      key[31] = last
      return key
    }),
}

const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }), // nodes that stand inside their parents
  fc.uint8Array({ minLength: 24, maxLength: 34 }), // nodes around the size of a hash
  fc.uint8Array({ minLength: 60, maxLength: 120 }),
)

type Change = readonly [key: Uint8Array, value: Uint8Array | undefined]

function changesOf(key: fc.Arbitrary<Uint8Array>, maxLength: number): fc.Arbitrary<Change[]> {
  return fc.array(fc.tuple(key, fc.option(value, { nil: undefined, freq: 2 })), { maxLength })
}

async function applyToReference(reference: MerklePatriciaTrie, [key, next]: Change): Promise<void> {
  if (next === undefined) await reference.del(key)
  else await reference.put(key, next)
}

describe.each(Object.entries(keyKinds))('a trie of %s', (_, key) => {
  test('has the root that @ethereumjs/mpt has, after every change', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(changesOf(key, 40), async (changes) => {
        const reference = await createMPT()
        let trie: Trie
        for (const change of changes) {
          trie = trieSet(trie, change[0], change[1] ?? Uint8Array.of())
          await applyToReference(reference, change)
          expect(rootHex(trie)).toBe(bytesToHex(reference.root()))
        }
      }),
      { seed, numRuns: 50 },
    )
  })

  test('has a root that only its content decides, looked at on the way or not', () => {
    fc.assert(
      fc.property(changesOf(key, 40), (changes) => {
        let trie: Trie
        const content = new Map<string, readonly [Uint8Array, Uint8Array]>()
        for (const [i, [k, v]] of changes.entries()) {
          trie = trieSet(trie, k, v ?? Uint8Array.of())
          if (i % 3 === 0) trieRoot(trie)
          if (v === undefined) content.delete(bytesToHex(k))
          else content.set(bytesToHex(k), [k, v])
        }
        expect(rootHex(trie)).toBe(rootHex(trieOf([...content.values()].reverse())))
      }),
      { seed, numRuns: 100 },
    )
  })

  test('keeps the roots and the proofs of all its versions', () => {
    fc.assert(
      fc.property(changesOf(key, 25), key, (changes, probe) => {
        const versions: Trie[] = [undefined]
        const seen = [{ root: EMPTY_ROOT, proof: [] as string[] }]
        for (const [k, v] of changes) {
          const next = trieSet(versions.at(-1), k, v ?? Uint8Array.of())
          versions.push(next)
          seen.push({ root: rootHex(next), proof: trieProof(next, probe).map(bytesToHex) })
        }
        const again = versions.map((trie) => ({
          root: rootHex(trie),
          proof: trieProof(trie, probe).map(bytesToHex),
        }))
        expect(again).toEqual(seen)
      }),
      { seed, numRuns: 60 },
    )
  })

  test('proves what is there and what is not, with the nodes that @ethereumjs/mpt names', {
    tags: 'gate',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        changesOf(key, 25),
        fc.array(key, { minLength: 1, maxLength: 3 }),
        async (changes, absent) => {
          const reference = await createMPT()
          let trie: Trie
          for (const change of changes) {
            trie = trieSet(trie, change[0], change[1] ?? Uint8Array.of())
            await applyToReference(reference, change)
          }
          fc.pre(trie !== undefined)
          for (const probe of [...absent, ...changes.slice(0, 4).map(([k]) => k)]) {
            const proof = trieProof(trie, probe)
            const held = await reference.get(probe)
            expect(await verifyMerkleProof(probe, proof, { root: reference.root() })).toEqual(held)
            // The reference also lists the nodes that stand inside their parents; nodes on the wire do not (geth).
            const nodes = (await createMerkleProof(reference, probe)).filter(
              (node, i) => i === 0 || node.length >= 32,
            )
            expect(proof.map(bytesToHex)).toEqual(nodes.map(bytesToHex))
          }
        },
      ),
      { seed, numRuns: 40 },
    )
  })
})

describe('a trie', () => {
  test('that loses its last key is the empty one, and proves nothing', () => {
    const key = keccak256(Uint8Array.of(1))
    const trie = trieSet(trieSet(undefined, key, Uint8Array.of(1)), key, Uint8Array.of())
    expect(trie).toBeUndefined()
    expect(trieProof(trie, key)).toEqual([])
  })

  test('is the same after a key that it lacks is deleted', () => {
    const trie = trieOf(['a', 'b', 'c'].map((name) => [keccak256(utf8ToBytes(name)), utf8ToBytes(name)]))
    expect(trieSet(trie, keccak256(utf8ToBytes('d')), Uint8Array.of())).toBe(trie)
  })
})

describe('the root of a list', () => {
  // The RLP of an index has two bytes from 128 on, three from 256 on.
  test.each([1, 2, 16, 17, 127, 128, 129, 255, 256, 257, 400])(
    'of %i items is the one @ethereumjs/mpt has',
    async (length) => {
      const items = Array.from({ length }, (_, i) => new Uint8Array(1 + ((i * 13) % 90)).fill(i + 1))
      const reference = await createMPT()
      for (const [i, item] of items.entries()) await reference.put(RLP.encode(i), item)
      expect(bytesToHex(listRoot(items))).toBe(bytesToHex(reference.root()))
    },
  )

  // Around what is laid out to be hashed at once, and around the lengths at which the RLP of a node grows a byte.
  test.each([
    [27, 28, 29, 30, 31],
    [519, 520, 521, 522, 523, 524, 525],
    [1080, 1081, 1082, 1083, 1084, 1085, 1086, 1087, 1088, 1089],
    [65_525, 65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 65_536],
    [200_000],
  ])('of items of so many bytes: %i, %i, …', { tags: 'gate' }, async (...lengths) => {
    for (const length of lengths) {
      const items = [new Uint8Array(length).fill(7), Uint8Array.of(1), new Uint8Array(length).fill(9)]
      for (const count of [1, 3]) {
        const reference = await createMPT()
        for (const [i, item] of items.slice(0, count).entries()) await reference.put(RLP.encode(i), item)
        expect(bytesToHex(listRoot(items.slice(0, count)))).toBe(bytesToHex(reference.root()))
      }
    }
  })
})
