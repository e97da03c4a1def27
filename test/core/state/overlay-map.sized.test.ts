import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  EMPTY_BYTES,
  type Hash,
  toWord,
} from '../../../src/core/primitives/hex.ts'
import { decodeItem, type Item } from '../../../src/core/primitives/rlp.ts'
import { Miss, OverlayMap, withMissesLoaded } from '../../../src/core/state/overlay-map.ts'
import { applyChanges, packChanges } from '../../../src/core/state/state-changes.ts'
import {
  commitOver,
  commitState,
  EMPTY_COMMITTED_STATE,
  stateRoot,
} from '../../../src/core/state/state-tries.ts'
import {
  EMPTY_ACCOUNT,
  EMPTY_WORLD_STATE,
  makeCode,
  readAccount,
  readStorage,
  updateAccount,
  type WorldState,
  writeStorage,
} from '../../../src/core/state/world-state.ts'
import { scaled } from '../../size.ts'

beforeAll(loadCrypto)

const ADDRESSES = [1, 2, 3, 4, 5].map((digit): Address => `0x${`${digit}`.repeat(40)}`)
const SLOTS = [0n, 1n, 2n, 2n ** 256n - 1n].map(toWord)

/** A state over a base that knows nothing at first and learns each key when it is missed. */
function forkOf(whole: WorldState): { readonly state: WorldState; readonly missed: string[] } {
  const missed: string[] = []
  const known = new Map<string, unknown>()
  const ask = <Value>(key: string, miss: Miss['key'], value: () => Value): Value => {
    if (known.has(key)) return known.get(key) as Value
    throw new Miss(miss, async () => {
      missed.push(key)
      known.set(key, value())
    })
  }
  const slotsOf = (address: Address) => ({
    get: (slot: Hash) =>
      ask(`${address}/${slot}`, { kind: 'slot', address, slot }, () =>
        readAccount(whole, address).storage.get(slot),
      ),
    known: () =>
      SLOTS.flatMap((slot) => {
        const value = known.get(`${address}/${slot}`) as Uint8Array | undefined
        return value === undefined ? [] : [[slot, value] as const]
      }),
  })
  const account = (address: Address) => {
    const found = whole.get(address)
    return found === undefined ? undefined : { ...found, storage: OverlayMap.over(slotsOf(address)) }
  }
  const base = {
    get: (address: Address) => ask(address, { kind: 'account', address }, () => account(address)),
    known: () => [],
  }
  return { state: OverlayMap.over(base), missed }
}

/** Everything that a state answers, as plain values. */
function answersOf(state: WorldState): unknown {
  return ADDRESSES.map((address) => {
    const { nonce, balance, code } = readAccount(state, address)
    const slots = SLOTS.map((slot) => readStorage(state, address, slot))
    return { isThere: state.has(address), nonce, balance, code: code.bytes, slots }
  })
}

type Change = (state: WorldState) => WorldState

const address = fc.constantFrom(...ADDRESSES)
const word = fc.constantFrom(0n, 1n, 255n, 2n ** 256n - 1n)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(address, word).map(
    ([who, balance]): Change =>
      (state) =>
        updateAccount(state, who, { balance }),
  ),
  fc.tuple(address, fc.uint8Array({ maxLength: 3 })).map(
    ([who, code]): Change =>
      (state) =>
        updateAccount(state, who, { code: makeCode(code) }),
  ),
  // Written without being read, as the writes at the start of a block are.
  fc.tuple(address, fc.constantFrom(...SLOTS), word).map(
    ([who, at, value]): Change =>
      (state) =>
        writeStorage(updateAccount(state, who, {}), who, at, bigIntToBytes(value)),
  ),
  address.map(
    (who): Change =>
      (state) =>
        state.delete(who),
  ),
)
const changes = fc.array(change, { maxLength: 20 })

function apply(state: WorldState, all: readonly Change[]): WorldState {
  return all.reduce((so, each) => each(so), state)
}

test('a forked state answers what the whole state does, whatever is written to both', async () => {
  const property = fc.asyncProperty(changes, changes, async (before, after) => {
    const whole = apply(EMPTY_WORLD_STATE, before)
    const { state } = forkOf(whole)
    const answers = await withMissesLoaded(() => answersOf(apply(state, after)))
    expect(answers).toEqual(answersOf(apply(whole, after)))
  })
  await fc.assert(property, { seed: 20261122, numRuns: scaled(300) })
})

