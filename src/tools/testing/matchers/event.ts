// toEmit: events of a transaction.

import { argument, refuseCall } from '../../../core/emulator/checks.ts'
import type { AbiSource } from '../../../core/emulator/options/accounts.ts'
import type { Log } from '../../../core/execution/transaction/transaction.ts'
import { parseAbiParameters } from '../../../core/primitives/abi.ts'
import { decodeEvent, type EventType, isOfEvent, showEvent } from '../../../core/primitives/abi-event.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { address as anyAddress } from '../../../core/rpc/codecs/basic.ts'
import { eventOfAbi } from '../../solidity/artifacts/abi.ts'
import { awaitSubject, locate, type Matching, requireHash, resultOf, undecided } from './subject.ts'
import { addressIn, differingArgs, type ExpectedArgs, showExpectedArgs } from './values.ts'

/** An event as Solidity declares it, or as viem's `parseAbiItem` or ethers' `EventFragment` has parsed it. */
export type EventSource =
  | string
  | { readonly type: string; readonly name: string; readonly inputs: readonly object[] }

/** An ABI in any form, including ethers' `Interface`. */
export type EventAbi = AbiSource | { formatJson(): string }

interface EventDetails {
  /** Those that matter: by name, or by position with `undefined` for any. */
  readonly args?: ExpectedArgs
  /** The contract that emits it, or an object with its address. */
  readonly address?: string | object
}

/** An event that a transaction is expected to emit. */
export type ExpectedEvent =
  | EventSource
  | (EventDetails & { readonly abi: EventAbi; readonly eventName: string })
  | (EventDetails & { readonly event: EventSource })

interface Expectation {
  /** Several if the name is overloaded. */
  readonly events: readonly EventType[]
  /** Events for decoding the other logs in a message. */
  readonly known: readonly EventType[]
  readonly args: ExpectedArgs | undefined
  readonly address: Address | undefined
}

function toEventType(call: string, entry: object): EventType {
  const event = 'inputs' in entry ? eventOfAbi(entry) : undefined
  const expected = 'events with a name, and inputs with types of the ABI specification'
  return event ?? refuseCall(call, expected, entry)
}

const EVENT = /^\s*(event\s+)?([A-Za-z_$][\w$]*)\s*\(([^()]*)\)\s*(anonymous)?\s*;?\s*$/

/** Parses a Solidity declaration of an event or a bare signature; throws `invalidCall`, also for tuples. */
function parseEvent(call: string, text: string): EventType {
  const [, keyword, name = '', list = '', anonymous] = EVENT.exec(text) ?? []
  const instead = `{ abi, eventName: '${text.trim()}' }, or its declaration`
  if (/^\s*[\w$]+\s*$/.test(text)) return refuseCall(call, `more than a name: ${instead}`, text)
  const words = list.trim() === '' ? [] : list.split(',').map((input) => input.trim().split(/\s+/))
  const inputs = words.map(([type, ...rest]) => ({
    type,
    name: rest.find((word) => word !== 'indexed') ?? '',
    indexed: rest.includes('indexed'),
  }))
  if (name === '' || parseAbiParameters(inputs) === undefined)
    return refuseCall(call, 'an event without tuples, or one that a client has parsed', text)
  const event = toEventType(call, { name, inputs, anonymous: anonymous !== undefined })
  return { ...event, isDecodable: keyword !== undefined || inputs.some(({ indexed }) => indexed) }
}

function entriesIn(call: string, abi: unknown): readonly object[] {
  if (Array.isArray(abi)) return abi
  if (typeof abi === 'object' && abi !== null) {
    if ('abi' in abi) return entriesIn(call, abi.abi)
    if ('formatJson' in abi && typeof abi.formatJson === 'function') return JSON.parse(abi.formatJson())
  }
  return refuseCall(call, 'abi to be a JSON ABI, an object with one as abi, or an Interface', abi)
}

function isEvent(entry: object): boolean {
  return (entry as { type?: unknown } | null)?.type === 'event'
}

function eventFrom(call: string, source: unknown): EventType {
  if (typeof source === 'string') return parseEvent(call, source)
  if (typeof source !== 'object' || source === null || !isEvent(source)) {
    // Hardhat's emit takes the contract and the name.
    const ofContract = 'interface' in Object(source) ? ', with abi: contract.interface' : ''
    const what = `an event: its declaration, parsed or not, or { abi, eventName }${ofContract}`
    return refuseCall(call, what, source)
  }
  // Parsed fragments of ethers have the fields of a JSON ABI.
  const format = (source as { format?: unknown }).format
  return toEventType(call, typeof format === 'function' ? JSON.parse(format.call(source, 'json')) : source)
}

