// Traces of transactions: decoded by the chain, or as geth's call tracer gives them.

import { isUnknownMethod } from './provider-source.ts'
import * as shapes from './shapes.ts'
import { hexOf, isFields, listIn, read, type ShapeFields, wrongShape } from './shapes.ts'
import type { Ask } from './source.ts'

export interface ValueShape {
  readonly name: string
  readonly text: string
}

export interface EventShape {
  readonly type: 'event'
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  /** `undefined` if no known ABI has it. */
  readonly name: string | undefined
  readonly args: readonly ValueShape[]
}

interface ConsoleShape {
  readonly type: 'console'
  readonly message: string
}

export interface CallShape {
  readonly type: 'call'
  readonly kind: string
  readonly from: string
  readonly to: string
  readonly name: string | undefined
  readonly value: bigint
  readonly gasUsed: bigint
  readonly input: string
  readonly functionName: string | undefined
  readonly args: readonly ValueShape[]
  readonly results: readonly ValueShape[] | undefined
  readonly error: string | undefined
  readonly entries: readonly EntryShape[]
  readonly storage: readonly { readonly name: string; readonly before: string; readonly after: string }[]
}

export type EntryShape = CallShape | EventShape | ConsoleShape

const objectsIn = (value: unknown): readonly ShapeFields[] => listIn(value).filter(isFields)
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const bigintOf = (value: unknown): bigint => (/^\d+$/.test(`${value}`) ? BigInt(`${value}`) : 0n)

function valuesOf(value: unknown): ValueShape[] {
  return objectsIn(value).map(({ name, text }) => ({ name: `${name ?? ''}`, text: `${text}` }))
}

function decodedEntry(entry: ShapeFields): EntryShape {
  if (entry['type'] === 'console') return { type: 'console', message: `${entry['message']}` }
  if (entry['type'] !== 'event') return decodedCall(entry)
  return { type: 'event', ...read(entry, { ...shapes.LOG, name: textOf, args: valuesOf }) }
}

const FRAME = { from: shapes.hexBytesOf, to: shapes.hexBytesOf, input: shapes.hexBytesOf }

/** A call of tickchain_traceTransaction. */
function decodedCall(call: ShapeFields): CallShape {
  const { error, results } = call
  const table = { ...FRAME, value: bigintOf, gasUsed: bigintOf, name: textOf, functionName: textOf }
  return {
    type: 'call',
    kind: `${call['kind']}`,
    ...read(call, { ...table, args: valuesOf }),
    results: Array.isArray(results) ? valuesOf(results) : undefined,
    error: isFields(error) ? `${error['message']}` : undefined,
    entries: objectsIn(call['entries']).map(decodedEntry),
    storage: objectsIn(call['storage']).map(({ name, slot, before, after }) => ({
      name: textOf(name) ?? `${slot}`,
      before: `${before}`,
      after: `${after}`,
    })),
  }
}

/** The events and calls of a frame in their order: a log has the number of calls before it. */
function gethEntries(logs: readonly ShapeFields[], calls: readonly ShapeFields[]): EntryShape[] {
  const at = (position: number): EntryShape[] =>
    logs
      .filter((log) => Number(shapes.amountOf(log['position'])) === position)
      .map((log) => decodedEntry({ ...log, type: 'event' }))
  return [...calls.flatMap((call, index) => [...at(index), gethCall(call)]), ...at(calls.length)]
}

const UNDECODED = { name: undefined, functionName: undefined, args: [], results: undefined, storage: [] }

/** A call of geth's callTracer. */
function gethCall(call: ShapeFields): CallShape {
  return {
    type: 'call',
    kind: `${call['type']}`,
    ...read(call, { ...FRAME, value: shapes.amountOf, gasUsed: shapes.amountOf }),
    ...UNDECODED,
    error: textOf(call['revertReason']) ?? textOf(call['error']),
    entries: gethEntries(objectsIn(call['logs']), objectsIn(call['calls'])),
  }
}

/** The outermost call of a transaction. */
export async function outermostCall(ask: Ask, hash: string): Promise<CallShape> {
  const own = 'tickchain_traceTransaction'
  const geth = 'debug_traceTransaction'
  try {
    const trace = await ask(own, [hash])
    if (!isFields(trace) || !isFields(trace['call'])) throw wrongShape(own, 'a trace', trace)
    return decodedCall(trace['call'])
  } catch (error) {
    if (!isUnknownMethod(error)) throw error
  }
  const call = await ask(geth, [hash, { tracer: 'callTracer', tracerConfig: { withLog: true } }])
  if (!isFields(call) || hexOf(call['from']) === undefined) throw wrongShape(geth, 'a trace', call)
  return gethCall(call)
}

/** The events that stand: those of calls that did not fail, in the order of the receipt's logs. */
export function standingEvents(call: CallShape): EventShape[] {
  if (call.error !== undefined) return []
  return call.entries.flatMap((entry) => {
    if (entry.type === 'event') return [entry]
    return entry.type === 'call' ? standingEvents(entry) : []
  })
}
