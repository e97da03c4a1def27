// Calls that may take the other side of a branch: where code has compared a number of the call with another, the call
// with that other number or its neighbours; where it has compared something that a number of the call goes into, the
// call with a number that is as much larger, or as many times.

import type { Comparison } from '../../../core/execution/call/cover-calls.ts'
import type { Call } from './call.ts'
import type { Input } from './inputs.ts'

const HALF = 1n << 255n

function signed(word: bigint): bigint {
  return word >= HALF ? word - (HALF << 1n) : word
}

/** Whether a comparison is worth to be met: a branch is open, or unknown. */
export function isOpen({ branches }: Comparison, isKnown: (slot: number) => boolean): boolean {
  return branches !== undefined && !(isKnown(branches[0]) && isKnown(branches[1]))
}

/** Calls in which a number of the call takes the place of what it was compared with. */
function* direct(inputs: readonly Input[], from: bigint, to: bigint): Generator<Call | undefined> {
  for (const input of inputs) {
    if (input.word !== from) continue
    yield input.with(to)
    yield input.with(to + 1n)
    if (to > 0n) yield input.with(to - 1n)
  }
}

/** Calls in which a number changes as what was computed from it would have to. */
function* computed(inputs: readonly Input[], from: bigint, to: bigint): Generator<Call | undefined> {
  const difference = signed(to) - signed(from)
  for (const input of inputs) {
    if (!input.isNumber || input.word === from) continue
    const word = signed(input.word)
    yield input.with(word + difference)
    yield input.with(word - difference)
    if (word === 0n || from === 0n) continue
    // In proportion, rounded up and down.
    const scaled = (word * signed(to)) / signed(from)
    yield input.with(scaled)
    yield input.with(scaled + 1n)
  }
}

/** Calls to try, the most promising first. */
export function* callsThatMeet({ left, right }: Comparison, inputs: readonly Input[]): Generator<Call> {
  const isDirect = inputs.some(({ word }) => word === left || word === right)
  const ways = isDirect
    ? [direct(inputs, left, right), direct(inputs, right, left)]
    : [computed(inputs, left, right), computed(inputs, right, left)]
  for (const way of ways) for (const call of way) if (call !== undefined) yield call
}