function resolveEvents(call: string, expected: unknown): Pick<Expectation, 'events' | 'known'> {
  const isObject = typeof expected === 'object' && expected !== null
  if (!isObject || !('abi' in expected)) {
    const event = eventFrom(call, isObject && 'event' in expected ? expected.event : expected)
    return { events: [event], known: [event] }
  }
  const { abi, eventName } = expected as { abi: unknown; eventName?: unknown }
  const known = entriesIn(call, abi)
    .filter(isEvent)
    .map((entry) => toEventType(call, entry))
  const events = known.filter(({ name }) => name === eventName)
  const names = [...new Set(known.map(({ name }) => name))].join(', ')
  if (events.length === 0)
    return refuseCall(call, `eventName to be an event of the ABI, which has ${names || 'none'}`, eventName)
  return { events, known }
}

/** Throws `invalidCall` for an expectation that no log can match. */
function resolveExpectation(call: string, expected: unknown): Expectation {
  const { events, known } = resolveEvents(call, expected)
  const isSource = typeof expected === 'string' || isEvent(expected as object)
  const { args, address } = (isSource ? {} : expected) as EventDetails
  const fitting = args === undefined ? events : events.filter((event) => fits(event, args))
  const [first] = events as readonly [EventType]
  if (fitting.length === 0 && !first.isDecodable)
    return refuseCall(call, 'an event that says which parameters are indexed, where args matter', first.name)
  if (fitting.length === 0) {
    const names = first.inputs.map(({ name }, index) => name || `${index}`).join(', ')
    return refuseCall(call, `args of ${first.name}, which has ${names || 'none'}`, showExpectedArgs(args))
  }
  const emitter =
    address === undefined ? undefined : argument(call, 'address', addressIn(address), anyAddress)
  return { events: fitting, known, args, address: emitter }
}

function fits({ inputs, isDecodable }: EventType, args: ExpectedArgs): boolean {
  if (!isDecodable || typeof args !== 'object' || args === null) return false
  if (Array.isArray(args)) return args.length <= inputs.length
  return Object.keys(args).every((name) => inputs.some((input) => input.name === name))
}

/** The differences between a log and the expectation; empty if it matches, `undefined` for another event. */
function differencesOf({ events, args, address }: Expectation, log: Log): string[] | undefined {
  const reasons = events
    .filter((event) => isOfEvent(event, log))
    .map((event) => {
      const values = decodeEvent(event, log)
      if (values === undefined) return event.isDecodable ? ['its encoding'] : []
      const names = event.inputs.map(({ name }) => name)
      return args === undefined ? [] : differingArgs(names, values, args)
    })
  const [fewest] = reasons.sort((a, b) => a.length - b.length)
  if (fewest === undefined) return undefined
  return address === undefined || log.address === address ? fewest : [...fewest, 'the contract']
}

function showLog({ known }: Expectation, log: Log): string {
  for (const event of known) {
    const args = decodeEvent(event, log)
    if (args !== undefined) return `${showEvent(event, args)} by ${log.address}`
    if (event.topic !== undefined && isOfEvent(event, log))
      return `${event.name}, not decoded, by ${log.address}`
  }
  const topics = log.topics.length === 0 ? 'no topics' : `topics ${log.topics.join(' ')}`
  return `an event unknown here, ${topics}, by ${log.address}`
}

function showLogs(expectation: Expectation, logs: readonly Log[]): string {
  if (logs.length === 0) return 'It emitted nothing.'
  const lines = logs.map((log) => {
    const why = differencesOf(expectation, log) ?? []
    return `  ${showLog(expectation, log)}${why.length === 0 ? '' : `\n    differs in ${why.join(', ')}`}`
  })
  return `It emitted\n${lines.join('\n')}`
}

export async function matchEvent(matching: Matching, received: unknown, expected: unknown) {
  const expectation = resolveExpectation(matching.matcher, expected)
  const hash = requireHash(matching.matcher, await awaitSubject(received))
  const { args, address, events } = expectation
  const shown = `${events[0]?.name}${showExpectedArgs(args)}`
  const by = address === undefined ? '' : ` by ${address}`
  const words = [`transaction ${hash}`, `emit ${shown}${by}`] as const
  const found = await locate(matching, hash)
  if (!('executed' in found)) return undecided(matching, words, found.words)
  const { receipt, failure } = found.executed
  const pass = receipt.logs.some((log) => differencesOf(expectation, log)?.length === 0)
  const failed = failure && `It failed, and so emitted nothing: ${failure}.`
  return resultOf(matching, pass, words, failed ?? showLogs(expectation, receipt.logs))
}
