// The error class of the library. error-table.ts has the codes and messages. Functions that format data from elsewhere:
// what cannot be read is refused, whatever reading it throws.

import { callersHere, limitFrames, showTrace, traceOf } from './callers.ts'
import { ERROR_TABLE, type ErrorRow } from './error-table.ts'
import type { Hash, Hex } from './hex.ts'
import { describe, escapeControls, textOf } from './text-of.ts'

export { ERROR_TABLE }

/**
 * The stable names of all errors; their codes and messages are in
 * https://github.com/tickchain/tickchain/blob/main/docs/errors.md.
 */
export type ErrorKind = keyof typeof ERROR_TABLE

/** Additional parts of some errors. */
interface ErrorParts {
  readonly data?: Hex | undefined
  readonly transactionHash?: Hash | undefined
}

export type DetailOf<Kind extends ErrorKind> = Parameters<(typeof ERROR_TABLE)[Kind]['message']>[0]

/**
 * Every failure that a user can cause: a JSON-RPC error with a stable `kind` to test against.
 *
 * @example
 * const chain = await createEmulator()
 * const error = await chain.request({ method: 'eth_nothing' }).catch((thrown) => thrown)
 * if (!(error instanceof TickchainError) || error.kind !== 'methodNotFound') throw error
 */
export class TickchainError extends Error {
  /** In the flavor hardhat the name that Hardhat's error has, such as `ProviderError`. */
  override readonly name: string = 'TickchainError'
  readonly kind: ErrorKind
  /** The JSON-RPC error code. */
  readonly code: number
  /** For a revert, the return bytes as hex; other errors have no such property. */
  declare readonly data?: Hex
  /** For a transaction that failed although it is in a block, its hash; other errors have no such property. */
  declare readonly transactionHash?: Hash
  /** For a story of `tickchain/explore` that failed, its JSON, which `replay` takes; other errors have no such property. */
  declare readonly story?: string

  constructor(kind: ErrorKind, code: number, message: string, { data, transactionHash }: ErrorParts = {}) {
    // Its own stack is not shown.
    const limit = limitFrames(0)
    super(escapeControls(message))
    limitFrames(limit)
    showTrace(this, { callers: callersHere(), lines: [] })
    this.kind = kind
    this.code = code
    if (data !== undefined) this.data = data
    if (transactionHash !== undefined) this.transactionHash = transactionHash
  }
}

/** Beside the errors, because details are no part of what a test compares. */
const DETAILS = new WeakMap<TickchainError, unknown>()

/** Creates the error of a kind, with its code and message from the table. */
export function failure<Kind extends ErrorKind>(
  kind: Kind,
  ...detail: DetailOf<Kind> extends undefined ? [] : [detail: DetailOf<Kind>]
): TickchainError {
  const { code, message } = ERROR_TABLE[kind] as ErrorRow<unknown>
  const error = new TickchainError(kind, code, message(detail[0]))
  DETAILS.set(error, detail[0])
  return error
}

/** The detail of which the message of an error was made, for the words of a flavor; `undefined` if the table did not make it. */
export function madeOf(error: TickchainError): { readonly detail: unknown } | undefined {
  return DETAILS.has(error) ? { detail: DETAILS.get(error) } : undefined
}

/** The same error with other parts. */
function derived(error: TickchainError, code: number, message: string, parts: ErrorParts): TickchainError {
  const { data, transactionHash } = error
  const other = new TickchainError(error.kind, code, message, { data, transactionHash, ...parts })
  if (DETAILS.has(error)) DETAILS.set(other, DETAILS.get(error))
  if ('cause' in error) other.cause = error.cause
  showTrace(other, traceOf(error))
  return other
}

/** The same error with `data`. */
export function withData(error: TickchainError, data: Hex): TickchainError {
  return derived(error, error.code, error.message, { data })
}

/** The same error, of a transaction that is in a block. */
export function withTransaction(error: TickchainError, transactionHash: Hash): TickchainError {
  return derived(error, error.code, error.message, { transactionHash })
}

/** The same error with another message and its code, which the words of a flavor do not replace. */
export function reworded(error: TickchainError, code: number, message: string): TickchainError {
  const other = derived(error, code, message, {})
  DETAILS.delete(other)
  return other
}

/** The same error with another name. */
export function withName(error: TickchainError, name: string): TickchainError {
  return Object.assign(derived(error, error.code, error.message, {}), { name })
}

/** A revert: code 3 and the return bytes as `data`, the shape geth, viem and ethers share. */
export function revertFailure(reason: string | undefined, data: Hex): TickchainError {
  return new TickchainError('reverted', ERROR_TABLE.reverted.code, ERROR_TABLE.reverted.message({ reason }), {
    data,
  })
}

/** An injected error with a code of the test's choice. */
export function injectedFailure({
  code,
  message,
  data,
}: {
  code: number
  message: string
  data?: Hex | undefined
}): TickchainError {
  return new TickchainError('injectedFault', code, ERROR_TABLE.injectedFault.message({ message }), { data })
}

/** What a callback returns; throws `callbackFailed` for what it throws. */
export function resultOfCallback<Value>(callback: string, call: () => Value): Value {
  try {
    return call()
  } catch (error) {
    throw failure('callbackFailed', { callback, reason: textOf(error) })
  }
}

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
