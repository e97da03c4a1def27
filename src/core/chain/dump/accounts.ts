// Accounts in a state dump, in anvil's format.

import * as hex from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import * as world from '../../state/world-state.ts'

interface DumpedAccount {
  /** A number, or hex if it is above 2^53 - 1. */
  readonly nonce: number | hex.Hex
  readonly balance: hex.Hex
  readonly code: hex.Hex
  readonly storage: Readonly<Record<hex.Hash, hex.Hash>>
}

/** Sorted by key, so that equal content gives equal text. */
function sorted<Value>(entries: Iterable<readonly [string, Value]>): Record<hex.Hex, Value> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function dumpAccounts(state: world.WorldState): Record<hex.Address, DumpedAccount> {
  const all = [...state.entries()].map(([address, account]): [hex.Address, DumpedAccount] => {
    const { nonce, balance, code, storage } = account
    const slots = [...storage.entries()].map(([slot, value]): [hex.Hash, hex.Hash] => [
      slot,
      hex.bytesToHex(hex.padLeft(value, 32)),
    ])
    const fields = {
      nonce: nonce <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(nonce) : hex.toQuantity(nonce),
      balance: hex.toQuantity(balance),
      code: hex.bytesToHex(code.bytes),
      storage: sorted(slots),
    }
    return [address, fields]
  })
  return sorted(all)
}

const WORD = /^0x[0-9a-f]{1,64}$/

/** A word as hex. That of a dump of our own is taken as it is: most of the amounts in it are slots. */
function readWord(value: unknown, dumped: ForeignJson, path: string): hex.Hex {
  if (typeof value === 'string' && WORD.test(value)) return value as hex.Hex
  return hex.toQuantity(dumped.at(path, value).amount())
}

/** Keys and values may be shorter than 32 bytes; a value of zero is none. */
function readSlots(dumped: ForeignJson): world.Storage {
  let storage = world.EMPTY_STORAGE
  for (const [key, item] of Object.entries(dumped.object())) {
    const slot = readWord(key, dumped, ' key')
    const word = readWord(item, dumped, `.${key}`)
    const bytes = hex.stripLeadingZeros(hex.hexToBytes(word.length % 2 === 0 ? word : `0x0${word.slice(2)}`))
    storage = world.setSlot(storage, `0x${slot.slice(2).padStart(64, '0')}`, bytes)
  }
  return storage
}

function readAccount(dumped: ForeignJson): world.Account {
  const bytes = dumped.field('code').optional((code) => code.bytes())
  return {
    nonce: dumped.field('nonce').amount(64),
    balance: dumped.field('balance').amount(),
    code: bytes === undefined ? world.EMPTY_CODE : world.makeCode(bytes),
    storage: dumped.field('storage').optional(readSlots) ?? world.EMPTY_STORAGE,
  }
}

export function loadAccounts(dumped: ForeignJson): world.WorldState {
  const addresses = Object.keys(dumped.object())
  return PersistentMap.from(
    addresses.map((address) => [dumped.at(' key', address).hex(20), readAccount(dumped.field(address))]),
  )
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
