// Definition of RPC methods. Registry, types of `request`, docs/rpc.md and tests of examples derive from it.

import type { Fork } from '../fork/fork.ts'
import { type Commit, type Effect, type Outcome, unchanged } from '../node/events.ts'
import type { BlockTag, NodeRecords } from '../node/lookup.ts'
import type { NodeState } from '../node/node-state.ts'
import type { ErrorKind } from '../primitives/errors.ts'
import type { Parameter } from './codecs/codec.ts'
import type { Flavor } from './flavor/flavor.ts'
import type { HardhatSignature } from './flavor/hardhat-methods.ts'
import { USUAL_VALUES } from './methods/examples.ts'
import type { ReadContext, Session } from './session.ts'

type ParameterList = readonly Parameter<unknown>[]

type Values<P extends ParameterList> = {
  readonly [Index in keyof P]: P[Index] extends Parameter<infer Value> ? Value : never
}

/** An example request for the documentation; a test executes it on a fresh chain. */
interface Example {
  readonly params: readonly unknown[]
  readonly error?: Exclude<ErrorKind, 'internal'>
}

interface AskedOnFork {
  readonly name: string
  /** The parameters as the wire has them. */
  readonly params: readonly unknown[]
  /** Answers with the chain's own blocks. */
  readonly above: (...values: readonly unknown[]) => unknown
}

/** Answers a read that may need both the upstream of a fork and the chain's own blocks. */
export type AcrossFork = (context: ReadContext, fork: Fork, asked: AskedOnFork, values: never) => unknown

interface Description<P extends ParameterList> {
  readonly summary: string
  readonly params: P
  /** Set if clients send the only parameter by itself, not in an array, as in EIP-747. */
  readonly isParameterBare?: true
  /** Set if public endpoints refuse it (specification part 4). */
  readonly isPrivate?: true
  /** Hardhat's reading of its parameters, if it has the method; applies in the flavor hardhat, under Hardhat's names. */
  readonly hardhat?: HardhatSignature | undefined
  readonly result: string
  readonly example: Example
}

export interface ReadMethod<P extends ParameterList, Result> extends Description<P> {
  readonly kind: 'read'
  /** Answers about what is before a fork, unless a parameter is the subject (`Subject`): then the upstream does. */
  readonly beforeFork: AcrossFork | 'handler'
  readonly handle: (context: ReadContext, ...values: Values<P>) => Result | Promise<Result>
}

export interface CommandMethod<P extends ParameterList, Result> extends Description<P> {
  readonly kind: 'command'
  readonly handle: (session: Session, ...values: Values<P>) => Result | Promise<Result>
}

export type AnyReadMethod = ReadMethod<ParameterList, unknown>

export type Method = AnyReadMethod | CommandMethod<ParameterList, unknown>

/** A definition leaves out what follows, or what a method without parameters does not have to say. */
type Definition<P extends ParameterList, Entry> = Omit<
  Entry,
  'kind' | 'params' | 'example' | 'beforeFork'
> & {
  /** Default: of usual values (methods/examples.ts). */
  readonly example?: Example
  readonly beforeFork?: AcrossFork | 'handler'
} & (P extends readonly [] ? { readonly params?: P } : { readonly params: P })

/** A read with a block in its parameters, which is no subject, has to say who answers about what is before a fork. */
type OnFork<P extends ParameterList> = P[number]['subject'] extends undefined
  ? Extract<Values<P>[number], BlockTag> extends never
    ? unknown
    : { readonly beforeFork: AcrossFork | 'handler' }
  : unknown

/** With the example that follows from the parameters, unless it has one. */
function completed<Given extends { readonly params?: ParameterList; readonly example?: Example }>(
  given: Given,
) {
  const { params = [] } = given
  const values = params.map(({ name }) => USUAL_VALUES[name])
  const last = values.map((value) => value !== undefined).lastIndexOf(true)
  return { params, example: { params: values.slice(0, last + 1) }, ...given }
}

export function defineRead<const P extends ParameterList = readonly [], Result = unknown>(
  method: Definition<P, ReadMethod<P, Result>> & OnFork<P>,
): ReadMethod<P, Result> {
  return { kind: 'read', beforeFork: 'handler', ...completed(method) } as never
}

export function defineCommand<const P extends ParameterList = readonly [], Result = unknown>(
  method: Definition<P, CommandMethod<P, Result>>,
): CommandMethod<P, Result> {
  return { kind: 'command', ...completed(method) } as never
}

/** Answers of commands that have no result of their own. */
const ANSWERS = {
  null: { result: 'null', of: () => null },
  true: { result: 'true', of: () => true },
  done: { result: 'null; in hardhat true', of: (flavor: Flavor) => (flavor === 'hardhat' ? true : null) },
  edited: {
    result: 'null; true in flavors hardhat and ganache',
    of: (flavor: Flavor) => (flavor === 'anvil' ? null : true),
  },
} as const

type AnswerName = keyof typeof ANSWERS
type AnswerOf<Name extends AnswerName> = Name extends 'null' ? null : Name extends 'true' ? true : true | null

export function outcomeWith<Result>(state: NodeState, result: Result, ...effects: Effect[]): Outcome<Result> {
  return { ...unchanged(state), effects, result }
}

export interface Controlled {
  readonly state: NodeState
  readonly flavor: Flavor
  readonly session: Session
  readonly records: NodeRecords
  readonly commit: Commit
}

/** Defines a command whose answer says only that it is done. `apply` returns the next state, or that with its events. */
export function defineControl<
  const P extends ParameterList = readonly [],
  const Name extends AnswerName = AnswerName,
>({
  answer,
  apply,
  ...description
}: Definition<P, Omit<Description<P>, 'result'>> & {
  readonly answer: Name
  readonly apply: (
    chain: Controlled,
    ...values: Values<P>
  ) => NodeState | Outcome<unknown> | Promise<NodeState | Outcome<unknown>>
}): CommandMethod<P, AnswerOf<Name>> {
  const { result, of } = ANSWERS[answer]
  return defineCommand({
    ...description,
    result,
    async handle(session: Session, ...values: Values<P>) {
      const { node, options } = session
      const { flavor } = options
      await node.execute(async (state, records, commit): Promise<Outcome<unknown>> => {
        const chain = { state, flavor, session, records, commit }
        const next = await apply(chain, ...values)
        return 'events' in next ? next : unchanged(next)
      })
      return of(flavor) as AnswerOf<Name>
    },
  } as never)
}

type WireOf<P extends ParameterList> = {
  readonly [Index in keyof P]: P[Index] extends Parameter<unknown, infer Wire> ? Wire : never
}

export type ParamsOf<M> = M extends { readonly params: infer P extends ParameterList } ? WireOf<P> : never

export type ResultOf<M> = M extends { readonly handle: (...values: never[]) => infer Result }
  ? Awaited<Result>
  : never
