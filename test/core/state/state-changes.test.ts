import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { type Address, bigIntToBytes, toWord } from '../../../src/core/primitives/hex.ts'
import { decodeItem, type Item } from '../../../src/core/primitives/rlp.ts'
import { applyChanges, packChanges } from '../../../src/core/state/state-changes.ts'
import { commitState, EMPTY_COMMITTED_STATE } from '../../../src/core/state/state-tries.ts'
import {
  EMPTY_WORLD_STATE,
  makeCode,
  updateAccount,
  type WorldState,
  writeStorage,
} from '../../../src/core/state/world-state.ts'

beforeAll(loadCrypto)

const address = fc.integer({ min: 1, max: 6 }).map((digit): Address => `0x${`${digit}`.repeat(40)}`)
const word = fc.oneof(
  fc.constantFrom(0n, 1n, 255n, 2n ** 256n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
)
const slot = fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.constant(2n ** 256n - 1n))

type Change = (state: WorldState) => WorldState

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(address, word, word).map(
    ([who, nonce, balance]): Change =>
      (state) =>
        updateAccount(state, who, { nonce: nonce & (2n ** 64n - 1n), balance }),
  ),
  fc.tuple(address, fc.uint8Array({ maxLength: 80 })).map(
    ([who, code]): Change =>
      (state) =>
        updateAccount(state, who, { code: makeCode(code) }),
  ),
  fc.tuple(address, slot, word).map(
    ([who, at, value]): Change =>
      (state) =>
        writeStorage(updateAccount(state, who, {}), who, toWord(at), bigIntToBytes(value)),
  ),
  address.map(
    (who): Change =>
      (state) =>
        state.delete(who),
  ),
)

/** Everything in a state, as plain values. */
function contentOf(state: WorldState): unknown {
  return Object.fromEntries(
    [...state.entries()].map(([who, { nonce, balance, code, storage }]) => [
      who,
      { nonce, balance, code, storage: Object.fromEntries(storage.entries()) },
    ]),
  )
}

test('changes lead from any state to any other', { tags: 'gate' }, () => {
  const changes = fc.array(change, { maxLength: 30 })
  const property = fc.property(changes, changes, changes, (common, first, second) => {
    const apply = (state: WorldState, all: readonly Change[]) => all.reduce((so, each) => each(so), state)
    const shared = apply(EMPTY_WORLD_STATE, common)
    const [from, to] = [apply(shared, first), apply(shared, second)]
    const { bytes, codes } = packChanges(from, to)
    const applied = applyChanges(from, decodeItem(bytes) as Item[], codes)
    expect(contentOf(applied)).toEqual(contentOf(to))
    // The tries of a state are found in the same order of accounts and slots.
    expect(commitState(commitState(EMPTY_COMMITTED_STATE, from), to).changes?.pack()).toEqual({
      bytes,
      codes,
    })
  })
  fc.assert(property, { seed: 20261122, numRuns: 300 })
})
