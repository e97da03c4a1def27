// Learns what an execution missed, and with it what the rest of the execution will read.

import { type Address, type Hash, toWord } from '../primitives/hex.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, RING_SIZE } from '../rollup/system-contracts.ts'
import { Miss, type MissedCall, type MissedIn, type MissingKey, OverlayMap } from '../state/overlay-map.ts'
import type { Account, Storage, WorldState } from '../state/world-state.ts'
import type { ForkHeader } from './answers.ts'
import type { Prover, StateFetcher } from './fetch-state.ts'
import type { Keys } from './known.ts'
import { isFromUpstream, isSilence } from './upstream.ts'

/** Keys that are asked for at once: an execution that goes astray on guesses finds ever more of them. */
const MOST_GUESSED = 4096

export type Load = (key: MissingKey, execution: MissedIn) => Promise<void>

/** Keys of an execution, as far as guesses lead it. */
interface Guessed {
  readonly state: Map<Address, Set<Hash>>
  readonly others: MissingKey[]
}

function addSlots(keys: Map<Address, Set<Hash>>, address: Address, ...slots: readonly Hash[]): void {
  const before = keys.get(address)
  if (before === undefined) keys.set(address, new Set(slots))
  else for (const slot of slots) before.add(slot)
}

/** Keys that a miss and the message around it need for certain. */
function keysOf(key: MissingKey, call: MissedCall | undefined): Map<Address, Set<Hash>> {
  const keys = new Map<Address, Set<Hash>>()
  for (const address of [call?.from, call?.to, call?.coinbase])
    if (address !== undefined) addSlots(keys, address)
  if (key.kind === 'account') addSlots(keys, key.address)
  if (key.kind === 'slot') addSlots(keys, key.address, key.slot)
  return keys
}

function nameOfKey(key: MissingKey): string {
  if (key.kind === 'account' || key.kind === 'code') return `${key.kind}${key.address}`
  if (key.kind === 'slot') return `${key.address}${key.slot}`
  if (key.kind === 'blockHash') return `${key.number}`
  return key.kind === 'answer' ? `${key.method}${key.params.join()}` : key.kind
}

/** Learns what may be needed, as far as it is answered: a refused slot may keep a proof from others, which are asked for without it. */
async function fetchIfAble(fetch: StateFetcher['fetch'], address: Address, slots: readonly Hash[]) {
  try {
    await fetch(new Map([[address, new Set(slots)]]))
  } catch (error) {
    if (!isFromUpstream(error)) throw error
    if (isSilence(error) || slots.length < 2) return
    const half = slots.length >> 1
    await Promise.all([
      fetchIfAble(fetch, address, slots.slice(0, half)),
      fetchIfAble(fetch, address, slots.slice(half)),
    ])
  }
}

class Enough extends Error {}

/** The keys that an execution misses and that nobody has asked for yet. */
async function guessedIn(guess: NonNullable<MissedIn['guess']>, asked: Set<string>): Promise<Guessed> {
  const guessed: Guessed = { state: new Map(), others: [] }
  let count = 0
  const note = (key: MissingKey): void => {
    const name = nameOfKey(key)
    if (asked.has(name)) return
    asked.add(name)
    if (key.kind === 'account') addSlots(guessed.state, key.address)
    else if (key.kind === 'slot') addSlots(guessed.state, key.address, key.slot)
    else guessed.others.push(key)
    count++
    if (count === MOST_GUESSED) throw new Enough()
  }
  try {
    await guess({ state: (state) => guessedState(state, note), read: (read) => readOrNote(note, read) })
  } catch (error) {
    // On what is guessed an execution may fail in any way. The one that finds everything tells.
    if (error instanceof Miss && count < MOST_GUESSED) note(error.key)
  }
  return guessed
}

/**
 * Learns what a miss names and, with the first of a message, what the upstream says that it would touch. What that leaves
 * unknown is found by guesses: the execution runs on without what is missing, all that it misses is asked for together,
 * and so on until it misses nothing.
 */
