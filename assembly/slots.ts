// Slots of storage and transient storage (EIP-1153), with what the running transaction did to them. JavaScript is asked
// for a slot once, not for every access. Values stay for later transactions, as long as the account's storage is the one
// that they were read from: src/core/interpreter/slot-cache.ts.

import { COVERING } from './covering'
import * as L from './layout'
import { STEPPING } from './stepping'
import { copyWord, isEqual, isZero } from './word'

// The state, of numbers of four bytes.
/** Whether the cache is in use. */
const IS_ON: usize = 0
/** The running transaction. */
const STAMP: usize = 4
/** The open checkpoint. */
const EPOCH: usize = 8
const JOURNAL_LENGTH: usize = 12
const SLOT_COUNT: usize = 16
const OWNER_COUNT: usize = 20
/** Places of the index of slots, less one; 0 before there are any. */
const PLACE_MASK: usize = 24
/** In the build for coverage: how many slots of storage were used since JavaScript has set it to 0. */
const USED_COUNT: usize = 28
const MOST_USED: u32 = 1 << 10

// Accounts: their address, the generation of the slots that are known, the transaction that has checked it, and whether
// the storage is empty, so that slots that are not known are zero.
const OWNER_BYTES: usize = 48
const GENERATION: usize = 32
const CHECKED: usize = 36
const IS_EMPTY: usize = 40
const MAX_OWNERS: u32 = 1 << 9
const OWNER_PLACES: u32 = 1 << 10

// Slots.
const SLOT_BYTES: usize = 128
const VALUE: usize = 32
/** The value at the start of the transaction. */
const ORIGINAL: usize = 64
const SLOT_OWNER: usize = 96
const SLOT_GENERATION: usize = 100
/** The transaction that has used the slot last; what follows is of that transaction. */
const SLOT_STAMP: usize = 104
/** The checkpoint in which the value has been logged last. */
const LOGGED: usize = 108
const IS_WARM: usize = 112
const IS_LISTED: usize = 116
const MAX_SLOTS: u32 = 1 << 14
/** At first, so that a few slots touch few pages; at most twice as many as slots. */
const FIRST_PLACES: u32 = 1 << 10
/** Marks the owner of a transient slot. */
const TRANSIENT: u32 = 0x80000000

// The journal: the value before a change, and the slot.
const ENTRY_BYTES: usize = 40
const ENTRY_SLOT: usize = 32
/** Whether the slot has become warm, instead of a change of its value. */
const WARMED: usize = 36
const MAX_ENTRIES: u32 = 1 << 14

// All of it is in front of the frames; memory that nobody writes to costs nothing.
const OWNER_INDEX: usize = (__heap_base + 15) & ~15
const OWNERS: usize = OWNER_INDEX + (<usize>OWNER_PLACES << 2)
const SLOT_INDEX: usize = OWNERS + (<usize>MAX_OWNERS + 1) * OWNER_BYTES
const SLOTS: usize = SLOT_INDEX + (<usize>MAX_SLOTS << 3)
const JOURNAL: usize = SLOTS + (<usize>MAX_SLOTS + 1) * SLOT_BYTES

// For JavaScript.
export const slotsState: usize = L.SLOTS_STATE
export const owners: usize = OWNERS
export const slots: usize = SLOTS
export const journal: usize = JOURNAL
/** In the build for coverage: the slots of storage that were used, each once in a transaction. */
export const used: usize = COVERING ? memory.data(4 << 10, 16) : 0
/** In the build for coverage: accesses to storage in order, as the place of the slot, and one more for a write. */
export const accesses: usize = COVERING ? memory.data(4 << 10, 16) : 0
const MOST_ACCESSES: i32 = 1 << 10
/** The length of that list; negative while accesses are not noted. */
export let accessCount: i32 = -1
/** The end of the tables. */
export const TABLES_END: usize = JOURNAL + <usize>MAX_ENTRIES * ENTRY_BYTES

/** Returned in place of a slot: JavaScript executes the opcode. */
export const UNCACHED: usize = 0
/** Returned in place of a slot: JavaScript has to look something up, and the opcode is executed again. */
export const MISS: usize = 1

// @ts-ignore: decorator
@inline
function state(at: usize): u32 {
  return load<u32>(L.SLOTS_STATE + at)
}

// @ts-ignore: decorator
@inline
function setState(at: usize, value: u32): void {
  store<u32>(L.SLOTS_STATE + at, value)
}

