// Definition of an RPC method. The registry, the types of `request`, docs/rpc.md and the example tests derive
// from the exported definitions.

import type { Fork } from '../fork/fork.ts'
import type { ErrorKind } from '../primitives/errors.ts'
import type { Parameter } from './codecs/codec.ts'
import type { ReadContext } from './read-context.ts'
import type { Session } from './session.ts'

type Values<Params extends readonly Parameter<unknown>[]> = {
  readonly [Index in keyof Params]: Params[Index] extends Parameter<infer Value> ? Value : never
}

/** An example request for the documentation; a test executes it on a fresh chain. */
interface Example {
  readonly params: readonly unknown[]
  /** The error that the example gives on a fresh chain, if it gives one. */
  readonly error?: Exclude<ErrorKind, 'internal'>
}

/**
 * The parameter by which a read names what it is about: what is in a block, which the upstream of a fork has up to it; a
 * state, which the chain itself has from the fork on; or a transaction.
 */
type Subject = readonly [what: 'block' | 'state' | 'transaction', parameter: number]

/** A read as it was asked for on a fork. */
interface AskedOnFork {
  readonly name: string
  /** The parameters as the wire has them. */
  readonly params: readonly unknown[]
  /** Answers with the chain's own blocks. */
  readonly above: (...values: readonly unknown[]) => unknown
}

/** Answers a read that may need both the upstream of a fork and the chain's own blocks. */
export type AcrossFork = (context: ReadContext, fork: Fork, asked: AskedOnFork, values: never) => unknown

interface Description<Params extends readonly Parameter<unknown>[]> {
  /** One sentence. */
  readonly summary: string
  readonly params: Params
  /** Set if clients send the only parameter by itself, not in an array, as in EIP-747. */
  readonly isParameterBare?: true
  /** Set if public endpoints refuse it (specification part 4). */
  readonly isPrivate?: true
  /** The result in words, for the documentation. */
  readonly result: string
  readonly example: Example
}

export interface ReadMethod<Params extends readonly Parameter<unknown>[], Result>
  extends Description<Params> {
  readonly kind: 'read'
  /** Who answers about what is before a fork: the upstream, if the subject is there, a function, or the handler as ever. */
  readonly beforeFork: Subject | AcrossFork | 'handler'
  readonly handle: (context: ReadContext, ...values: Values<Params>) => Result | Promise<Result>
}

export interface CommandMethod<Params extends readonly Parameter<unknown>[], Result>
  extends Description<Params> {
  readonly kind: 'command'
  readonly handle: (session: Session, ...values: Values<Params>) => Result | Promise<Result>
}

export type AnyReadMethod = ReadMethod<readonly Parameter<unknown>[], unknown>

/** Any method; the type of table entries. */
export type Method = AnyReadMethod | CommandMethod<readonly Parameter<unknown>[], unknown>

/** Defines a method that reads the chain. */
export function defineRead<const Params extends readonly Parameter<unknown>[], Result>(
  method: Omit<ReadMethod<Params, Result>, 'kind'>,
): ReadMethod<Params, Result> {
  return { kind: 'read', ...method }
}

/** Defines a method that changes the chain. */
export function defineCommand<const Params extends readonly Parameter<unknown>[], Result>(
  method: Omit<CommandMethod<Params, Result>, 'kind'>,
): CommandMethod<Params, Result> {
  return { kind: 'command', ...method }
}

type WireOf<Params extends readonly Parameter<unknown>[]> = {
  readonly [Index in keyof Params]: Params[Index] extends Parameter<unknown, infer Wire> ? Wire : never
}

/** The parameters of a method as a client sends them. */
export type ParamsOf<M> = M extends { readonly params: infer Params extends readonly Parameter<unknown>[] }
  ? WireOf<Params>
  : never

/** The result of a method. */
export type ResultOf<M> = M extends { readonly handle: (...values: never[]) => infer Result }
  ? Awaited<Result>
  : never
