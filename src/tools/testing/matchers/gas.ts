// toMatchGas: the gas that a transaction used.

import { refuseCall } from '../../../core/emulator/checks.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import {
  awaitSubject,
  locate,
  type Matching,
  type MatchResult,
  requireHash,
  resultOf,
  undecided,
} from './subject.ts'

const PER_CENT_DIGITS = 2

/** A difference in words, such as `120 more (+0.57 %)`. */
export function gasDifference(expected: number, used: number): string {
  const difference = used - expected
  const sign = difference > 0 ? '+' : ''
  const share =
    expected === 0 ? '' : ` (${sign}${((difference / expected) * 100).toFixed(PER_CENT_DIGITS)} %)`
  return `${Math.abs(difference)} ${difference > 0 ? 'more' : 'less'}${share}`
}

/** The gas used by the transaction of a subject, or why it is not known yet. */
/** The gas of the transaction that a matcher got, or why it cannot be known. */
export async function gasUsedBy(
  matching: Matching,
  received: unknown,
): Promise<{ hash: Hash; gas: number } | { hash: Hash; words: string }> {
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

export async function matchGas(
  matching: Matching,
  received: unknown,
  expected: unknown,
): Promise<MatchResult> {
  const gas = expectedGas(matching.matcher, expected)
  const used = await gasUsedBy(matching, received)
  const words = [`transaction ${used.hash}`, `use ${gas} gas`] as const
  if ('words' in used) return undecided(matching, words, used.words)
  const difference = used.gas === gas ? '' : `, ${gasDifference(gas, used.gas)}`
  return resultOf(matching, used.gas === gas, words, `It used ${used.gas} gas${difference}.`)
}