// @ts-ignore: decorator
@inline
export function isCaching(): bool {
  return !STEPPING && state(IS_ON) != 0
}

export function journalLength(): u32 {
  return state(JOURNAL_LENGTH)
}

export function epoch(): u32 {
  return state(EPOCH)
}

export function setEpoch(value: u32): void {
  setState(EPOCH, value)
}

// @ts-ignore: decorator
@inline
function mix(hash: u64): u32 {
  return <u32>((hash * 0x9e3779b97f4a7c15) >> 32)
}

/** The number of an account, which gets one if there is room; 0 if there is none. */
function ownerOf(address: usize): u32 {
  let place = mix(load<u64>(address) ^ load<u64>(address, 8)) & (OWNER_PLACES - 1)
  for (;;) {
    const known = load<u32>(OWNER_INDEX + (<usize>place << 2))
    if (known == 0) break
    if (isEqual(OWNERS + <usize>known * OWNER_BYTES, address)) return known
    place = (place + 1) & (OWNER_PLACES - 1)
  }
  const owner = state(OWNER_COUNT) + 1
  if (owner > MAX_OWNERS) return 0
  setState(OWNER_COUNT, owner)
  store<u32>(OWNER_INDEX + (<usize>place << 2), owner)
  const at = OWNERS + <usize>owner * OWNER_BYTES
  copyWord(at, address)
  store<u32>(at, 1, GENERATION)
  store<u32>(at, 0, CHECKED)
  store<u32>(at, 0, IS_EMPTY)
  return owner
}

function hashOf(owner: u32, key: usize): u32 {
  const low = load<u64>(key) ^ rotl<u64>(load<u64>(key, 8), 17)
  const high = rotl<u64>(load<u64>(key, 16), 31) ^ rotl<u64>(load<u64>(key, 24), 47)
  return mix(low ^ high ^ (<u64>owner << 20))
}

/** Doubles the index of slots. */
function growIndex(): u32 {
  const mask = state(PLACE_MASK)
  const next: u32 = mask == 0 ? FIRST_PLACES - 1 : (mask << 1) | 1
  memory.fill(SLOT_INDEX, 0, (<usize>next + 1) << 2)
  for (let number: u32 = 1; number <= state(SLOT_COUNT); number++) {
    const slot = SLOTS + <usize>number * SLOT_BYTES
    let place = hashOf(load<u32>(slot, SLOT_OWNER), slot) & next
    while (load<u32>(SLOT_INDEX + (<usize>place << 2)) != 0) place = (place + 1) & next
    store<u32>(SLOT_INDEX + (<usize>place << 2), number)
  }
  setState(PLACE_MASK, next)
  return next
}

/** A slot, or 0: without it, or where `makes` asks to make it, without room for it. */
function find(owner: u32, key: usize, makes: bool): usize {
  let mask = state(PLACE_MASK)
  if (makes && state(SLOT_COUNT) << 1 >= mask && state(SLOT_COUNT) < MAX_SLOTS) mask = growIndex()
  let place = hashOf(owner, key) & mask
  for (;;) {
    const known = load<u32>(SLOT_INDEX + (<usize>place << 2))
    if (known == 0) break
    const slot = SLOTS + <usize>known * SLOT_BYTES
    if (load<u32>(slot, SLOT_OWNER) == owner && isEqual(slot, key)) return slot
    place = (place + 1) & mask
  }
  if (!makes) return 0
  const number = state(SLOT_COUNT) + 1
  if (number > MAX_SLOTS) return 0
  setState(SLOT_COUNT, number)
  store<u32>(SLOT_INDEX + (<usize>place << 2), number)
  const slot = SLOTS + <usize>number * SLOT_BYTES
  copyWord(slot, key)
  store<u32>(slot, owner, SLOT_OWNER)
  store<u32>(slot, 0, SLOT_GENERATION)
  store<u32>(slot, 0, SLOT_STAMP)
  return slot
}

// @ts-ignore: decorator
@inline
function ownerOfFrame(frame: usize): u32 {
  const known = load<u32>(frame, L.OWNER)
  if (known != 0) return known
  const owner = ownerOf(frame + L.ADDRESS)
  store<u32>(frame, owner, L.OWNER)
  return owner
}

/** Two entries for the next opcode: a slot that becomes warm and changes. */
// @ts-ignore: decorator
@inline
function isJournalFull(): bool {
  return state(JOURNAL_LENGTH) > MAX_ENTRIES - 2
}

