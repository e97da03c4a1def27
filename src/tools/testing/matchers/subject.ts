// Subjects of matchers: a transaction by its hash, receipt or client response, or a promise or function of one; and the
// transaction's place in the pool or a block.

import type { Emulator } from '../../../core/emulator/api.ts'
import { refuseCall } from '../../../core/emulator/checks.ts'
import { type Internals, internalsOf } from '../../../core/emulator/internals.ts'
import type { ExecutedTransaction } from '../../../core/execution/transaction/receipt.ts'
import { findTransaction } from '../../../core/node/lookup.ts'
import type { NodeState } from '../../../core/node/node-state.ts'
import { nextStepForPooled } from '../../../core/node/production/submit.ts'
import { type Hash, isHexBytes } from '../../../core/primitives/hex.ts'
import { escapeControls } from '../../../core/primitives/text-of.ts'

/** The `this` of a matcher, as far as it is used. */
export interface MatcherContext {
  /** True if the matcher is negated with `.not`. */
  readonly isNot?: boolean
  /** 'rejects' if the subject is an error. */
  readonly promise?: string
  /** The test, in vitest. */
  readonly task?: object | undefined
}

/** The result of a matcher, for any runner. */
export interface MatchResult {
  /** True if it matches, before `.not`. */
  readonly pass: boolean
  /** The message of a failed test. */
  readonly message: () => string
}

/** The last argument of every matcher. */
export interface MatchOptions {
  /** The chain. Default that of the test. */
  readonly chain?: Emulator
}

/** Finds the chain of the running test, for a matcher without one; throws if there is none. */
export type ChainOf = (matcher: string, context: MatcherContext) => Emulator

export interface Matching {
  readonly matcher: string
  readonly context: MatcherContext
  readonly internals: Internals
}

export function beginMatching(
  matcher: string,
  context: MatcherContext,
  chainOf: ChainOf,
  options: MatchOptions | undefined,
): Matching {
  return { matcher, context, internals: internalsOf(matcher, options?.chain ?? chainOf(matcher, context)) }
}

/** A result with a message of the expectation and the finding. */
export function resultOf(
  { context }: Matching,
  pass: boolean,
  expected: readonly [subject: string, effect: string],
  found: string,
): MatchResult {
  const [subject, effect] = expected
  const words = `expected ${subject} ${context.isNot === true ? 'not ' : ''}to ${effect}`
  return { pass, message: () => escapeControls(`${words}\n\n${found}`) }
}

/** The result if the subject cannot be judged yet: the test fails, also with `.not`. */
export function undecided(
  matching: Matching,
  expected: readonly [subject: string, effect: string],
  found: string,
): MatchResult {
  return resultOf(matching, matching.context.isNot === true, expected, found)
}

/** Calls a function, and awaits a promise. */
export async function awaitSubject(subject: unknown): Promise<unknown> {
  return typeof subject === 'function' ? subject() : subject
}

/** The hash of a transaction, from a hash, a receipt or a client's response. */
export function hashIn(subject: unknown): Hash | undefined {
  if (isHexBytes(subject, 32)) return subject.toLowerCase() as Hash
  if (typeof subject !== 'object' || subject === null) return undefined
  const { transactionHash, hash } = subject as { transactionHash?: unknown; hash?: unknown }
  const found = transactionHash ?? hash
  return isHexBytes(found, 32) ? (found.toLowerCase() as Hash) : undefined
}

/** The same; throws `invalidCall` for anything else. */
export function requireHash(matcher: string, subject: unknown): Hash {
  const expected = 'a transaction: its hash, receipt or response, or a promise or function of one'
  return hashIn(subject) ?? refuseCall(matcher, expected, subject)
}

/** The pool or the block that a transaction is in. */
type Inclusion =
  | {
      readonly status: 'sealed' | 'preconfirmed'
      readonly blockNumber: number
      readonly executed: ExecutedTransaction
    }
  | { readonly status: 'pooled' | 'unknown' }

/** The place, with a text that names the next step, such as `chain.advance(200)`. */
export type Found = Inclusion & { readonly words: string }

function nextStepForPreconfirmed({ nowMs, openedAtMs, settings }: NodeState): string {
  if (!settings.sealsOnTime) return 'chain.seal() seals it'
  return `chain.advance(${Math.max(openedAtMs + settings.blockTimeMs - nowMs, 0)}) or chain.seal() seals it`
}

function placeIn(state: NodeState, hash: Hash): Found {
  const found = findTransaction(state, hash)
  if (found === undefined) return { status: 'unknown', words: 'This chain knows no such transaction.' }
  if ('pooled' in found) {
    const words = `It is still in the pool: ${nextStepForPooled(state, found.pooled)}.`
    return { status: 'pooled', words }
  }
  const { view, executed } = found
  const blockNumber = view.environment.number
  if (!view.isPending)
    return { status: 'sealed', blockNumber, executed, words: `It is sealed in block ${blockNumber}.` }
  const words = `It is pre-confirmed in block ${blockNumber}: ${nextStepForPreconfirmed(state)}.`
  return { status: 'preconfirmed', blockNumber, executed, words }
}

/** The place of a transaction, read directly from the node, past injected faults. */
export function locate({ internals }: Matching, hash: Hash): Promise<Found> {
  return internals.session.node.read((state) => placeIn(state, hash))
}

/** toBeSealed and toBePreconfirmed: where a transaction is included. */
export async function matchInclusion(
  matching: Matching,
  received: unknown,
  status: 'sealed' | 'preconfirmed',
): Promise<MatchResult> {
  const hash = requireHash(matching.matcher, await awaitSubject(received))
  const found = await locate(matching, hash)
  const state = status === 'sealed' ? 'be sealed' : 'be pre-confirmed'
  return resultOf(matching, found.status === status, [`transaction ${hash}`, state], found.words)
}
