// State overrides of eth_call.

import type { Address, Hash } from '../primitives/hex.ts'
import * as world from './world-state.ts'

/** Slot → value without leading zeros; empty for zero. */
export type StorageOverride = ReadonlyMap<Hash, Uint8Array>

/** Values in place of an account's own; `undefined` keeps a field. */
export interface AccountOverride {
  readonly nonce: bigint | undefined
  readonly balance: bigint | undefined
  readonly code: Uint8Array | undefined
  /** Replaces the whole storage. */
  readonly state: StorageOverride | undefined
  /** Replaces single slots. */
  readonly stateDiff: StorageOverride | undefined
  /** New address of the precompile at this address. */
  readonly movePrecompileTo: Address | undefined
}

export type StateOverrides = ReadonlyMap<Address, AccountOverride>

export const NO_STATE_OVERRIDES: StateOverrides = new Map()

function writeSlots(storage: world.Storage, slots: StorageOverride): world.Storage {
  let written = storage
  for (const [slot, value] of slots) written = world.setSlot(written, slot, value)
  return written
}

function overrideAccount(
  state: world.WorldState,
  address: Address,
  override: AccountOverride,
): world.WorldState {
  const { nonce, balance, code, state: slots, stateDiff } = override
  const account = world.readAccount(state, address)
  const storage = slots === undefined ? account.storage : writeSlots(world.EMPTY_STORAGE, slots)
  const isWritten =
    [nonce, balance, code, slots].some((value) => value !== undefined) || (stateDiff?.size ?? 0) > 0
  // An empty override must not create an account: the state root would change.
  if (!isWritten) return state
  return state.set(address, {
    nonce: nonce ?? account.nonce,
    balance: balance ?? account.balance,
    code: code === undefined ? account.code : world.makeCode(code),
    storage: writeSlots(storage, stateDiff ?? new Map()),
  })
}

/** The state with overrides applied in order. */
export function overrideState(state: world.WorldState, overrides: StateOverrides): world.WorldState {
  let overridden = state
  for (const [address, override] of overrides) overridden = overrideAccount(overridden, address, override)
  return overridden
}