/** The slot of a frame's storage with a key; UNCACHED or MISS. The slot of a miss is in `missed`. */
function enter(frame: usize, key: usize): usize {
  if (COVERING && accessCount == MOST_ACCESSES) {
    missed = 0
    return MISS
  }
  const owner = ownerOfFrame(frame)
  if (owner == 0) return UNCACHED
  const slot = find(owner, key, true)
  if (slot == 0) return UNCACHED
  const at = OWNERS + <usize>owner * OWNER_BYTES
  const stamp = state(STAMP)
  const isChecked = load<u32>(at, CHECKED) == stamp
  const generation = load<u32>(at, GENERATION)
  const isKnown = load<u32>(slot, SLOT_GENERATION) == generation
  if (!isChecked || isJournalFull() || (!isKnown && load<u32>(at, IS_EMPTY) == 0)) {
    missed = slot
    return MISS
  }
  if (!isKnown) {
    memory.fill(slot + VALUE, 0, 32)
    store<u32>(slot, generation, SLOT_GENERATION)
  }
  if (load<u32>(slot, SLOT_STAMP) != stamp) {
    store<u32>(slot, stamp, SLOT_STAMP)
    store<u32>(slot, 0, LOGGED)
    store<u32>(slot, 0, IS_WARM)
    copyWord(slot + ORIGINAL, slot + VALUE)
    if (COVERING) noteUsed(slot)
  }
  return slot
}

/** Beyond the end of the list, slots are only counted. */
function noteUsed(slot: usize): void {
  const count = state(USED_COUNT)
  if (count < MOST_USED) store<u32>(used + (<usize>count << 2), <u32>slot)
  setState(USED_COUNT, count + 1)
}

// @ts-ignore: decorator
@inline
function noteAccess(slot: usize, isWrite: u32): void {
  if (!COVERING || accessCount < 0) return
  store<u32>(accesses + (<usize>accessCount << 2), <u32>slot | isWrite)
  accessCount++
}

/** The slot that JavaScript has to look up. */
export let missed: usize = 0

function append(slot: usize, warmed: u32): void {
  const length = state(JOURNAL_LENGTH)
  const at = JOURNAL + <usize>length * ENTRY_BYTES
  copyWord(at, slot + VALUE)
  store<u32>(at, <u32>slot, ENTRY_SLOT)
  store<u32>(at, warmed, WARMED)
  setState(JOURNAL_LENGTH, length + 1)
}

// @ts-ignore: decorator
@inline
function write(slot: usize, value: usize): void {
  const open = state(EPOCH)
  // Once for each checkpoint.
  if (load<u32>(slot, LOGGED) != open) {
    append(slot, 0)
    store<u32>(slot, open, LOGGED)
  }
  copyWord(slot + VALUE, value)
}

/** Makes a slot warm; returns whether it was (EIP-2929). */
// @ts-ignore: decorator
@inline
function warmUp(slot: usize): bool {
  if (load<u32>(slot, IS_WARM) != 0) return true
  store<u32>(slot, 1, IS_WARM)
  append(slot, 1)
  return false
}

// @ts-ignore: decorator
@inline
function cost(at: usize): i64 {
  return load<i64>(L.PARAMETERS + at)
}

// In place of the remaining gas, besides -1 for too little: UNCACHED and MISS, and that the refund would be negative.
export const NOT_CACHED: i64 = -10
export const MISSING: i64 = -11
export const REFUND_EXHAUSTED: i64 = -12

/** SLOAD: replaces the key by the value and returns the remaining gas. */
export function loadSlot(frame: usize, key: usize, gas: i64): i64 {
  const slot = enter(frame, key)
  if (slot <= MISS) return slot == MISS ? MISSING : NOT_CACHED
  noteAccess(slot, 0)
  gas -= cost(warmUp(slot) ? L.STORE_WARM : L.FIRST_READ)
  if (gas >= 0) copyWord(key, slot + VALUE)
  return gas < 0 ? -1 : gas
}

