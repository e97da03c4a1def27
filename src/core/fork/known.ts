// What is known of an upstream at the block of a fork. It never changes there, so this only grows.

import type { Address, Hash } from '../primitives/hex.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../rollup/system-contracts.ts'
import { type MapBase, OverlayMap } from '../state/overlay-map.ts'
import { type Account, type Code, EMPTY_STORAGE, isNoCode } from '../state/world-state.ts'
import type { ProvenTries } from './proven-tries.ts'

/** Slots by address. */
export type Keys = ReadonlyMap<Address, ReadonlySet<Hash>>

/** An account as the upstream has it, without its slots. */
interface KnownAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Code
  /** False only if it certainly has no slots. */
  readonly hasStorage: boolean
}

export interface Known {
  readonly accounts: ReadonlyMap<Address, KnownAccount>
  /** Address → slot → value without leading zeros; empty for zero. */
  readonly slots: ReadonlyMap<Address, ReadonlyMap<Hash, Uint8Array>>
  /** Other answers by the text of their requests. */
  readonly answers: ReadonlyMap<string, unknown>
  /** Nodes of the tries by their hashes, as RLP; none where roots are not proven. */
  readonly nodes: ReadonlyMap<Hash, Uint8Array>
}

/** Like `Known`, for those who learn. */
export interface Learning extends Known {
  readonly accounts: Map<Address, KnownAccount>
  readonly slots: Map<Address, Map<Hash, Uint8Array>>
  readonly answers: Map<string, unknown>
  readonly nodes: Map<Hash, Uint8Array>
}

export function nothingKnown(): Learning {
  return { accounts: new Map(), slots: new Map(), answers: new Map(), nodes: new Map() }
}

export function learnSlot({ slots }: Learning, address: Address, slot: Hash, value: Uint8Array): void {
  let known = slots.get(address)
  if (known === undefined) {
    known = new Map()
    slots.set(address, known)
  }
  known.set(slot, value)
}

export function learnSlots(
  learning: Learning,
  address: Address,
  slots: readonly Hash[],
  values: readonly Uint8Array[],
): void {
  for (const [index, value] of values.entries()) learnSlot(learning, address, slots[index] as Hash, value)
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** An account that no state has (EIP-161). */
function isAbsent({ nonce, balance, code, hasStorage }: KnownAccount): boolean {
  return nonce === 0n && balance === 0n && isNoCode(code) && !hasStorage
}

/** Outcome of a read: a miss, which is thrown, or a hit. */
export interface Told {
  readonly account: (address: Address) => never
  readonly slot: (address: Address, slot: Hash) => never
  readonly hit: () => void
}

function slotsOf(
  known: Known,
  told: Told,
  address: Address,
  tries: ProvenTries | undefined,
): MapBase<Hash, Uint8Array> {
  return {
    proven: tries?.storageOf(address),
    isOverwritten: address === BEACON_ROOTS_ADDRESS || address === HISTORY_STORAGE_ADDRESS,
    get(slot) {
      const value = known.slots.get(address)?.get(slot) ?? told.slot(address, slot)
      told.hit()
      return value.length === 0 ? undefined : value
    },
    known: () => [...(known.slots.get(address) ?? [])].filter(([, value]) => value.length > 0).sort(byKey),
  }
}

/** Accounts as the base of a state. Each is one object, because states are compared by identity. */
export function baseOver(
  known: Known,
  told: Told,
  tries: ProvenTries | undefined,
): MapBase<Address, Account> {
  const made = new Map<Address, Account | undefined>()
  function get(address: Address): Account | undefined {
    const found = known.accounts.get(address) ?? told.account(address)
    told.hit()
    if (made.has(address)) return made.get(address)
    const { nonce, balance, code, hasStorage } = found
    const storage = hasStorage ? OverlayMap.over(slotsOf(known, told, address, tries)) : EMPTY_STORAGE
    const account = isAbsent(found) ? undefined : { nonce, balance, code, storage }
    made.set(address, account)
    return account
  }
  return {
    proven: tries?.accounts,
    get,
    *known() {
      for (const [address] of [...known.accounts].sort(byKey)) {
        const account = get(address)
        if (account !== undefined) yield [address, account]
      }
    },
  }
}
