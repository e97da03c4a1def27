// Lists of slots in the tables of assembly/slots.ts: those that a transaction has used, and its accesses in order.

import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { Storage } from '../state/world-state.ts'
import { type Core, readSlot, writeBytes } from './core.ts'

// Offsets in a slot as in assembly/slots.ts: in bytes, and in numbers of four bytes.
export const VALUE = 32
export const SLOT_GENERATION = 25

/** An account whose slots are known. */
export interface Owner {
  readonly address: Address
  /** The storage that they were read from. */
  storage: Storage
  /** The storage with changes that are being written. */
  changed: Storage | undefined
  /** Where its slots are, by their names, if the cache follows storages. */
  readonly places: Map<Hash, number> | undefined
  /** True if these are all. The module makes slots of an empty storage itself. */
  isComplete: boolean
}

/** Gives the slots of an account the values of another storage; false if not all of them are known. */
export function goTo(core: Core, owner: Owner | undefined, generation: number, storage: Storage): boolean {
  const places = owner?.places
  if (owner === undefined || places === undefined || !owner.isComplete) return false
  // Of a fork, what is not known is no zero.
  if (owner.storage.base !== undefined || storage.base !== undefined) return false
  owner.storage.visitChanges(storage, (name, _, value) => {
    const slot = places.get(name)
    if (slot === undefined || core.numbers[(slot >>> 2) + SLOT_GENERATION] !== generation) return
    writeBytes(core, slot + VALUE, value ?? EMPTY_BYTES)
  })
  owner.storage = storage
  return true
}

// Offsets as in assembly/slots.ts, in numbers of four bytes or in bytes.
const USED_COUNT = 7
const SLOT_BYTES = 128
const SLOT_OWNER = 24
/** Slots that the module lists as used. */
const MOST_USED = 1 << 10

/** Slots of an account that a transaction has used. */
export interface UsedSlots {
  readonly address: Address
  readonly names: Hash[]
}

/** An access to a slot of storage, by SLOAD or SSTORE. */
export interface SlotAccess {
  readonly address: Address
  readonly slot: Hash
  readonly isWrite: boolean
}

/** The accounts and the names of the slots in the tables, by their numbers there. */
export interface SlotTables {
  readonly owners: readonly ({ readonly address: Address } | undefined)[]
  readonly names: readonly (Hash | undefined)[]
}

function ownerOf({ numbers }: Core, slot: number): number {
  return numbers[(slot >>> 2) + SLOT_OWNER] as number
}

/** Takes the accesses that the module has noted. */
function takeAccesses(core: Core, tables: SlotTables): SlotAccess[] {
  const { accesses, accessCount } = core.exports
  const start = accesses.value >>> 2
  const noted = [...core.numbers.subarray(start, start + accessCount.value)]
  accessCount.value = 0
  return noted.map((at) => {
    const slot = at & ~1
    return {
      address: (tables.owners[ownerOf(core, slot)] as { readonly address: Address }).address,
      slot: tables.names[(slot - core.exports.slots.value) / SLOT_BYTES] ?? readSlot(core, slot),
      isWrite: at !== slot,
    }
  })
}

/** Accesses to storage. The module's own list has room for few. */
export class NotedAccesses {
  private noted: SlotAccess[] = []

  begin({ exports }: Core, isOn: boolean): void {
    this.noted = []
    exports.accessCount.value = isOn ? 0 : -1
  }

  /** Empties the module's list. */
  fetch(core: Core, tables: SlotTables): void {
    if (core.exports.accessCount.value > 0) this.noted.push(...takeAccesses(core, tables))
  }

  /** Those since the last time. */
  take(core: Core, tables: SlotTables): readonly SlotAccess[] {
    this.fetch(core, tables)
    const { noted } = this
    this.noted = []
    return noted
  }
}

/** Begins to list the slots that are used. */
export function watchUsed({ numbers, slotsAt }: Core): void {
  numbers[slotsAt + USED_COUNT] = 0
}

/** The slots that a transaction has used since; `undefined` if they are too many to tell. */
export function usedSlots(core: Core, { owners, names }: SlotTables): readonly UsedSlots[] | undefined {
  const count = core.numbers[core.slotsAt + USED_COUNT] as number
  if (count > MOST_USED) return undefined
  const { exports, numbers } = core
  const [start, slots] = [exports.used.value >>> 2, exports.slots.value]
  const used: UsedSlots[] = []
  let of: UsedSlots | undefined
  for (let i = 0; i < count; i++) {
    const slot = numbers[start + i] as number
    const owner = owners[ownerOf(core, slot)]
    const name = names[(slot - slots) / SLOT_BYTES]
    if (owner === undefined || name === undefined) return undefined
    const { address } = owner
    if (of?.address !== address) {
      of = used.find((each) => each.address === address)
      if (of === undefined) {
        of = { address, names: [] }
        used.push(of)
      }
    }
    of.names.push(name)
  }
  return used
}
