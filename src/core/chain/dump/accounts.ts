// Accounts in a state dump: all accounts in anvil's format, or the differences between two states.

import * as hex from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import * as world from '../../state/world-state.ts'

/** An account in anvil's format. */
interface DumpedAccount {
  /** A number, or hex if it is above 2^53 - 1. */
  readonly nonce: number | hex.Hex
  readonly balance: hex.Hex
  readonly code: hex.Hex
  readonly storage: Readonly<Record<hex.Hash, hex.Hash>>
}

/** A word as a quantity. Slots and values are short more often than not. */
function shortenWord(word: hex.Hex): hex.Hex {
  let start = 2
  while (start < word.length - 1 && word.charCodeAt(start) === ZERO_DIGIT) start++
  return start === 2 ? word : `0x${word.slice(start)}`
}

const ZERO_DIGIT = '0'.charCodeAt(0)

function toShortValue(value: Uint8Array | undefined): hex.Hex {
  return value === undefined ? '0x0' : shortenWord(hex.bytesToHex(value))
}

/** Sorted by key, so that equal content gives equal text. */
function sorted<Value>(entries: Iterable<readonly [string, Value]>): Record<hex.Hex, Value> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function dumpFields({ nonce, balance }: world.Account): Pick<DumpedAccount, 'nonce' | 'balance'> {
  const isSmall = nonce <= BigInt(Number.MAX_SAFE_INTEGER)
  return { nonce: isSmall ? Number(nonce) : hex.toQuantity(nonce), balance: hex.toQuantity(balance) }
}

export function dumpAccounts(state: world.WorldState): Record<hex.Address, DumpedAccount> {
  const all = [...state.entries()].map(([address, account]): [hex.Address, DumpedAccount] => {
    const slots = [...account.storage.entries()].map(([slot, value]): [hex.Hash, hex.Hash] => [
      slot,
      hex.bytesToHex(hex.padLeft(value, 32)),
    ])
    const code = hex.bytesToHex(account.code.bytes)
    return [address, { ...dumpFields(account), code, storage: sorted(slots) }]
  })
  return sorted(all)
}

