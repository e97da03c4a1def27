import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PersistentMap } from '../../../src/core/primitives/persistent-map.ts'

const runs = { seed: 20261121, numRuns: 300 }

/** 32-bit FNV-1a, from its definition: http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string): number {
  let hash = 2166136261n
  for (const character of text) hash = ((hash ^ BigInt(character.charCodeAt(0))) * 16777619n) % 2n ** 32n
  return Number(hash)
}

/** Words with one FNV-1a hash, published at https://softwareengineering.stackexchange.com/a/145633. */
const collisions = [
  ['costarring', 'liquid'],
  ['declinate', 'macallums'],
  ['altarage', 'zinke'],
] as const
/** A common ending keeps a collision. */
const textKeys = [
  ...collisions.flat(),
  ...collisions.flat().map((word) => `${word}s`),
  'a',
  'b',
  'c',
  'foobar',
]
/** Numbers that agree in their low 32 bits hash alike, so whole families collide. */
const numberKeys = [
  0,
  1,
  2,
  31,
  32,
  1024,
  2 ** 30,
  -1,
  -32,
  ...[0, 1, 5].flatMap((n) => [n + 2 ** 32, n + 2 ** 33]),
]

type Operation<K> = { readonly key: K; readonly value: number | undefined }

function operations<K>(keys: readonly K[], maxLength = 60): fc.Arbitrary<Operation<K>[]> {
  const value = fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined })
  return fc.array(fc.record({ key: fc.constantFrom(...keys), value }), { maxLength })
}

function apply<K extends string | number>(start: PersistentMap<K, number>, changes: readonly Operation<K>[]) {
  return changes.reduce(
    (map, { key, value }) => (value === undefined ? map.delete(key) : map.set(key, value)),
    start,
  )
}

function applyToModel<K>(start: ReadonlyMap<K, number>, changes: readonly Operation<K>[]): Map<K, number> {
  const model = new Map(start)
  for (const { key, value } of changes) {
    if (value === undefined) model.delete(key)
    else model.set(key, value)
  }
  return model
}

function expectSame<K extends string | number>(
  map: PersistentMap<K, number>,
  model: ReadonlyMap<K, number>,
  keys: readonly K[],
): void {
  expect(new Map(map.entries())).toEqual(model)
  expect(map.size).toBe(model.size)
  expect([...map.values()].sort()).toEqual([...model.values()].sort())
  for (const key of keys) {
    expect(map.get(key)).toBe(model.get(key))
    expect(map.has(key)).toBe(model.has(key))
  }
}

test('the colliding keys of these tests do collide', () => {
  expect(fnv1a('foobar')).toBe(0xbf9cf968) // from the FNV reference's own test vectors
  for (const [a, b] of collisions) {
    expect(fnv1a(a)).toBe(fnv1a(b))
    expect(fnv1a(`${a}s`)).toBe(fnv1a(`${b}s`))
  }
})

describe.each<[string, readonly (string | number)[]]>([
  ['text keys', textKeys],
  ['number keys', numberKeys],
])('a map of %s', (_, keys) => {
  test('holds what a Map holds after the same sets, overwrites and deletes', { tags: 'gate' }, () => {
    fc.assert(
      fc.property(operations(keys), (changes) => {
        expectSame(apply(PersistentMap.empty(), changes), applyToModel(new Map(), changes), keys)
      }),
      runs,
    )
  })

  test('keeps every earlier version as it was', { tags: 'gate' }, () => {
    fc.assert(
      fc.property(operations(keys, 20), (changes) => {
        let map = PersistentMap.empty<string | number, number>()
        const versions = [map]
        for (const change of changes) {
          map = apply(map, [change])
          versions.push(map)
        }
        for (const [count, version] of versions.entries()) {
          expectSame(version, applyToModel(new Map(), changes.slice(0, count)), keys)
        }
      }),
      { ...runs, numRuns: 60 },
    )
  })

  test('has a shape and an order that only its content decides', () => {
    const everyOrder = fc.shuffledSubarray([...keys], { minLength: keys.length })
    fc.assert(
      fc.property(operations(keys), everyOrder, (changes, order) => {
        const map = apply(PersistentMap.empty<string | number, number>(), changes)
        let detour = PersistentMap.from<string | number, number>(order.map((key) => [key, -1]))
        for (const key of order) {
          const value = map.get(key)
          detour = value === undefined ? detour.delete(key) : detour.set(key, value)
        }
        expect([...detour.entries()]).toEqual([...map.entries()])
        expect(detour).toEqual(map)
      }),
      runs,
    )
  })

  test('tells its changes to any other version, and nothing else', () => {
    fc.assert(
      fc.property(operations(keys), operations(keys), operations(keys, 8), (past, other, recent) => {
        const before = apply(PersistentMap.empty<string | number, number>(), past)
        const model = applyToModel(new Map(), past)
        for (const [after, modelAfter] of [
          [apply(before, recent), applyToModel(model, recent)],
          [apply(PersistentMap.empty<string | number, number>(), other), applyToModel(new Map(), other)],
        ] as const) {
          const naive = keys
            .filter((key) => model.get(key) !== modelAfter.get(key))
            .map((key) => ({ key, from: model.get(key), to: modelAfter.get(key) }))
          const visited: typeof naive = []
          before.visitChanges(after, (key, from, to) => visited.push({ key, from, to }))
          const byKey = (a: { key: string | number }, b: { key: string | number }) =>
            keys.indexOf(a.key) - keys.indexOf(b.key)
          expect(visited.sort(byKey)).toEqual(naive)
        }
      }),
      runs,
    )
  })
})

test('ten thousand keys come and go', () => {
  const addresses = Array.from({ length: 10_000 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)
  let map = PersistentMap.from(addresses.map((address, i) => [address, i]))
  expect(map.size).toBe(10_000)
  expect(addresses.every((address, i) => map.get(address) === i)).toBe(true)
  for (const address of addresses) map = map.delete(address)
  expect(map.size).toBe(0)
  expect([...map.entries()]).toEqual([])
})

test('setting the value that is there, or deleting what is not, changes nothing', () => {
  const map = PersistentMap.from<string, number>([['a', 1]])
  expect(map.set('a', 1)).toBe(map)
  expect(map.delete('b')).toBe(map)
  expect(PersistentMap.empty<string, number>().delete('a')).toBe(PersistentMap.empty())
})

test('values are compared by identity, not by content', () => {
  const before = PersistentMap.from([['a', Uint8Array.of(1)]])
  const visited: string[] = []
  before.visitChanges(before.set('a', Uint8Array.of(1)), (key) => visited.push(key))
  before.visitChanges(before, (key) => visited.push(key))
  expect(visited).toEqual(['a'])
})
