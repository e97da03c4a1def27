// Packed differences between two world states: a byte string that leads from the earlier state to the later one. It
// takes a tenth of the memory of a version of the state, which copies the path to every entry that changed.

import * as hex from '../primitives/hex.ts'
import { type Encodable, encodeItems, type Item } from '../primitives/rlp.ts'
import * as world from './world-state.ts'

export interface StateChanges {
  /** RLP: for each account its address and, unless it was deleted, nonce, balance, mark, and slots. */
  readonly bytes: Uint8Array
  /** New code, shared with the states, in the order of the accounts that have it. */
  readonly codes: readonly world.Code[]
}

const NO_CODES: readonly world.Code[] = []
export const NO_CHANGES: StateChanges = { bytes: encodeItems([]), codes: NO_CODES }
/** Bits of the mark of an account, which is empty without them. */
const NEW_CODE = 1
/** All slots of the base of a fork are zero: an account was deleted there, and made again. */
const NEW_STORAGE = 2
const WORD_BYTES = 32

/** A slot without leading zero bytes. */
function shortSlot(slot: hex.Hash): hex.Hex {
  let start = 2
  while (slot.charCodeAt(start) === ZERO_DIGIT) start++
  return `0x${slot.slice(start & ~1)}`
}

const ZERO_DIGIT = 0x30

/** Adds a slot and its value, unless that was there: an interpreter may have written it again. */
export function addSlot(
  slots: Encodable[],
  slot: hex.Hash,
  before: Uint8Array | undefined,
  value: Uint8Array = hex.EMPTY_BYTES,
): void {
  if (before === undefined || !hex.equalBytes(before, value)) slots.push(shortSlot(slot), value)
}

export function isSameCode(a: world.Code, b: world.Code): boolean {
  return a === b || hex.equalBytes(a.hash, b.hash)
}

/** True for an account of a fork that was deleted and made again. */
function isMadeAnew(before: world.Account | undefined, after: world.Account): boolean {
  return before?.storage.base !== undefined && after.storage.base === undefined
}

/** Changes since an earlier state. They are encoded when they are archived, which most blocks of a test never are. */
export class FoundChanges {
  readonly since: world.WorldState
  private readonly items: Encodable[] = []
  private readonly codes: world.Code[] = []

  constructor(since: world.WorldState) {
    this.since = since
  }

  /** Adds an account with the slots of `addSlot`, unless it was touched only; `after` is `undefined` if it was deleted. */
  add(
    address: hex.Address,
    before: world.Account | undefined,
    after: world.Account | undefined,
    slots: Encodable[],
  ): void {
    if (after === undefined) {
      this.items.push([address])
      return
    }
    const known = before ?? world.EMPTY_ACCOUNT
    const { nonce, balance, code } = after
    const hasSameCode = isSameCode(known.code, code)
    const mark = (hasSameCode ? 0 : NEW_CODE) + (isMadeAnew(before, after) ? NEW_STORAGE : 0)
    const isSame = mark === 0 && slots.length === 0 && nonce === known.nonce && balance === known.balance
    if (isSame && before !== undefined) return
    if (!hasSameCode) this.codes.push(code)
    this.items.push([address, nonce, balance, mark, slots])
  }

  pack(): StateChanges {
    const { items, codes } = this
    if (items.length === 0) return NO_CHANGES
    return { bytes: encodeItems(items), codes: codes.length === 0 ? NO_CODES : codes }
  }
}

/** The changes that lead from one state to another: the same bytes for any two versions with equal content. */
export function packChanges(from: world.WorldState, to: world.WorldState): StateChanges {
  const found = new FoundChanges(from)
  from.visitChanges(to, (address, before, after) => {
    const slots: Encodable[] = []
    if (after !== undefined) {
      const known = isMadeAnew(before, after) ? undefined : before
      const { storage } = known ?? world.EMPTY_ACCOUNT
      storage.visitWrites(after.storage, (...change) => addSlot(slots, ...change))
    }
    found.add(address, before, after, slots)
  })
  return found.pack()
}

function unpackSlots(items: readonly Item[], onto: world.Storage): world.Storage {
  let storage = onto
  for (let i = 0; i < items.length; i += 2) {
    const slot = hex.bytesToHex(hex.padLeft(items[i] as Uint8Array, WORD_BYTES))
    // A copy: a view would keep all changes in memory.
    storage = world.setSlot(storage, slot, (items[i + 1] as Uint8Array).slice())
  }
  return storage
}

function hasMark(mark: Uint8Array | undefined, bit: number): boolean {
  return ((mark?.[0] ?? 0) & bit) !== 0
}

/** The number of the decoded changes that come with new code. */
export function codeCountIn(items: readonly Item[]): number {
  return items.filter((item) => hasMark((item as Uint8Array[])[3], NEW_CODE)).length
}

/** The state after the changes, decoded from their bytes. */
export function applyChanges(
  from: world.WorldState,
  items: readonly Item[],
  codes: StateChanges['codes'],
): world.WorldState {
  let state = from
  let nextCode = 0
  for (const item of items) {
    const [key, nonce, balance, mark, slots] = item as Uint8Array[]
    const address: hex.Address = hex.bytesToHex(key as Uint8Array)
    if (nonce === undefined) {
      state = state.delete(address)
      continue
    }
    const before = state.get(address) ?? world.EMPTY_ACCOUNT
    const storage = hasMark(mark, NEW_STORAGE) ? world.EMPTY_STORAGE : before.storage
    state = state.set(address, {
      nonce: hex.bytesToBigInt(nonce),
      balance: hex.bytesToBigInt(balance as Uint8Array),
      code: hasMark(mark, NEW_CODE) ? (codes[nextCode++] as world.Code) : before.code,
      storage: unpackSlots(slots as unknown as readonly Item[], storage),
    })
  }
  return state
}