/** The JSON of an object whose values are JSON, sorted by key. Objects with so many different keys are slow. */
function textOfObject(entries: [key: hex.Hex, text: string][]): string {
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, text]) => `"${key}":${text}`).join(',')}}`
}

/** The slots whose values differ, as quantities; an interpreter may have written a value that was there. */
function dumpSlotChanges(from: world.Storage, to: world.Storage): [hex.Hex, string][] {
  const slots: [hex.Hex, string][] = []
  from.visitWrites(to, (slot, before, after) => {
    const value = toShortValue(after)
    const isSame = before !== undefined && toShortValue(before) === value
    if (!isSame) slots.push([shortenWord(slot), `"${value}"`])
  })
  return slots
}

/**
 * The difference between two accounts: nonce and balance, changed slots, and code if it changed; null for a deleted
 * account. Undefined for equal ones, as accounts that were only touched are.
 */
function dumpChange(before: world.Account | undefined, after: world.Account | undefined): string | undefined {
  if (after === undefined) return 'null'
  const { nonce, balance, code, storage } = before ?? world.EMPTY_ACCOUNT
  // An account of a fork that was deleted and made again has none of its slots there.
  const isAnew = storage.base !== undefined && after.storage.base === undefined
  const slots = dumpSlotChanges(isAnew ? world.EMPTY_STORAGE : storage, after.storage)
  const isSameCode = code === after.code || hex.bytesToHex(code.hash) === hex.bytesToHex(after.code.hash)
  const hasSameAmounts = nonce === after.nonce && balance === after.balance
  const isSame = isSameCode && hasSameAmounts && slots.length === 0 && !isAnew
  if (isSame && before !== undefined) return undefined
  const newCode = isSameCode ? {} : { code: hex.bytesToHex(after.code.bytes) }
  const fields = { ...dumpFields(after), ...newCode, ...(isAnew ? { isStorageNew: true } : {}) }
  return `${JSON.stringify(fields).slice(0, -1)},"storage":${textOfObject(slots)}}`
}

/** The changes from one state to another by address, as JSON. */
export function dumpChanges(from: world.WorldState, to: world.WorldState): string {
  const changes: [hex.Address, string][] = []
  from.visitChanges(to, (address, before, after) => {
    const change = dumpChange(before, after)
    if (change !== undefined) changes.push([address, change])
  })
  return textOfObject(changes)
}

const WORD = /^0x[0-9a-f]{1,64}$/

/** A word as hex. That of a dump of our own is taken as it is: most of the amounts in it are slots. */
function readWord(value: unknown, dumped: ForeignJson, path: string): hex.Hex {
  if (typeof value === 'string' && WORD.test(value)) return value as hex.Hex
  return hex.toQuantity(dumped.at(path, value).amount())
}

/** Writes dumped slots into a storage; zero deletes. Keys and values may be shorter than 32 bytes. */
function readSlots(dumped: ForeignJson, onto: world.Storage): world.Storage {
  let storage = onto
  for (const [key, item] of Object.entries(dumped.object())) {
    const slot = readWord(key, dumped, ' key')
    const word = readWord(item, dumped, `.${key}`)
    const bytes = hex.stripLeadingZeros(hex.hexToBytes(word.length % 2 === 0 ? word : `0x0${word.slice(2)}`))
    storage = world.setSlot(storage, `0x${slot.slice(2).padStart(64, '0')}`, bytes)
  }
  return storage
}

function readAccountOnto(dumped: ForeignJson, onto: world.Account = world.EMPTY_ACCOUNT): world.Account {
  const isStorageNew = dumped.field('isStorageNew').value === true
  const bytes = dumped.field('code').optional((code) => code.bytes())
  const storage = isStorageNew ? world.EMPTY_STORAGE : onto.storage
  return {
    nonce: dumped.field('nonce').amount(64),
    balance: dumped.field('balance').amount(),
    code: bytes === undefined ? onto.code : world.makeCode(bytes),
    storage: dumped.field('storage').optional((slots) => readSlots(slots, storage)) ?? storage,
  }
}

function entriesOf(dumped: ForeignJson): [hex.Address, ForeignJson][] {
  const addresses = Object.keys(dumped.object())
  return addresses.map((address) => [dumped.at(' key', address).hex(20), dumped.field(address)])
}

export function loadAccounts(dumped: ForeignJson): world.WorldState {
  return PersistentMap.from(
    entriesOf(dumped).map(([address, account]) => [address, readAccountOnto(account)]),
  )
}

export function loadChanges(dumped: ForeignJson, from: world.WorldState): world.WorldState {
  let state = from
  for (const [address, account] of entriesOf(dumped)) {
    const isGone = account.value === null
    state = isGone ? state.delete(address) : state.set(address, readAccountOnto(account, state.get(address)))
  }
  return state
}

/**
 * Merges dumped accounts into a state as anvil does: balance and code of the dump, the higher nonce, the slots of
 * both. Accounts that are then empty are deleted (EIP-161).
 */
export function mergeAccounts(dumped: world.WorldState, onto: world.WorldState): world.WorldState {
  let state = onto
  for (const [address, account] of dumped.entries()) {
    const present = onto.get(address) ?? world.EMPTY_ACCOUNT
    let { storage } = present
    for (const [slot, value] of account.storage.entries()) {
      // As for a slot that is edited (src/core/node/control/edit-state.ts).
      storage.get(slot)
      storage = storage.set(slot, value)
    }
    const nonce = account.nonce > present.nonce ? account.nonce : present.nonce
    const { balance, code } = account
    const merged = { nonce, balance, code, storage }
    const isEmpty = world.isDead(merged) && storage.isEmpty
    state = isEmpty ? state.delete(address) : state.set(address, merged)
  }
  return state
}
