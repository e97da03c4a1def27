// Functions that format data from elsewhere: what cannot be read is refused, whatever reading it throws.

import { failure, TickchainError } from './errors.ts'
import { textOf } from './text-of.ts'

/** Reads an argument; throws `invalidCall` with what was expected if that fails. */
export function readArgument<Value>(call: string, expected: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof TickchainError) throw cause
    const reason = `expected ${expected}: ${textOf(cause)}`
    throw Object.assign(failure('invalidCall', { call, reason }), { cause })
  }
}