/** SSTORE of the value at `next` to the slot at `next + 32`: returns the remaining gas. */
export function storeSlot(frame: usize, next: usize, gas: i64): i64 {
  const slot = enter(frame, next + 32)
  if (slot <= MISS) return slot == MISS ? MISSING : NOT_CACHED
  noteAccess(slot, 1)
  const required = load<f64>(frame, L.LIMIT) - <f64>(gas - cost(L.SSTORE_SENTRY) - 1)
  if (required > load<f64>(frame, L.MINIMUM)) store<f64>(frame, required, L.MINIMUM)
  const costs = warmUp(slot) ? L.STORE_WARM : L.STORE_COLD
  const value = slot + VALUE
  if (isEqual(value, next)) {
    gas -= cost(costs)
    return gas < 0 ? -1 : gas
  }
  const original = slot + ORIGINAL
  let refund: i64 = 0
  if (isEqual(original, value)) {
    const isNew = isZero(original)
    gas -= cost(costs + (isNew ? 8 : 16))
    if (!isNew && isZero(next)) refund = cost(costs + 32)
  } else {
    gas -= cost(costs + 24)
    if (!isZero(original)) {
      if (isZero(value)) refund = -cost(costs + 32)
      else if (isZero(next)) refund = cost(costs + 32)
    }
    if (isEqual(original, next)) refund += cost(costs + (isZero(original) ? 40 : 48))
  }
  if (refund != 0) {
    const total = load<f64>(frame, L.REFUND) + <f64>refund
    store<f64>(frame, total, L.REFUND)
    if (total < 0) return REFUND_EXHAUSTED
  }
  write(slot, next)
  return gas < 0 ? -1 : gas
}

/** TLOAD: replaces the key by the value; UNCACHED if JavaScript must do it. */
export function loadTransient(frame: usize, key: usize): usize {
  const owner = ownerOfFrame(frame)
  if (owner == 0) return UNCACHED
  const slot = find(owner | TRANSIENT, key, false)
  if (slot != 0 && load<u32>(slot, SLOT_STAMP) == state(STAMP)) copyWord(key, slot + VALUE)
  else if (slot == 0 && state(SLOT_COUNT) == MAX_SLOTS) return UNCACHED
  else memory.fill(key, 0, 32)
  return key
}

/** TSTORE of the value at `next` to the slot at `next + 32`. */
export function storeTransient(frame: usize, next: usize): usize {
  const owner = ownerOfFrame(frame)
  if (owner == 0) return UNCACHED
  if (isJournalFull()) {
    missed = 0
    return MISS
  }
  const slot = find(owner | TRANSIENT, next + 32, true)
  if (slot == 0) return UNCACHED
  const stamp = state(STAMP)
  if (load<u32>(slot, SLOT_STAMP) != stamp) {
    store<u32>(slot, stamp, SLOT_STAMP)
    store<u32>(slot, 0, LOGGED)
    memory.fill(slot + VALUE, 0, 32)
  }
  write(slot, next)
  return slot
}

/** Takes back what was done after the journal had this length. */
export function undo(length: u32): void {
  while (state(JOURNAL_LENGTH) > length) {
    const last = state(JOURNAL_LENGTH) - 1
    setState(JOURNAL_LENGTH, last)
    const at = JOURNAL + <usize>last * ENTRY_BYTES
    const slot = <usize>load<u32>(at, ENTRY_SLOT)
    if (load<u32>(at, WARMED) != 0) store<u32>(slot, 0, IS_WARM)
    else copyWord(slot + VALUE, at)
  }
}

/** Empties the journal; writes the slots of storage that it changed, of four bytes, to its start; returns their number. */
export function changes(): u32 {
  const length = state(JOURNAL_LENGTH)
  const stamp = state(STAMP)
  let count: u32 = 0
  for (let i: u32 = 0; i < length; i++) {
    const at = JOURNAL + <usize>i * ENTRY_BYTES
    const slot = <usize>load<u32>(at, ENTRY_SLOT)
    if (load<u32>(at, WARMED) != 0 || (load<u32>(slot, SLOT_OWNER) & TRANSIENT) != 0) continue
    if (load<u32>(slot, IS_LISTED) == stamp || isEqual(slot + VALUE, slot + ORIGINAL)) continue
    store<u32>(slot, stamp, IS_LISTED)
    store<u32>(JOURNAL + (<usize>count << 2), <u32>slot)
    count++
  }
  setState(JOURNAL_LENGTH, 0)
  return count
}

/** Forgets everything. */
export function forget(): void {
  memory.fill(OWNER_INDEX, 0, <usize>OWNER_PLACES << 2)
  memory.fill(L.SLOTS_STATE, 0, 28)
  // What a search finds while there is no index.
  store<u32>(SLOT_INDEX, 0)
}
