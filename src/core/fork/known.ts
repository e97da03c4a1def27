// What is known of an upstream at the block of a fork. It never changes there, so this only grows.

import type { Address, Hash } from '../primitives/hex.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../rollup/system-contracts.ts'
import { type MapBase, type MissingKey, OverlayMap } from '../state/overlay-map.ts'
import * as world from '../state/world-state.ts'
import type { ProvenTries } from './proven-tries.ts'

export type Keys = ReadonlyMap<Address, ReadonlySet<Hash>>

/** An account as the upstream has it, without its slots. */
interface KnownAccount extends Omit<world.Account, 'storage'> {
  /** False only if it certainly has no slots. */
  readonly hasStorage: boolean
}

export interface Learning {
  readonly accounts: Map<Address, KnownAccount>
  /** Address → slot → value without leading zeros; empty for zero. */
  readonly slots: Map<Address, Map<Hash, Uint8Array>>
  /** Other answers by the text of their requests. */
  readonly answers: Map<string, unknown>
  /** Nodes of the tries by their hashes, as RLP; none where roots are not proven. */
  readonly nodes: Map<Hash, Uint8Array>
}

export function nothingKnown(): Learning {
  return { accounts: new Map(), slots: new Map(), answers: new Map(), nodes: new Map() }
}

export function learnSlot({ slots }: Learning, address: Address, slot: Hash, value: Uint8Array): void {
  const known = slots.get(address)
  if (known === undefined) slots.set(address, new Map([[slot, value]]))
  else known.set(slot, value)
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

/** Told of each read: of a miss, which is thrown, or of a hit. */
export interface ReadCounter {
  readonly miss: (key: MissingKey) => never
  readonly hit: () => unknown
}

function slotsOf(
  known: Learning,
  { miss, hit }: ReadCounter,
  address: Address,
  tries: ProvenTries | undefined,
): MapBase<Hash, Uint8Array> {
  return {
    proven: tries?.storageOf(address),
    isOverwritten: address === BEACON_ROOTS_ADDRESS || address === HISTORY_STORAGE_ADDRESS,
    get(slot) {
      const value = known.slots.get(address)?.get(slot) ?? miss({ kind: 'slot', address, slot })
      hit()
      return value.length === 0 ? undefined : value
    },
    known: () => [...(known.slots.get(address) ?? [])].filter(([, value]) => value.length > 0).sort(byKey),
  }
}

/** Accounts as the base of a state. Each is one object, because states are compared by identity. */
export function baseOver(
  known: Learning,
  counter: ReadCounter,
  tries: ProvenTries | undefined,
): MapBase<Address, world.Account> {
  const made = new Map<Address, world.Account | undefined>()
  function get(address: Address): world.Account | undefined {
    const found = known.accounts.get(address) ?? counter.miss({ kind: 'account', address })
    counter.hit()
    if (made.has(address)) return made.get(address)
    const { nonce, balance, code, hasStorage } = found
    const storage = hasStorage
      ? OverlayMap.over(slotsOf(known, counter, address, tries))
      : world.EMPTY_STORAGE
    // No state has an empty account (EIP-161).
    const isAbsent = nonce === 0n && balance === 0n && world.isNoCode(code) && !hasStorage
    const account = isAbsent ? undefined : { nonce, balance, code, storage }
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

/** The account with at least a balance, and without the code of a delegation. */
function fund(account: world.Account | undefined, least: bigint): world.Account | undefined {
  if (account === undefined) return least === 0n ? undefined : { ...world.EMPTY_ACCOUNT, balance: least }
  const isDelegated = world.delegateOf(account.code.bytes) !== undefined
  if (!isDelegated && account.balance >= least) return account
  const balance = account.balance < least ? least : account.balance
  const { nonce, code, storage } = account
  return { nonce, balance, code: isDelegated ? world.EMPTY_CODE : code, storage }
}

/**
 * A base in which accounts have at least a balance, and no delegation: the keys of test accounts are public, so on
 * live networks others have delegated them. Nonces are the upstream's, and nothing is asked before it is read.
 */
export function withFunded(
  base: MapBase<Address, world.Account>,
  balances: ReadonlyMap<Address, bigint>,
): MapBase<Address, world.Account> {
  if (balances.size === 0) return base
  const funded = new Map<Address, world.Account | undefined>()
  function get(address: Address): world.Account | undefined {
    const least = balances.get(address)
    const account = base.get(address)
    if (least === undefined) return account
    if (!funded.has(address)) funded.set(address, fund(account, least))
    return funded.get(address)
  }
  return {
    get,
    *known() {
      for (const [address] of base.known()) {
        const account = get(address)
        if (account !== undefined) yield [address, account]
      }
    },
  }
}

/** The same as writes to a state, whose roots then show them. */
export function fundIn(state: world.WorldState, balances: ReadonlyMap<Address, bigint>): world.WorldState {
  let funded = state
  for (const [address, least] of balances) {
    const before = funded.get(address)
    const after = fund(before, least)
    if (after !== before && after !== undefined) funded = funded.set(address, after)
  }
  return funded
}
