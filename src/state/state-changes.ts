// Packed differences between two world states: a byte string that leads from the earlier state to the later one. It
// takes a tenth of the memory of a version of the state, which copies the path to every entry that changed.

import type { Item } from '../primitives/decode-rlp.ts'
import { type Encodable, encodeItems } from '../primitives/encode-rlp.ts'
import {
  type Address,
  bytesToBigInt,
  bytesToHex,
  EMPTY_BYTES,
  equalBytes,
  type Hash,
  hexToBytes,
  padLeft,
  stripLeadingZeros,
} from '../primitives/hex.ts'
import { type Account, type Code, EMPTY_ACCOUNT, EMPTY_STORAGE, type Storage } from './account.ts'
import { setSlot, type WorldState } from './world-state.ts'

export interface StateChanges {
  /** RLP: for each account its address and, unless it was deleted, nonce, balance, mark, and slots. */
  readonly bytes: Uint8Array
  /** New code, shared with the states, in the order of the accounts that have it. */
  readonly codes: readonly Code[]
}

const NO_CODES: readonly Code[] = []
export const NO_CHANGES: StateChanges = { bytes: encodeItems([]), codes: NO_CODES }
/** Bits of the mark of an account, which is empty without them. */
const NEW_CODE = 1
/** All slots of the base of a fork are zero: an account was deleted there, and made again. */
const NEW_STORAGE = 2
const WORD_BYTES = 32

/** Digits of an integer that a number holds exactly. */
const NUMBER_DIGITS = 12

/** A slot without leading zeros. Most are small, and then a number does, which is cheaper than bytes. */
function shortSlot(slot: Hash): Encodable {
  let start = 2
  while (start < slot.length && slot.charCodeAt(start) === ZERO_DIGIT) start++
  if (start === slot.length) return 0
  return slot.length - start <= NUMBER_DIGITS
    ? Number.parseInt(slot.slice(start), 16)
    : stripLeadingZeros(hexToBytes(slot))
}

const ZERO_DIGIT = 0x30

/** Slots that were written and their values in turn, without leading zeros. */
export type WrittenSlots = Encodable[]

/** Adds a slot that was written, unless it has the value that was there: an interpreter may have written that. */
export function addSlot(
  slots: WrittenSlots,
  slot: Hash,
  before: Uint8Array | undefined,
  value: Uint8Array | undefined,
): void {
  const isSame = before !== undefined && value !== undefined && equalBytes(before, value)
  if (!isSame) slots.push(shortSlot(slot), value ?? EMPTY_BYTES)
}

function packSlots(from: Storage, to: Storage): WrittenSlots {
  const slots: WrittenSlots = []
  from.visitWrites(to, (slot, before, value) => addSlot(slots, slot, before, value))
  return slots
}

/** Whether a storage has lost the base that it stood on. */
function isStartedAnew(from: Storage, to: Storage): boolean {
  return from.base !== undefined && to.base === undefined
}

export function isSameCode(a: Code, b: Code): boolean {
  return a === b || equalBytes(a.hash, b.hash)
}

/**
 * Changes of accounts, in the order in which two states are compared. They are packed on first use: most blocks of a test
 * are never archived.
 */
export class ChangeList implements StateChanges {
  /** The state that they lead from. */
  readonly since: WorldState
  private items: Encodable[] = []
  private readonly newCodes: Code[] = []
  private packed: Uint8Array | undefined = undefined

  constructor(since: WorldState) {
    this.since = since
  }

  delete(address: Address): void {
    this.items.push([address])
  }

  /** Adds an account with the slots that were written; an account may also have been touched only. */
  write(address: Address, known: Account | undefined, after: Account, slots: WrittenSlots): void {
    const before = known ?? EMPTY_ACCOUNT
    const { nonce, balance, code } = after
    const hasSameCode = isSameCode(before.code, code)
    const mark =
      (hasSameCode ? 0 : NEW_CODE) + (isStartedAnew(before.storage, after.storage) ? NEW_STORAGE : 0)
    const isSame = mark === 0 && slots.length === 0 && nonce === before.nonce && balance === before.balance
    if (isSame && known !== undefined) return
    if (!hasSameCode) this.newCodes.push(code)
    this.items.push([address, nonce, balance, mark, slots])
  }

  get codes(): readonly Code[] {
    return this.newCodes.length === 0 ? NO_CODES : this.newCodes
  }

  get bytes(): Uint8Array {
    if (this.packed === undefined) {
      this.packed = this.items.length === 0 ? NO_CHANGES.bytes : encodeItems(this.items)
      this.items = []
    }
    return this.packed
  }
}

/** The changes that lead from one state to another: the same bytes for any two versions with equal content. */
export function packChanges(from: WorldState, to: WorldState): StateChanges {
  const changes = new ChangeList(from)
  from.visitChanges(to, (address, before, after) => {
    if (after === undefined) {
      changes.delete(address)
      return
    }
    const { storage } = before ?? EMPTY_ACCOUNT
    const isAnew = isStartedAnew(storage, after.storage)
    const slots = packSlots(isAnew ? EMPTY_STORAGE : storage, after.storage)
    changes.write(address, before, after, slots)
  })
  const { bytes, codes } = changes
  return { bytes, codes }
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

function hasMark(mark: Uint8Array | undefined, bit: number): boolean {
  return ((mark?.[0] ?? 0) & bit) !== 0
}

/** How many of the decoded changes come with new code. */
export function codeCountIn(items: readonly Item[]): number {
  return items.filter((item) => hasMark((item as Uint8Array[])[3], NEW_CODE)).length
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
    const [key, nonce, balance, mark, slots] = item as Uint8Array[]
    const address: Address = bytesToHex(key as Uint8Array)
    if (nonce === undefined) {
      state = state.delete(address)
      continue
    }
    const before = state.get(address) ?? EMPTY_ACCOUNT
    const storage = hasMark(mark, NEW_STORAGE) ? EMPTY_STORAGE : before.storage
    state = state.set(address, {
      nonce: bytesToBigInt(nonce),
      balance: bytesToBigInt(balance as Uint8Array),
      code: hasMark(mark, NEW_CODE) ? (codes[nextCode++] as Code) : before.code,
      storage: unpackSlots(slots as unknown as readonly Item[], storage),
    })
  }
  return state
}
