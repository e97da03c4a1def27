// A state as somebody wants it to be for one call: accounts with other fields than they have. What an override
// does to precompiles is src/rollup/precompile-table.ts.

import type { Address, Hash } from '../primitives/hex.ts'
import { EMPTY_STORAGE, makeCode, type Storage } from './account.ts'
import { readAccount, setSlot, updateAccount, type WorldState } from './world-state.ts'

/** Slot → value without leading zeros; empty for zero. */
export type StorageOverride = ReadonlyMap<Hash, Uint8Array>

/** What an account has instead of its own; `undefined` leaves a field as it is. */
export interface AccountOverride {
  readonly nonce: bigint | undefined
  readonly balance: bigint | undefined
  readonly code: Uint8Array | undefined
  /** All the storage there is. */
  readonly state: StorageOverride | undefined
  /** Slots that differ. */
  readonly stateDiff: StorageOverride | undefined
  /** Where the precompile of this address answers. */
  readonly movePrecompileTo: Address | undefined
}

export type StateOverrides = ReadonlyMap<Address, AccountOverride>

export const NO_STATE_OVERRIDES: StateOverrides = new Map()

function writeSlots(storage: Storage, slots: StorageOverride): Storage {
  let written = storage
  for (const [slot, value] of slots) written = setSlot(written, slot, value)
  return written
}

function overrideAccount(state: WorldState, address: Address, override: AccountOverride): WorldState {
  const { nonce, balance, code, state: slots, stateDiff } = override
  const account = readAccount(state, address)
  const storage = slots === undefined ? account.storage : writeSlots(EMPTY_STORAGE, slots)
  const isWritten =
    nonce !== undefined ||
    balance !== undefined ||
    code !== undefined ||
    slots !== undefined ||
    (stateDiff !== undefined && stateDiff.size > 0)
  // An override that says nothing does not bring an account about, which a state root would show.
  if (!isWritten) return state
  return updateAccount(state, address, {
    nonce: nonce ?? account.nonce,
    balance: balance ?? account.balance,
    code: code === undefined ? account.code : makeCode(code),
    storage: writeSlots(storage, stateDiff ?? new Map()),
  })
}

/** The state with overrides applied, in their order. */
export function overrideState(state: WorldState, overrides: StateOverrides): WorldState {
  let overridden = state
  for (const [address, override] of overrides) overridden = overrideAccount(overridden, address, override)
  return overridden
}
