// Definitions of the emulator's functions that run a command: their arguments, and what they do to the state.

import { type Command, type Outcome, unchanged } from '../../node/events.ts'
import type { NodeState } from '../../node/node-state.ts'
import type { Codec } from '../../rpc/codecs/codec.ts'
import type { Session } from '../../rpc/session.ts'
import { argument } from '../checks.ts'

export interface Argument<Value> {
  readonly name: string
  readonly codec: Codec<Value>
  /** One value if the argument may be absent, else none. */
  readonly fallbacks: readonly Value[]
}

export function arg<Value>(
  name: string,
  codec: Codec<Value>,
  ...fallbacks: readonly [NoInfer<Value>?]
): Argument<Value> {
  return { name, codec, fallbacks: fallbacks as readonly Value[] }
}

type Arguments<Values extends readonly unknown[]> = readonly [
  ...{ [Index in keyof Values]: Argument<Values[Index]> },
]

type MaybePromise<Value> = Value | Promise<Value>

export interface Control<Result> {
  readonly args: readonly Argument<unknown>[]
  readonly run: (state: NodeState, values: readonly never[]) => ReturnType<Command<Result>>
}

/** A function that runs a command with its arguments; one without events may return the next state alone. */
export function control<Values extends readonly unknown[], Result = undefined>(
  args: Arguments<Values>,
  run: (state: NodeState, ...values: Values) => MaybePromise<NodeState | Outcome<Result>>,
): Control<Result> {
  return {
    args,
    async run(state, values) {
      const next = await run(state, ...(values as readonly unknown[] as Values))
      return 'events' in next ? next : (unchanged(next) as Outcome<never>)
    },
  }
}

type Controls = Readonly<Record<string, Control<unknown> | ((session: Session) => unknown)>>

type Functions<Table> = {
  [Name in keyof Table]: Table[Name] extends Control<infer Result>
    ? (...given: readonly unknown[]) => Promise<Result>
    : Table[Name] extends (session: Session) => infer Made
      ? Made
      : never
}

/** A function without arguments that reads the state. */
export const reading =
  <Result>(read: (state: NodeState) => MaybePromise<Result>) =>
  ({ node }: Session) =>
  () =>
    node.read(read)

/** The function of a control. Arguments are read at the call, although the command waits for its turn. */
export function bindControl<Result>({ node }: Session, call: string, { args, run }: Control<Result>) {
  return async (...given: readonly unknown[]): Promise<Result> => {
    const values = args.map(({ name, codec, fallbacks }, index) =>
      given[index] === undefined && fallbacks.length > 0
        ? fallbacks[0]
        : argument(call, name, given[index], codec),
    )
    return node.execute((state) => run(state, values as never[]))
  }
}

export function controlsOf<const Table extends Controls>(session: Session, table: Table): Functions<Table> {
  // A copy of the table has its shape: V8 keeps objects that grow by name as slow dictionaries, for every clone.
  const made: Record<string, unknown> = { ...table }
  for (const call in table) {
    const entry = table[call] as Controls[string]
    made[call] = typeof entry === 'function' ? entry(session) : bindControl(session, call, entry)
  }
  return made as Functions<Table>
}