export function createLoader(
  { fetch, fetchCode, touchedBy }: StateFetcher,
  { fetchProofs, fetchNodes }: Prover,
  place: BlockPlace,
  answer: (key: MissingKey) => Promise<void>,
  waited: () => unknown,
): Load {
  const hinted = new Set<string>()

  async function fetchAhead(keys: Keys): Promise<void> {
    await Promise.all([...keys].map(([address, slots]) => fetchIfAble(fetch, address, [...slots])))
  }

  async function learnOther(key: MissingKey): Promise<void> {
    if (key.kind === 'answer' || key.kind === 'blockHash') await answer(key)
    if (key.kind === 'code') await fetchCode(key.address)
    if (key.kind === 'nodes') await fetchNodes(key.nodes)
    // Those around are asked for ahead: without them, the proofs that are needed may be there all the same.
    if (key.kind === 'proofs')
      await fetchProofs(withRings(key.keys, place)).catch(() => fetchProofs(key.keys))
  }

  async function follow(guess: NonNullable<MissedIn['guess']>): Promise<void> {
    const asked = new Set<string>()
    for (;;) {
      const { state, others } = await guessedIn(guess, asked)
      if (state.size === 0 && others.length === 0) return
      waited()
      await Promise.all([fetchAhead(state), ...others.map((key) => learnOther(key).catch(() => undefined))])
    }
  }

  return async (key, { call, guess }) => {
    if (key.kind !== 'account' && key.kind !== 'slot') await learnOther(key)
    else {
      const name = call === undefined ? '' : `${call.from}${call.to}${call.value}${call.input.join()}`
      const isNew = call !== undefined && !hinted.has(name)
      if (isNew) hinted.add(name)
      // What is certain is known when the hint is followed, so it is not asked for twice.
      const [touched] = await Promise.all([isNew ? touchedBy(call) : undefined, fetch(keysOf(key, call))])
      if (touched !== undefined) await fetchAhead(touched)
    }
    if (guess !== undefined) await follow(guess)
  }
}

// A state over a fork in which what is not known is taken for empty, and noted: an execution on it runs on, so that all
// that it will read can be asked for together. Nothing that it computes may be kept.

type NoteMissing = (key: MissingKey) => void

/** Reads a value; what is not known is `undefined`, and noted. */
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

// Slots of the ring buffers that every block writes to and nothing reads (EIP-2935, EIP-4788): their proofs are asked
// for by several blocks at a time. Which ones does not depend on what was asked before, so recordings stay the same.

/** Blocks whose slots are proven together. */
const BLOCKS = 8

/** The stretch of a ring that a position is in; empty if positions are not these steps apart. */
function stretchAround(position: number, first: number, step: number): number[] {
  if (!Number.isInteger(step) || step < 1) return []
  const distance = (((position - first) % RING_SIZE) + RING_SIZE) % RING_SIZE
  if (distance % step !== 0) return []
  const start = Math.floor(distance / step / BLOCKS) * BLOCKS
  return Array.from({ length: BLOCKS }, (_, index) => (first + (start + index) * step) % RING_SIZE)
}

/** The block of a fork, and the time between those above it. */
interface BlockPlace {
  readonly header: Pick<ForkHeader, 'number' | 'timestamp'>
  readonly blockTimeMs: number
}

/** The keys, with the slots of the blocks around those that write to a ring. */
function withRings(keys: Keys, { header: { number, timestamp }, blockTimeMs }: BlockPlace): Keys {
  const blockTimeS = blockTimeMs / 1000
  const extended = new Map<Address, ReadonlySet<Hash>>(keys)
  const extend = (address: Address, slotsAround: (slot: number) => number[]): void => {
    const slots = keys.get(address)
    if (slots === undefined) return
    const around = [...slots].flatMap((slot) => slotsAround(Number(slot)))
    extended.set(address, new Set([...slots, ...around.map(toWord)]))
  }
  // The block after the fork writes the hash of the fork's.
  extend(HISTORY_STORAGE_ADDRESS, (slot) => stretchAround(slot, number % RING_SIZE, 1))
  extend(BEACON_ROOTS_ADDRESS, (slot) => {
    const times = stretchAround(slot, (timestamp + blockTimeS) % RING_SIZE, blockTimeS)
    return slot < RING_SIZE ? times.flatMap((time) => [time, time + RING_SIZE]) : []
  })
  return extended
}
