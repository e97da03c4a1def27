// A state over a fork in which what is not known is taken for empty, and noted: an execution on it runs on, so that all
// that it will read can be asked for together. Nothing that it computes may be kept.

import type { Address, Hash } from '../primitives/hex.ts'
import { type Guessing, Miss, type MissingKey } from '../state/miss.ts'
import { OverlayMap } from '../state/overlay-map.ts'
import type { Account, Storage, WorldState } from '../state/world-state.ts'

type NoteMissing = (key: MissingKey) => void

/** The value of a read; `undefined`, and a note, if it is not known. */
function readOrNote<Value>(note: NoteMissing, read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Miss)) throw error
    note(error.key)
    return undefined
  }
}

/** The same storage; an object of its own, so that no cache takes a guessed value for one of the storage. */
function guessedStorage(storage: Storage, note: NoteMissing): Storage {
  if (!(storage instanceof OverlayMap)) return storage
  return OverlayMap.over<Hash, Uint8Array>({
    get: (slot) => readOrNote(note, () => storage.get(slot)),
    known: () => [],
  })
}

function guessedState(state: WorldState, note: NoteMissing): WorldState {
  const made = new Map<Address, Account | undefined>()
  return OverlayMap.over<Address, Account>({
    get(address) {
      if (made.has(address)) return made.get(address)
      const account = readOrNote(note, () => state.get(address))
      const guessed = account && { ...account, storage: guessedStorage(account.storage, note) }
      made.set(address, guessed)
      return guessed
    },
    known: () => [],
  })
}

/** What an execution that guesses reads by; `note` is told what it misses. */
export function guessingWith(note: NoteMissing): Guessing {
  return { state: (state) => guessedState(state, note), read: (read) => readOrNote(note, read) }
}
