// Subjects of matchers: transactions and calls; where a transaction is included, its gas, and changed balances.

import type { Emulator } from '../../../core/emulator/api.ts'
import { refuseCall } from '../../../core/emulator/checks.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import { type BalanceChangeOptions, resolveBalanceChange } from '../../../core/emulator/tracing.ts'
import type { ExecutedTransaction } from '../../../core/execution/transaction/transaction.ts'
import { findTransaction } from '../../../core/node/lookup.ts'
import type { NodeState } from '../../../core/node/node-state.ts'
import { nextStepForPooled } from '../../../core/node/production/submit.ts'
import * as replay from '../../../core/node/replay.ts'
import { type Hash, isHexBytes } from '../../../core/primitives/hex.ts'
import { escapeControls } from '../../../core/primitives/text-of.ts'
import { addressIn } from './values.ts'

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

export type Matching = ReturnType<typeof beginMatching>

export function beginMatching(
  matcher: string,
  context: MatcherContext,
  chainOf: ChainOf,
  received: unknown,
  options: MatchOptions | undefined,
) {
  // A subject that rejects fails its own test, also where a wrong expectation throws before the subject is awaited.
  if (received instanceof Promise) received.catch(() => undefined)
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
type Found = Inclusion & { readonly words: string }

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

const PER_CENT_DIGITS = 2

/** A difference in words, such as `120 more (+0.57 %)`. */
export function gasDifference(expected: number, used: number): string {
  const difference = used - expected
  const sign = difference > 0 ? '+' : ''
  const share =
    expected === 0 ? '' : ` (${sign}${((difference / expected) * 100).toFixed(PER_CENT_DIGITS)} %)`
  return `${Math.abs(difference)} ${difference > 0 ? 'more' : 'less'}${share}`
}

/** The gas of the transaction that a matcher got, or why it cannot be known. */
export async function gasUsedBy(matching: Matching, received: unknown) {
  const hash = requireHash(matching.matcher, await awaitSubject(received))
  const found = await locate(matching, hash)
  if (!('executed' in found)) return { hash, words: found.words }
  return { hash, gas: Number(found.executed.receipt.gasUsed) }
}

function expectedGas(matcher: string, expected: unknown): number {
  const isCount =
    (typeof expected === 'bigint' && expected >= 0n) ||
    (typeof expected === 'number' && Number.isSafeInteger(expected) && expected >= 0)
  return isCount ? Number(expected) : refuseCall(matcher, 'gas as a number or a bigint', expected)
}

export async function matchGas(matching: Matching, received: unknown, expected: unknown) {
  const gas = expectedGas(matching.matcher, expected)
  const used = await gasUsedBy(matching, received)
  const words = [`transaction ${used.hash}`, `use ${gas} gas`] as const
  if (used.words !== undefined) return undecided(matching, words, used.words)
  const difference = used.gas === gas ? '' : `, ${gasDifference(gas, used.gas)}`
  return resultOf(matching, used.gas === gas, words, `It used ${used.gas} gas${difference}.`)
}

/** The chain, the token, and what counts as a change. */
export interface ChangeOptions extends MatchOptions, BalanceChangeOptions {}

/** The expected change of a balance, in wei or in the units of a token. */
export type ExpectedChange = bigint | number

/** Calls a function, and measures the change of the pre-confirmed balance. */
async function watchCall({ internals }: Matching, of: replay.BalanceOf, call: () => unknown) {
  const { node } = internals.session
  const look = () => node.read((state) => replay.balanceNow(state, of))
  const before = await look()
  const answer = await call()
  return { answer, change: replay.differenceOf(before, await look(), of) }
}

interface Expectation {
  readonly of: replay.BalanceOf
  readonly amount: bigint
  readonly fees: 'included' | 'excluded'
  readonly effect: string
}

function resolve(
  { matcher }: Matching,
  account: unknown,
  amount: unknown,
  options: ChangeOptions | undefined,
): Expectation {
  const token = options?.token && { token: addressIn(options.token) as Hash }
  const { fees, ...of } = resolveBalanceChange(
    matcher,
    addressIn(account),
    options && { ...options, ...token },
  )
  if (typeof amount !== 'bigint' && !Number.isSafeInteger(amount))
    return refuseCall(matcher, 'an amount that is a bigint or a whole number', amount)
  const unit = of.token === undefined ? 'wei' : `of token ${of.token}`
  const effect = `change the balance of ${of.account} by ${amount} ${unit}`
  return { of, amount: BigInt(amount as bigint | number), fees, effect }
}

/** A hint at the `fees` option, for a mismatch where the sender paid a fee. */
function hintOf({ change, fee }: replay.BalanceChange, { amount, fees }: Expectation): string {
  if (fee === 0n) return ''
  const [other, way, option] =
    fees === 'included'
      ? [change + fee, `without the fee of ${fee} wei that it paid`, 'excluded']
      : [change, `with the fee of ${fee} wei`, 'included']
  if (other !== amount) return `\nIt is ${other} ${way}.`
  return `\nIt is what is expected ${way}: { fees: '${option}' }`
}

async function matchTransaction(matching: Matching, hash: Hash, expectation: Expectation) {
  const words = [`transaction ${hash}`, expectation.effect] as const
  const { node } = matching.internals.session
  const found = await node.read((state) => replay.balanceChange(state, hash, expectation.of))
  if (found === undefined) return undecided(matching, words, (await locate(matching, hash)).words)
  const { amount, fees } = expectation
  const change = fees === 'excluded' ? found.change + found.fee : found.change
  const hint = change === amount ? '' : hintOf(found, expectation)
  return resultOf(matching, change === amount, words, `It changed by ${change}.${hint}`)
}

export async function matchBalance(
  matching: Matching,
  received: unknown,
  account: unknown,
  amount: unknown,
  options: ChangeOptions | undefined,
): Promise<MatchResult> {
  const expectation = resolve(matching, account, amount, options)
  if (typeof received !== 'function')
    return matchTransaction(matching, requireHash(matching.matcher, await received), expectation)
  const { answer, change } = await watchCall(matching, expectation.of, received as () => unknown)
  const hash = hashIn(answer)
  if (hash !== undefined) return matchTransaction(matching, hash, expectation)
  if (expectation.fees === 'excluded')
    return refuseCall(matching.matcher, "a transaction, where fees are 'excluded'", answer)
  const words = ['the call', expectation.effect] as const
  return resultOf(matching, change === expectation.amount, words, `It changed by ${change}.`)
}
