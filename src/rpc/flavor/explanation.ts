// Explanations of failed executions: what went wrong in the terms of the contract's source, and where.

import { ERROR_TABLE, reworded, type TickchainError } from '../../primitives/errors.ts'
import type { Flavor } from './flavor.ts'

export interface Explanation {
  /** Says more than the return data; `undefined` if nothing does. */
  readonly sentence: string | undefined
  /** Hardhat's message; `undefined` if it is made of the return data. */
  readonly hardhatMessage: string | undefined
  /** Lines of the stack, innermost call first. */
  readonly lines: readonly string[]
}

const EXPLANATIONS = new WeakMap<TickchainError, Explanation>()

/** Keeps an explanation for the message of an error, in the words of a flavor, and for its stack. */
export function explain(error: TickchainError, explanation: Explanation): TickchainError {
  EXPLANATIONS.set(error, explanation)
  return error
}

export function explanationOf(error: TickchainError): Explanation | undefined {
  return EXPLANATIONS.get(error)
}

/** Whether a message says no more than that something reverted. */
const BARE = /\brevert(ed)?$/

/** The error with what the explanation says. */
export function withSentence(
  flavor: Flavor,
  error: TickchainError,
  { sentence, hardhatMessage }: Explanation,
): TickchainError {
  const { code, message } = error
  if (flavor === 'hardhat') {
    // Hardhat has a code and words of its own for what ran out of gas.
    const isReplaced = hardhatMessage !== undefined && code === ERROR_TABLE.reverted.code
    return isReplaced ? reworded(error, code, hardhatMessage) : error
  }
  if (sentence === undefined || !BARE.test(message)) return error
  return reworded(error, code, `${message}${flavor === 'ganache' ? '' : ':'} ${sentence}`)
}

/** Puts the lines of the contracts before those of JavaScript, under the final name and message. */
export function withExplainedStack(error: TickchainError, explanation: Explanation): TickchainError {
  const { lines } = explanation
  const { name, message, stack = '' } = explain(error, explanation)
  if (stack.includes(lines.join('\n'))) return error
  const own = stack.split('\n').filter((line) => /^\s+at /.test(line))
  error.stack = [`${name}: ${message}`, ...lines, ...own].join('\n')
  return error
}
