// Traces of transactions: decoded by the chain, or as geth's call tracer gives them.

import { isUnknownMethod } from './provider-source.ts'
import { type Fields, hexOf, isFields, quantityOf, wrongShape } from './shapes.ts'

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

export interface ConsoleShape {
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
  readonly output: string
  readonly functionName: string | undefined
  readonly args: readonly ValueShape[]
  readonly results: readonly ValueShape[] | undefined
  readonly error: string | undefined
  readonly entries: readonly EntryShape[]
  readonly storage: readonly { readonly name: string; readonly before: string; readonly after: string }[]
}

export type EntryShape = CallShape | EventShape | ConsoleShape

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function valuesOf(value: unknown): ValueShape[] {
  return listOf(value).map(({ name, text }) => ({ name: `${name ?? ''}`, text: `${text}` }))
}

function bigintOf(value: unknown): bigint {
  return /^\d+$/.test(`${value}`) ? BigInt(`${value}`) : 0n
}

function decodedEntry(entry: Fields): EntryShape {
  if (entry['type'] === 'console') return { type: 'console', message: `${entry['message']}` }
  if (entry['type'] !== 'event') return decodedCall(entry)
  return {
    type: 'event',
    address: hexOf(entry['address']) ?? '0x',
    topics: Array.isArray(entry['topics']) ? entry['topics'].map(String) : [],
    data: hexOf(entry['data']) ?? '0x',
    name: textOf(entry['name']),
    args: valuesOf(entry['args']),
  }
}

/** A call of tickchain_traceTransaction. */
function decodedCall(call: Fields): CallShape {
  const { error, results } = call
  return {
    type: 'call',
    kind: `${call['kind']}`,
    from: hexOf(call['from']) ?? '0x',
    to: hexOf(call['to']) ?? '0x',
    name: textOf(call['name']),
    value: bigintOf(call['value']),
    gasUsed: bigintOf(call['gasUsed']),
    input: hexOf(call['input']) ?? '0x',
    output: hexOf(call['output']) ?? '0x',
    functionName: textOf(call['functionName']),
    args: valuesOf(call['args']),
    results: Array.isArray(results) ? valuesOf(results) : undefined,
    error: isFields(error) ? `${error['message']}` : undefined,
    entries: listOf(call['entries']).map(decodedEntry),
    storage: listOf(call['storage']).map(({ name, slot, before, after }) => ({
      name: textOf(name) ?? `${slot}`,
      before: `${before}`,
      after: `${after}`,
    })),
  }
}

/** The events and calls of a frame in their order: a log has the number of calls before it. */
function gethEntries(logs: readonly Fields[], calls: readonly Fields[]): EntryShape[] {
  const events = logs.map((log) => ({
    position: Number(quantityOf(log['position']) ?? 0n),
    event: decodedEntry({ ...log, type: 'event' }),
  }))
  const at = (position: number): EntryShape[] =>
    events.filter((each) => each.position === position).map(({ event }) => event)
  return [...calls.flatMap((call, index) => [...at(index), gethCall(call)]), ...at(calls.length)]
}

/** A call of geth's callTracer. */
function gethCall(call: Fields): CallShape {
  return {
    type: 'call',
    kind: `${call['type']}`,
    from: hexOf(call['from']) ?? '0x',
    to: hexOf(call['to']) ?? '0x',
    name: undefined,
    value: quantityOf(call['value']) ?? 0n,
    gasUsed: quantityOf(call['gasUsed']) ?? 0n,
    input: hexOf(call['input']) ?? '0x',
    output: hexOf(call['output']) ?? '0x',
    functionName: undefined,
    args: [],
    results: undefined,
    error: textOf(call['revertReason']) ?? textOf(call['error']),
    entries: gethEntries(listOf(call['logs']), listOf(call['calls'])),
    storage: [],
  }
}

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The outermost call of a transaction. */
export async function traceOf(ask: Ask, hash: string): Promise<CallShape> {
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
