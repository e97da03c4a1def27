// The corpus of a search: the sequences that have reached something new, with the state that each has come to, so that a
// run goes on from there at once; the branches; the values.

import { CHEATCODES } from '../../../core/execution/evm/console-calls.ts'
import { addressOfWord } from '../../../core/primitives/address.ts'
import { type Address, bytesToBigInt } from '../../../core/primitives/hex.ts'
import type { WorldState } from '../../../core/state/world-state.ts'
import { type Call, NO_CALLS, type Path } from './call.ts'
import type { Position } from './reads.ts'

const PUSH1 = 0x60
const PUSH32 = 0x7f
const JUMP = 0x56
const JUMPI = 0x57
const JUMPDEST = 0x5b
/** The most values; later ones are left out. */
const MOST_VALUES = 4096

/** Values that contracts know: constants of their code, what is in their storage, what they have compared. */
export interface Dictionary {
  readonly numbers: readonly bigint[]
  readonly addresses: readonly Address[]
  readonly add: (value: bigint) => void
  /** Removes what was added after there were so many. */
  readonly cut: (count: number) => void
}

const MOST_ADDRESS = 1n << 160n
const LEAST_ADDRESS = 1n << 80n
const CHEATCODE_NUMBER = BigInt(CHEATCODES)

/** True for numbers that may be the address of an account. Cheatcodes are called by tests alone. */
function isAddress(value: bigint): boolean {
  return value < MOST_ADDRESS && value > LEAST_ADDRESS && value !== CHEATCODE_NUMBER
}

function createDictionary(): Dictionary {
  const numbers: bigint[] = []
  const addresses: Address[] = []
  const known = new Set<bigint>()
  return {
    numbers,
    addresses,
    add(value) {
      if (known.has(value) || numbers.length >= MOST_VALUES) return
      known.add(value)
      numbers.push(value)
      if (isAddress(value)) addresses.push(addressOfWord(value))
    },
    cut(count) {
      while (numbers.length > count) {
        const value = numbers.pop() as bigint
        known.delete(value)
        if (isAddress(value)) addresses.pop()
      }
    },
  }
}

/** The operands of the PUSHes of a code, but for destinations of jumps. */
export function constantsOf(code: Uint8Array): bigint[] {
  const constants: bigint[] = []
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] as number
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const next = at + (opcode - PUSH1) + 2
    const value = bytesToBigInt(code.subarray(at + 1, next))
    const isJump = code[next] === JUMP || code[next] === JUMPI
    const isDestination = value < code.length && value > 255n && code[Number(value)] === JUMPDEST
    if (!isJump && !isDestination) constants.push(value)
    at = next - 1
  }
  return constants
}

/** A state that a sequence has come to. */
export interface CorpusEntry {
  readonly path: Path
  readonly position: Position
}

/** A call that has reached something new, and the state that it was made in. */
export interface Seed {
  readonly node: CorpusEntry
  readonly call: Call
  /** The number of runs that have begun with it. */
  tries: number
}

export interface Addition {
  readonly seed: Seed
  /** The branches that were new. */
  readonly slots: readonly number[]
  /** The state after the call, if it is another one. */
  readonly after: CorpusEntry | undefined
  readonly values: readonly bigint[]
}

export interface Corpus {
  readonly nodes: CorpusEntry[]
  readonly seeds: Seed[]
  /** Calls that have reached something new, by their action. */
  readonly calls: Map<number, Call[]>
  readonly dictionary: Dictionary
  /** The branches that were reached. */
  readonly slots: number[]
}

const MOST_STORED = 64

export function createCorpus(root: Position): Corpus {
  return {
    nodes: [{ path: NO_CALLS, position: root }],
    seeds: [],
    calls: new Map(),
    dictionary: createDictionary(),
    slots: [],
  }
}

export function addTo(corpus: Corpus, { seed, after, values, slots }: Addition): void {
  const { call } = seed
  corpus.seeds.push(seed)
  const calls = corpus.calls.get(call.action.index)
  if (calls === undefined) corpus.calls.set(call.action.index, [call])
  else calls.push(call)
  if (after !== undefined) corpus.nodes.push(after)
  for (const value of values) corpus.dictionary.add(value)
  for (const slot of slots) corpus.slots.push(slot)
}

/** The lengths of the lists of a corpus, to undo what is added. */
export interface CorpusMark {
  readonly nodes: number
  readonly seeds: number
  readonly values: number
  readonly slots: number
}

export function markOf({ nodes, seeds, dictionary, slots }: Corpus): CorpusMark {
  return { nodes: nodes.length, seeds: seeds.length, values: dictionary.numbers.length, slots: slots.length }
}

/** Removes what was added since. */
export function cutTo(corpus: Corpus, mark: CorpusMark): void {
  for (const { call } of corpus.seeds.slice(mark.seeds).reverse()) corpus.calls.get(call.action.index)?.pop()
  corpus.seeds.length = mark.seeds
  corpus.nodes.length = mark.nodes
  corpus.dictionary.cut(mark.values)
  corpus.slots.length = mark.slots
}

/** Values of storage and balances that differ between two states. */
export function changedValues(before: WorldState, after: WorldState): bigint[] {
  const values: bigint[] = []
  before.visitWrites(after, (_, old, now) => {
    if (now === undefined || values.length >= MOST_STORED) return
    if (old !== undefined && old.storage !== now.storage) {
      old.storage.visitWrites(now.storage, (_slot, _old, value) => {
        if (value !== undefined && values.length < MOST_STORED) values.push(bytesToBigInt(value))
      })
    }
  })
  return values
}
