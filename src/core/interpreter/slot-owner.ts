// An account whose slots the module knows, and its way from one storage to another: by the slots that differ.

import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { Storage } from '../state/account.ts'
import { type Core, writeBytes } from './core.ts'

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
  /** Whether these are all. The module makes slots of an empty storage itself. */
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
