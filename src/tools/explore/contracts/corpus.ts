// What exploring keeps: the sequences that have reached something new, with the state that each has come to, so that a
// run goes on from there at once; the branches; the values.

import type { WorldState } from '../../../core/state/world-state.ts'
import { type Call, NO_CALLS, type Path } from './call.ts'
import { createDictionary, type Dictionary } from './dictionary.ts'
import type { Moment } from './machine.ts'

/** A state that a sequence has come to. */
export interface Node {
  readonly path: Path
  readonly moment: Moment
}

/** A call that has reached something new, and the state that it was made in. */
export interface Seed {
  readonly node: Node
  readonly call: Call
  /** How often runs have begun with it. */
  tries: number
}

/** What a run adds. */
export interface Addition {
  readonly seed: Seed
  /** The branches that were new. */
  readonly slots: readonly number[]
  /** The state after the call, if it is another one. */
  readonly after: Node | undefined
  readonly values: readonly bigint[]
}

export interface Corpus {
  readonly nodes: Node[]
  readonly seeds: Seed[]
  /** Calls that have reached something new, by their action. */
  readonly calls: Map<number, Call[]>
  readonly dictionary: Dictionary
  /** The branches that were reached. */
  readonly slots: number[]
}

const MOST_STORED = 64

export function createCorpus(root: Moment): Corpus {
  return {
    nodes: [{ path: NO_CALLS, moment: root }],
    seeds: [],
    calls: new Map(),
    dictionary: createDictionary(),
    slots: [],
  }
}

function addCall({ calls }: Corpus, call: Call): void {
  const list = calls.get(call.action.index)
  if (list === undefined) calls.set(call.action.index, [call])
  else list.push(call)
}

export function addTo(corpus: Corpus, { seed, after, values, slots }: Addition): void {
  corpus.seeds.push(seed)
  addCall(corpus, seed.call)
  if (after !== undefined) corpus.nodes.push(after)
  for (const value of values) corpus.dictionary.add(value)
  for (const slot of slots) corpus.slots.push(slot)
}

/** How long the lists of a corpus are, to undo what is added. */
export interface Mark {
  readonly nodes: number
  readonly seeds: number
  readonly values: number
  readonly slots: number
}

export function markOf({ nodes, seeds, dictionary, slots }: Corpus): Mark {
  return { nodes: nodes.length, seeds: seeds.length, values: dictionary.numbers.length, slots: slots.length }
}

/** Removes what was added since. */
export function cutTo(corpus: Corpus, mark: Mark): void {
  for (const { call } of corpus.seeds.slice(mark.seeds).reverse()) corpus.calls.get(call.action.index)?.pop()
  corpus.seeds.length = mark.seeds
  corpus.nodes.length = mark.nodes
  corpus.dictionary.cut(mark.values)
  corpus.slots.length = mark.slots
}

function numberOf(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

/** Values of storage and balances that differ between two states. */
export function changedValues(before: WorldState, after: WorldState): bigint[] {
  const values: bigint[] = []
  before.visitWrites(after, (_, old, now) => {
    if (now === undefined || values.length >= MOST_STORED) return
    if (old !== undefined && old.storage !== now.storage) {
      old.storage.visitWrites(now.storage, (_slot, _old, value) => {
        if (value !== undefined && values.length < MOST_STORED) values.push(numberOf(value))
      })
    }
  })
  return values
}
