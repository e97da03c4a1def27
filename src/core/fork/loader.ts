// Learns what an execution missed, and with it what the rest of the execution will read.

import type { Address, Hash } from '../primitives/hex.ts'
import { Miss, type MissedCall, type MissedIn, type MissingKey } from '../state/miss.ts'
import type { StateFetcher } from './fetch-state.ts'
import { guessingWith } from './guessed-state.ts'
import type { Keys } from './known.ts'
import type { Prover } from './prover.ts'
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
async function fetchIfAble(
  fetch: StateFetcher['fetch'],
  address: Address,
  slots: readonly Hash[],
): Promise<void> {
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

/** Stops an execution that goes astray. */
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
    await guess(guessingWith(note))
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
  aroundStarts: (keys: Keys) => Keys,
  answer: (key: MissingKey) => Promise<void>,
  waited: () => void,
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
    if (key.kind === 'proofs') await fetchProofs(aroundStarts(key.keys)).catch(() => fetchProofs(key.keys))
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
