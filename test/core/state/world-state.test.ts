import { expect, test } from 'vitest'
import { ZERO_ADDRESS as alice, toWord } from '../../../src/core/primitives/hex.ts'
import {
  EMPTY_ACCOUNT,
  EMPTY_WORLD_STATE,
  readAccount,
  readStorage,
  updateAccount,
  writeStorage,
} from '../../../src/core/state/world-state.ts'

const slot = toWord(1)

test('an account that is not there reads as an empty one, its slots as zero', () => {
  expect(EMPTY_WORLD_STATE.has(alice)).toBe(false)
  expect(readAccount(EMPTY_WORLD_STATE, alice)).toBe(EMPTY_ACCOUNT)
  expect(readStorage(EMPTY_WORLD_STATE, alice, slot)).toEqual(Uint8Array.of())
})

test('an update changes what it names and keeps the rest', () => {
  const funded = updateAccount(EMPTY_WORLD_STATE, alice, { nonce: 1n, balance: 5n })
  const spent = updateAccount(funded, alice, { balance: 2n })
  expect(readAccount(spent, alice)).toEqual({ ...EMPTY_ACCOUNT, nonce: 1n, balance: 2n })
})

test('an older state does not see what is written to a newer one', () => {
  const before = writeStorage(updateAccount(EMPTY_WORLD_STATE, alice, {}), alice, slot, Uint8Array.of(1))
  const after = writeStorage(before, alice, slot, Uint8Array.of(2))
  const gone = after.delete(alice)
  expect(readStorage(before, alice, slot)).toEqual(Uint8Array.of(1))
  expect(readStorage(after, alice, slot)).toEqual(Uint8Array.of(2))
  expect(readStorage(gone, alice, slot)).toEqual(Uint8Array.of())
})

test('writing zero, which has no bytes, frees the slot', () => {
  const written = writeStorage(updateAccount(EMPTY_WORLD_STATE, alice, {}), alice, slot, Uint8Array.of(1))
  expect(readAccount(written, alice).storage.isEmpty).toBe(false)
  expect(readAccount(writeStorage(written, alice, slot, Uint8Array.of()), alice).storage.isEmpty).toBe(true)
})
