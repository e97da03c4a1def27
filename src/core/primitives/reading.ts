// Functions that format data from elsewhere: what cannot be read is refused, whatever reading it throws.

import { failure, TickchainError } from './errors.ts'
import { describe, textOf } from './text-of.ts'

/** Reads an argument; throws `invalidCall` with what was expected if that fails, and what was given instead. */
export function readArgument<Value>(
  call: string,
  expected: string,
  read: () => Value,
  ...given: readonly unknown[]
): Value {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof TickchainError) throw cause
    // An engine's words about a missing property would not help.
    const got =
      given.length > 0 && cause instanceof TypeError ? `, got ${describe(given[0])}` : `: ${textOf(cause)}`
    const reason = `expected ${expected}${got}`
    throw Object.assign(failure('invalidCall', { call, reason }), { cause })
  }
}
