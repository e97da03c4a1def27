// Answers of JSON-RPC as values. A node may answer anything: what has another shape is an error that says so.

import { type Ask, isUnknownMethod } from './source.ts'

/** JSON, or what the value says of itself: an answer within a page need not be JSON. */
function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? `${value}`
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** Thrown for an answer that is not what it should be. */
export function wrongShape(method: string, expected: string, value: unknown): Error {
  const text = describe(value)
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new Error(`${method} answered ${shown}, which is not ${expected}`)
}

type ShapeFields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is ShapeFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none of anything else. */
export const fieldsIn = (value: unknown): ShapeFields => (isFields(value) ? value : {})

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A hex quantity; `undefined` for null and for what is absent. */
export function quantityOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[\da-f]+$/i.test(value) ? BigInt(value) : undefined
}

export function numberOf(value: unknown): number | undefined {
  const quantity = quantityOf(value)
  return quantity === undefined ? undefined : Number(quantity)
}

export function hexOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^0x[\da-f]*$/i.test(value) ? value.toLowerCase() : undefined
}

export const amountOf = (value: unknown): bigint => quantityOf(value) ?? 0n
export const hexBytesOf = (value: unknown): string => hexOf(value) ?? '0x'
const countOf = (value: unknown): number => numberOf(value) ?? 0
const topicsOf = (value: unknown): readonly string[] => listIn(value).map(String)

/** Reads fields, each by the function of its name. */
function read<Table extends Readonly<Record<string, (value: unknown) => unknown>>>(
  fields: ShapeFields,
  table: Table,
): { readonly [Name in keyof Table]: ReturnType<Table[Name]> } {
  return Object.fromEntries(Object.entries(table).map(([name, of]) => [name, of(fields[name])])) as never
}

export type TransactionShape = ReturnType<typeof transactionOf>

export function transactionOf(method: string, value: unknown) {
  const fields = fieldsIn(value)
  const [hash, from] = [hexOf(fields['hash']), hexOf(fields['from'])]
  if (hash === undefined || from === undefined) throw wrongShape(method, 'a transaction', value)
  // `to` is `undefined` for a creation; `blockNumber` in the pool, and in the flavor of some nodes also in `pending`.
  const amounts = { value: amountOf, gas: amountOf, nonce: countOf, type: countOf }
  const table = { ...amounts, to: hexOf, input: hexBytesOf, blockNumber: numberOf }
  const maxFeePerGas = quantityOf(fields['maxFeePerGas']) ?? amountOf(fields['gasPrice'])
  return { hash, from, ...read(fields, table), maxFeePerGas }
}

export type BlockShape = ReturnType<typeof readBlock>

export function readBlock(value: unknown) {
  const method = 'eth_getBlockByNumber'
  const fields = fieldsIn(value)
  const { transactions } = fields
  const timestamp = numberOf(fields['timestamp'])
  if (timestamp === undefined || !Array.isArray(transactions)) throw wrongShape(method, 'a block', value)
  return {
    ...read(fields, {
      /** `undefined` for a pending block in the flavor of some nodes. */
      number: numberOf,
      hash: hexOf,
      parentHash: hexBytesOf,
      stateRoot: hexBytesOf,
      miner: hexBytesOf,
      gasUsed: amountOf,
      gasLimit: amountOf,
    }),
    timestamp,
    timeMs: numberOf(fields['timestampMs']) ?? timestamp * 1000,
    /** Whether a second has several blocks, which have no partial blocks. */
    hasSlots: fields['timestampMs'] !== undefined,
    /** Empty unless asked for. */
    transactions: transactions.filter(isFields).map((each) => transactionOf(method, each)),
    transactionCount: transactions.length,
    baseFee: quantityOf(fields['baseFeePerGas']),
  }
}

const LOG = { address: hexBytesOf, topics: topicsOf, data: hexBytesOf }

export type ReceiptShape = ReturnType<typeof receiptOf>

export function receiptOf(method: string, value: unknown) {
  const fields = fieldsIn(value)
  const transactionHash = hexOf(fields['transactionHash'])
  if (transactionHash === undefined || !Array.isArray(fields['logs']))
    throw wrongShape(method, 'a receipt', value)
  return {
    transactionHash,
    isSuccess: fields['status'] !== '0x0',
    ...read(fields, { gasUsed: amountOf, contractAddress: hexOf }),
    price: amountOf(fields['effectiveGasPrice']),
    logs: fields['logs'].map((log) => read(fieldsIn(log), LOG)),
  }
}

export interface ValueShape {
  readonly name: string
  readonly text: string
}

export type EventShape = ReturnType<typeof decodedEvent>

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

export type EntryShape = CallShape | EventShape | { readonly type: 'console'; readonly message: string }

const objectsIn = (value: unknown): readonly ShapeFields[] => listIn(value).filter(isFields)
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const bigintOf = (value: unknown): bigint => (/^\d+$/.test(`${value}`) ? BigInt(`${value}`) : 0n)

function valuesOf(value: unknown): ValueShape[] {
  return objectsIn(value).map(({ name, text }) => ({ name: `${name ?? ''}`, text: `${text}` }))
}

/** An event; `name` is `undefined` if no known ABI has it. */
function decodedEvent(event: ShapeFields) {
  return { type: 'event' as const, ...read(event, { ...LOG, name: textOf, args: valuesOf }) }
}

function decodedEntry(entry: ShapeFields): EntryShape {
  if (entry['type'] === 'console') return { type: 'console', message: `${entry['message']}` }
  return entry['type'] === 'event' ? decodedEvent(entry) : decodedCall(entry)
}

const FRAME = { from: hexBytesOf, to: hexBytesOf, input: hexBytesOf }

/** A call of tickchain_traceTransaction. */
export function decodedCall(call: ShapeFields): CallShape {
  const { error, results } = call
  const table = { ...FRAME, value: bigintOf, gasUsed: bigintOf, name: textOf, functionName: textOf }
  return {
    type: 'call',
    kind: `${call['kind']}`,
    ...read(call, { ...table, args: valuesOf }),
    results: Array.isArray(results) ? valuesOf(results) : undefined,
    error: isFields(error) ? `${error['text'] ?? error['message']}` : undefined,
    entries: objectsIn(call['entries']).map(decodedEntry),
    storage: objectsIn(call['storage']).map(({ name, slot, before, after }) => {
      return { name: textOf(name) ?? `${slot}`, before: `${before}`, after: `${after}` }
    }),
  }
}

/** The events and calls of a frame in their order: a log has the number of calls before it. */
function gethEntries(logs: readonly ShapeFields[], calls: readonly ShapeFields[]): EntryShape[] {
  const at = (position: number): EntryShape[] =>
    logs.filter((log) => Number(amountOf(log['position'])) === position).map(decodedEvent)
  return [...calls.flatMap((call, index) => [...at(index), gethCall(call)]), ...at(calls.length)]
}

const UNDECODED = { name: undefined, functionName: undefined, args: [], results: undefined, storage: [] }

/** A call of geth's callTracer. */
function gethCall(call: ShapeFields): CallShape {
  return {
    type: 'call',
    kind: `${call['type']}`,
    ...read(call, { ...FRAME, value: amountOf, gasUsed: amountOf }),
    ...UNDECODED,
    error: textOf(call['revertReason']) ?? textOf(call['error']),
    entries: gethEntries(objectsIn(call['logs']), objectsIn(call['calls'])),
  }
}

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
