// Packed differences between two world states: a byte string that leads from the earlier state to the later one. It
// takes a tenth of the memory of a version of the state, which copies the path to every entry that changed.

import {
  type Address,
  bigIntToBytes,
  bytesToBigInt,
  bytesToHex,
  EMPTY_BYTES,
  hexToBytes,
  padLeft,
  stripLeadingZeros,
} from '../primitives/hex.ts'
import { encodeItems, type Item } from '../primitives/rlp.ts'
import { type Account, type Code, EMPTY_ACCOUNT, type Storage } from './account.ts'
import { setSlot, type WorldState } from './world-state.ts'

export interface StateChanges {
  /** RLP: for each account its address and, unless it was deleted, what `packAccount` returns. */
  readonly bytes: Uint8Array
  /** New code, shared with the states, in the order of the accounts that have it. */
  readonly codes: readonly Code[]
}

const NO_CODES: readonly Code[] = []
export const NO_CHANGES: StateChanges = { bytes: encodeItems([]), codes: NO_CODES }
const NEW_CODE = Uint8Array.of(1)
const WORD_BYTES = 32

/** Slots and values in turn, without leading zeros. */
function packSlots(from: Storage, to: Storage): Uint8Array[] {
  const slots: Uint8Array[] = []
  from.visitChanges(to, (slot, _, value = EMPTY_BYTES) => {
    slots.push(stripLeadingZeros(hexToBytes(slot)), value)
  })
  return slots
}

function packAccount(before: Account, after: Account): Item[] {
  const { nonce, balance, code, storage } = after
  const hasNewCode = code !== before.code
  return [
    bigIntToBytes(nonce),
    bigIntToBytes(balance),
    hasNewCode ? NEW_CODE : EMPTY_BYTES,
    packSlots(before.storage, storage),
  ]
}

/** The changes that lead from one state to another. */
export function packChanges(from: WorldState, to: WorldState): StateChanges {
  const items: Item[] = []
  const codes: Code[] = []
  from.visitChanges(to, (address, before = EMPTY_ACCOUNT, after) => {
    const account = after === undefined ? [] : packAccount(before, after)
    if (after !== undefined && after.code !== before.code) codes.push(after.code)
    items.push([hexToBytes(address), ...account])
  })
  if (items.length === 0) return NO_CHANGES
  return { bytes: encodeItems(items), codes: codes.length === 0 ? NO_CODES : codes }
}

function unpackSlots(items: readonly Item[], onto: Storage): Storage {
  let storage = onto
  for (let i = 0; i < items.length; i += 2) {
    const slot = bytesToHex(padLeft(items[i] as Uint8Array, WORD_BYTES))
    // A copy: a view would keep all changes in memory.
    storage = setSlot(storage, slot, (items[i + 1] as Uint8Array).slice())
  }
  return storage
}

/** The state after the changes, decoded from their bytes. */
export function applyChanges(
  from: WorldState,
  items: readonly Item[],
  codes: StateChanges['codes'],
): WorldState {
  let state = from
  let nextCode = 0
  for (const item of items) {
    const [key, nonce, balance, newCode, slots] = item as Uint8Array[]
    const address: Address = bytesToHex(key as Uint8Array)
    if (nonce === undefined) {
      state = state.delete(address)
      continue
    }
    const before = state.get(address) ?? EMPTY_ACCOUNT
    const hasNewCode = (newCode as Uint8Array).length > 0
    state = state.set(address, {
      nonce: bytesToBigInt(nonce),
      balance: bytesToBigInt(balance as Uint8Array),
      code: hasNewCode ? (codes[nextCode++] as Code) : before.code,
      storage: unpackSlots(slots as unknown as readonly Item[], before.storage),
    })
  }
  return state
}
