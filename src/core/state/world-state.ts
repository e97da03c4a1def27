// The world state as one immutable value. Snapshots, history, clones and calls at any block are references to it.

import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { ImmutableMap } from '../primitives/immutable-map.ts'
import { MAX_UINT256 } from '../primitives/numbers.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import { type Account, EMPTY_ACCOUNT, type Storage } from './account.ts'

export type WorldState = ImmutableMap<Address, Account>

export const EMPTY_WORLD_STATE: WorldState = PersistentMap.empty()

/** The account, or an empty one if it does not exist. */
export function readAccount(state: WorldState, address: Address): Account {
  return state.get(address) ?? EMPTY_ACCOUNT
}

/** The value of a slot without leading zeros; empty for zero. */
export function readStorage(state: WorldState, address: Address, slot: Hash): Uint8Array {
  return state.get(address)?.storage.get(slot) ?? EMPTY_BYTES
}

export function updateAccount(state: WorldState, address: Address, changes: Partial<Account>): WorldState {
  const account = readAccount(state, address)
  return state.set(address, {
    nonce: changes.nonce ?? account.nonce,
    balance: changes.balance ?? account.balance,
    code: changes.code ?? account.code,
    storage: changes.storage ?? account.storage,
  })
}

/** Caps a balance at 256 bits, as revm does; only balances that a test has set can exceed them. */
export function asBalance(amount: bigint): bigint {
  return amount > MAX_UINT256 ? MAX_UINT256 : amount
}

/** Adds wei to the balance of an account. */
export function credit(state: WorldState, address: Address, amount: bigint): WorldState {
  const { nonce, balance, code, storage } = readAccount(state, address)
  return state.set(address, { nonce, balance: asBalance(balance + amount), code, storage })
}

/** Sets a slot; `value` has no leading zeros, and an empty one deletes the slot. */
export function setSlot(storage: Storage, slot: Hash, value: Uint8Array): Storage {
  return value.length === 0 ? storage.delete(slot) : storage.set(slot, value)
}

/** Writes a slot of an existing account. */
export function writeStorage(state: WorldState, address: Address, slot: Hash, value: Uint8Array): WorldState {
  const { nonce, balance, code, storage } = readAccount(state, address)
  return state.set(address, { nonce, balance, code, storage: setSlot(storage, slot, value) })
}
