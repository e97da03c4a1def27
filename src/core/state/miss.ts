// Reads of a state that meet what is not known yet. A read and an execution are synchronous, so they stop there: the
// node loads what is missing and starts them again (docs/decisions/0027-fork.md).

import type { Address, Hash } from '../primitives/hex.ts'
import { isPromise, type Later } from '../primitives/loading.ts'
import type { WorldState } from './world-state.ts'

/** A key of the world below a fork that a read needs. */
export type MissingKey =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'code'; readonly address: Address }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: Hash }
  | { readonly kind: 'answer'; readonly method: string; readonly params: readonly unknown[] }
  /** The hash of a block up to the fork. */
  | { readonly kind: 'blockHash'; readonly number: number }
  /** The nodes of tries on the way to accounts and to slots of theirs. */
  | { readonly kind: 'proofs'; readonly keys: ReadonlyMap<Address, ReadonlySet<Hash>> }
  | { readonly kind: 'nodes'; readonly nodes: readonly MissingNode[] }

/** A node that nobody wrote to, and that becomes part of its parent. */
export interface MissingNode {
  /** The account of a storage trie; `undefined` for the account trie. */
  readonly owner: Address | undefined
  /** The nibbles from the root to it. */
  readonly prefix: Uint8Array
  readonly hash: Hash
}

/** The message that was executed when a key was missed: what it needs besides can be asked for at once. */
export interface MissedCall {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly input: Uint8Array
  /** The recipient of its tips. */
  readonly coinbase?: Address
}

/** Reads that take what is not known for empty, and note it. */
interface Guessing {
  readonly state: (state: WorldState) => WorldState
  readonly read: <Value>(read: () => Value) => Value | undefined
}

/** Runs an execution again by such reads; whatever becomes of it. */
export type Guess = (guessing: Guessing) => Promise<void>

/** The execution that met a miss, as far as it is one. */
export interface MissedIn {
  /** The message that was executed. */
  readonly call?: MissedCall
  readonly guess?: Guess
}

/** Thrown by a read of what is not known. Never reaches a user. */
export class Miss extends Error {
  readonly key: MissingKey
  /** Learns what is missing. */
  private readonly source: (key: MissingKey, execution: MissedIn) => Promise<void>
  private execution: MissedIn = {}

  constructor(key: MissingKey, source: Miss['source']) {
    super(`a read stopped at an unknown ${key.kind}`)
    this.key = key
    this.source = source
  }

  /** Names what was executed; what is nearer to the read has named it first. */
  within(execution: MissedIn): this {
    this.execution = { ...execution, ...this.execution }
    return this
  }

  /** One miss of all nodes that several name. */
  static ofNodes(misses: readonly Miss[]): Miss | undefined {
    const [first] = misses
    const nodes = misses.flatMap(({ key }) => (key.kind === 'nodes' ? key.nodes : []))
    return first && new Miss({ kind: 'nodes', nodes }, first.source)
  }

  load(): Promise<void> {
    return this.source(this.key, this.execution)
  }
}

/** The error of an execution; a miss is told which one it was. */
export function missedIn(error: unknown, execution: MissedIn): unknown {
  return error instanceof Miss ? error.within(execution) : error
}

async function runAgain<Result>(run: () => Later<Result>, missed: unknown): Promise<Result> {
  for (let error = missed; ; ) {
    if (!(error instanceof Miss)) throw error
    await error.load()
    try {
      return await run()
    } catch (next) {
      error = next
    }
  }
}

/** Runs a read or a command, and again after each miss, until it finds everything that it reads. */
export function withMissesLoaded<Result>(run: () => Later<Result>): Later<Result> {
  try {
    const result = run()
    return isPromise(result) ? result.catch((error) => runAgain(run, error)) : result
  } catch (error) {
    return runAgain(run, error)
  }
}
