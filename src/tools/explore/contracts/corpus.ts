// The corpus of a search: sequences that reached something new, the states after them, branches and values.

import { CHEATCODES } from '../../../core/execution/evm/pooled-evm.ts'
import { addressOfWord } from '../../../core/primitives/crypto.ts'
import { type Address, bytesToBigInt } from '../../../core/primitives/hex.ts'
import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import { readAccount, type WorldState } from '../../../core/state/world-state.ts'
import type { Action, Call, Path, Position } from './call.ts'

const PUSH1 = 0x60
const PUSH32 = 0x7f
const JUMP = 0x56
const JUMPI = 0x57
const JUMPDEST = 0x5b
/** The most values; later ones are left out. */
const MOST_VALUES = 4096
/** The most values of a contract's storage, and of what a call has changed. */
const MOST_STORED = 256
const MOST_CHANGED = 64

/** Values that contracts know: constants of their code, what is in their storage, what they have compared. */
export type Dictionary = ReturnType<typeof createDictionary>

const MOST_ADDRESS = 1n << 160n
const LEAST_ADDRESS = 1n << 80n
const CHEATCODE_NUMBER = BigInt(CHEATCODES)

/** The operands of the PUSHes of a code, but for destinations of jumps. */
const constantsOf = memoizeWeak((code: Uint8Array): readonly bigint[] => {
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
  return [...new Set(constants)]
})

/** The values that are known before the first call: those of contracts' code and storage. */
export function createDictionary(state: WorldState, contracts: readonly Address[]) {
  const numbers: bigint[] = []
  const addresses: Address[] = []
  const known = new Set<bigint>()
  const add = (value: bigint): void => {
    if (known.has(value) || numbers.length >= MOST_VALUES) return
    known.add(value)
    numbers.push(value)
    if (value < MOST_ADDRESS && value > LEAST_ADDRESS && value !== CHEATCODE_NUMBER)
      addresses.push(addressOfWord(value))
  }
  for (const address of contracts) {
    const { code, storage } = readAccount(state, address)
    for (const value of constantsOf(code.bytes)) add(value)
    let left = MOST_STORED
    for (const value of storage.values()) if (left-- > 0) add(bytesToBigInt(value))
  }
  return { numbers: numbers as readonly bigint[], addresses: addresses as readonly Address[], add }
}

/** A state that a sequence has come to. */
export interface CorpusEntry {
  readonly path: Path
  readonly position: Position
  /** The functions of contracts that its calls have created, if those are called. */
  readonly made: readonly Action[]
}

/** A call that has reached something new, and the state that it was made in. */
export interface Seed {
  readonly node: CorpusEntry
  readonly call: Call
  /** The number of runs that have begun with it. */
  tries: number
}

export interface Corpus {
  readonly nodes: CorpusEntry[]
  readonly seeds: Seed[]
  /** Calls that have reached something new, by their action. */
  readonly calls: Map<number, Call[]>
  /** The branches that were reached, and the run in which each was first. */
  readonly slots: Map<number, number>
}

/** Values of storage that differ between two states. */
export function changedValues(before: WorldState, after: WorldState): bigint[] {
  const values: bigint[] = []
  before.visitWrites(after, (_, old, now) => {
    if (now === undefined || old === undefined || old.storage === now.storage) return
    old.storage.visitWrites(now.storage, (_slot, _old, value) => {
      if (value !== undefined && values.length < MOST_CHANGED) values.push(bytesToBigInt(value))
    })
  })
  return values
}