test('changes of a forked state lead from each state to the later one', async () => {
  const property = fc.asyncProperty(changes, changes, changes, async (before, first, second) => {
    const whole = apply(EMPTY_WORLD_STATE, before)
    const { state } = forkOf(whole)
    const answers = await withMissesLoaded(() => {
      const from = apply(state, first)
      const { bytes, codes } = packChanges(from, apply(from, second))
      return answersOf(applyChanges(from, decodeItem(bytes) as Item[], codes))
    })
    expect(answers).toEqual(answersOf(apply(apply(whole, first), second)))
  })
  await fc.assert(property, { seed: 20261123, numRuns: scaled(300) })
})

const [alice, bob] = ADDRESSES as [Address, Address]
const [slot] = SLOTS as [Hash]

test('a read that misses loads its key once, and what is written locally is never asked', async () => {
  const whole = writeStorage(
    updateAccount(EMPTY_WORLD_STATE, alice, { balance: 7n }),
    alice,
    slot,
    Uint8Array.of(9),
  )
  const { state, missed } = forkOf(whole)
  const read = () =>
    withMissesLoaded(() => [readAccount(state, alice).balance, readStorage(state, alice, slot)])
  expect(await read()).toEqual([7n, Uint8Array.of(9)])
  expect(await read()).toEqual([7n, Uint8Array.of(9)])
  expect(missed).toEqual([alice, `${alice}/${slot}`])
  const written = state.set(bob, { ...EMPTY_ACCOUNT, balance: 1n })
  expect(readAccount(written, bob).balance).toBe(1n)
  expect(readStorage(written, bob, slot)).toEqual(EMPTY_BYTES)
  expect(missed).toHaveLength(2)
})

test('an account that is deleted and made again has none of its old slots', async () => {
  const whole = writeStorage(
    updateAccount(EMPTY_WORLD_STATE, alice, { nonce: 1n }),
    alice,
    slot,
    Uint8Array.of(9),
  )
  const { state } = forkOf(whole)
  const again = updateAccount(state.delete(alice), alice, { balance: 1n })
  expect(readStorage(again, alice, slot)).toEqual(EMPTY_BYTES)
  expect(readAccount(again, alice).nonce).toBe(0n)
})

test('an error that is no miss ends the read', async () => {
  const failing = withMissesLoaded(() => {
    throw new RangeError('no')
  })
  await expect(failing).rejects.toThrow(new RangeError('no'))
})

const FORK_ROOT = toWord(5)

/** The root after changes to an account of a fork that has code and the slot. */
async function rootAfter(...all: Change[]): Promise<Hash> {
  const whole = writeStorage(
    updateAccount(EMPTY_WORLD_STATE, alice, { nonce: 1n }),
    alice,
    slot,
    Uint8Array.of(9),
  )
  const { state } = forkOf(whole)
  return withMissesLoaded(() => stateRoot(commitState(commitOver(state, FORK_ROOT), apply(state, all))))
}

test('a root over a base tells every change from every other, and from none', async () => {
  const roots = await Promise.all([
    rootAfter(),
    rootAfter((state) => updateAccount(state, alice, { balance: 1n })),
    rootAfter((state) => writeStorage(state, alice, slot, EMPTY_BYTES)),
    rootAfter((state) => writeStorage(state, alice, slot, Uint8Array.of(1))),
    rootAfter((state) => state.delete(alice)),
    rootAfter((state) => updateAccount(state.delete(alice), alice, { nonce: 1n })),
    rootAfter((state) => updateAccount(state, bob, { balance: 1n })),
    stateRoot(commitOver(EMPTY_WORLD_STATE, toWord(6))),
    stateRoot(EMPTY_COMMITTED_STATE),
  ])
  expect(new Set(roots).size).toBe(roots.length)
  expect(await rootAfter((state) => updateAccount(state, bob, { balance: 1n }))).toBe(roots[6])
})

test('a root of changes does not depend on how they came about', async () => {
  const write =
    (value: number): Change =>
    (state) =>
      writeStorage(state, alice, slot, Uint8Array.of(value))
  expect(await rootAfter(write(1), write(2))).toBe(await rootAfter(write(2)))
})
