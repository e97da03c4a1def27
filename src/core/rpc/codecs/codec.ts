// Codecs: decoders of values from users, for parameters of JSON-RPC, arguments of the emulator's functions, and options.

import { ERROR_TABLE, TickchainError } from '../../primitives/errors.ts'
import { describe, textOf } from '../../primitives/text-of.ts'

/** Decodes a value; `Wire` is what a user may write. */
export interface Codec<Value, Wire = unknown> {
  /** Its name in the documentation. */
  readonly name: string
  /** Decodes a value; throws a `Refusal` that names the `path` to it. */
  readonly decode: (value: unknown, path: string) => Value
  /** Absent at run time: carries the wire type. */
  readonly wire?: Wire
}

/**
 * The error for a refused value, inside the library only: `withRefusalsAs` turns it into the error of a parameter, an
 * argument or an option.
 */
export class Refusal extends TickchainError {
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string) {
    const { code, message } = ERROR_TABLE.invalidParameter
    super('invalidParameter', code, message({ path, reason }))
    this.path = path
    this.reason = reason
  }
}

/**
 * The error for what a decoder threw: a refusal as `toError` has it, other errors of the library as they are, and a
 * failure to read the value, such as a getter that throws, as a refusal of the path.
 */
export function asRefusal(
  path: string,
  error: unknown,
  toError: (refusal: Refusal) => TickchainError,
): TickchainError {
  if (error instanceof TickchainError) return error instanceof Refusal ? toError(error) : error
  const refusal = new Refusal(path, `cannot be read: ${textOf(error)}`)
  return Object.assign(toError(refusal), { cause: error })
}

/** Runs a decoder; a refusal becomes an error of another kind. */
export function withRefusalsAs<Value>(
  path: string,
  toError: (refusal: Refusal) => TickchainError,
  decode: () => Value,
): Value {
  try {
    return decode()
  } catch (error) {
    throw asRefusal(path, error, toError)
  }
}

export function refuse(path: string, reason: string): never {
  throw new Refusal(path, reason)
}

/** The reason in its usual form: what was expected, and the value. */
export function mismatch(expected: string, value: unknown): string {
  return `expected ${expected}, got ${describe(value)}`
}

export function refuseValue(path: string, expected: string, value: unknown): never {
  refuse(path, mismatch(expected, value))
}

/**
 * The subject that a parameter gives a read: the contents of a block, which the upstream of a fork has up to the fork; a state, which
 * the chain itself has from the fork on; or a transaction.
 */
export type Subject = 'block' | 'state' | 'transaction' | undefined

export interface Parameter<Value, Wire = unknown, About extends Subject = Subject> {
  readonly name: string
  readonly codec: Codec<Value, Wire>
  readonly isRequired: boolean
  /** The value of an absent parameter. */
  readonly fallback: Value
  /** On a fork, the upstream answers if this is before it. */
  readonly subject: About
}

/** A parameter; a read on a fork asks the upstream about what its `subject` names. */
export function required<Value, Wire, const About extends Subject = undefined>(
  name: string,
  codec: Codec<Value, Wire>,
  subject?: About,
): Parameter<Value, Wire, About> {
  return { name, codec, isRequired: true, fallback: undefined as Value, subject: subject as About }
}

/** A parameter that may be absent or null. */
export function optional<Value, Wire, const About extends Subject = undefined>(
  name: string,
  codec: Codec<Value, Wire>,
  fallback: Value,
  subject?: About,
): Parameter<Value, Wire | null | undefined, About> {
  return {
    name,
    codec: codec as Codec<Value, Wire | null | undefined>,
    isRequired: false,
    fallback,
    subject: subject as About,
  }
}
