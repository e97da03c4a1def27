// toChangeBalance: the change of a balance by a transaction or during a function.

import { refuseCall } from '../../../core/emulator/checks.ts'
import { type BalanceChangeOptions, resolveBalanceChange } from '../../../core/emulator/diagnostics.ts'
import {
  type BalanceChange,
  type BalanceOf,
  balanceChange,
  balanceNow,
  differenceOf,
} from '../../../core/node/balance-change.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import {
  hashIn,
  locate,
  type Matching,
  type MatchOptions,
  type MatchResult,
  requireHash,
  resultOf,
  undecided,
} from './subject.ts'
import { addressIn } from './values.ts'

/** The chain, the token, and what counts as a change. */
export interface ChangeOptions extends MatchOptions, BalanceChangeOptions {}

/** The expected change of a balance, in wei or in the units of a token. */
export type ExpectedChange = bigint | number

/** Calls a function, and measures the change of the pre-confirmed balance. */
async function watchCall(
  { internals }: Matching,
  of: BalanceOf,
  call: () => unknown,
): Promise<{ readonly answer: unknown; readonly change: bigint }> {
  const { node } = internals.session
  const look = () => node.read((state) => balanceNow(node.config, state, of))
  const before = await look()
  const answer = await call()
  return { answer, change: differenceOf(before, await look(), of) }
}

interface Expectation {
  readonly of: BalanceOf
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
function hintOf({ change, fee }: BalanceChange, { amount, fees }: Expectation): string {
  if (fee === 0n) return ''
  const [other, way, option] =
    fees === 'included'
      ? [change + fee, `without the fee of ${fee} wei that it paid`, 'excluded']
      : [change, `with the fee of ${fee} wei`, 'included']
  if (other !== amount) return `\nIt is ${other} ${way}.`
  return `\nIt is what is expected ${way}: { fees: '${option}' }`
}

async function matchTransaction(
  matching: Matching,
  hash: Hash,
  expectation: Expectation,
): Promise<MatchResult> {
  const words = [`transaction ${hash}`, expectation.effect] as const
  const { node } = matching.internals.session
  const found = await node.read((state) => balanceChange(node.config, state, hash, expectation.of))
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
