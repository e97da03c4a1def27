// Decoding of logs as ABI events.

import { refuseArgument } from '../../emulator/controls/arguments.ts'
import type { Log } from '../../execution/transaction/receipt.ts'
import { type AbiValue, decodeAbi, showAbiValues } from '../../primitives/abi.ts'
import { type AbiParameter, parseAbiParameters, signatureOf } from '../../primitives/abi-type.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes, utf8ToBytes } from '../../primitives/hex.ts'

interface EventInput extends AbiParameter {
  readonly isIndexed: boolean
}

/** An event in an ABI. */
export interface EventType {
  readonly name: string
  readonly inputs: readonly EventInput[]
  /** Topic 0; `undefined` for an anonymous event. */
  readonly topic: Hash | undefined
  /** Whether `indexed` is known for its parameters; a bare signature does not have it. */
  readonly isDecodable: boolean
}

interface EventEntry {
  readonly name: string
  readonly inputs: readonly object[]
  readonly anonymous?: unknown
}

/** Parses an event of a JSON ABI; throws `invalidCall`. */
export function toEventType(call: string, entry: object): EventType {
  const { name, inputs, anonymous } = entry as EventEntry
  const parsed = parseAbiParameters(inputs)
  if (typeof name !== 'string' || parsed === undefined)
    return refuseArgument(call, 'events with a name, and inputs with types of the ABI specification', entry)
  const types = parsed.map(({ type }) => type)
  const isIndexed = (index: number): boolean => (inputs[index] as { indexed?: unknown }).indexed === true
  return {
    name,
    inputs: parsed.map((input, index) => ({ ...input, isIndexed: isIndexed(index) })),
    topic: anonymous === true ? undefined : keccak256Hex(utf8ToBytes(signatureOf(name, types))),
    isDecodable: true,
  }
}

const EVENT = /^\s*(event\s+)?([A-Za-z_$][\w$]*)\s*\(([^()]*)\)\s*(anonymous)?\s*;?\s*$/

/**
 * Parses a Solidity declaration, such as `event Transfer(address indexed from, address indexed to, uint256 value)`, or
 * a bare signature; throws `invalidCall`, also for tuples.
 */
export function parseEvent(call: string, text: string): EventType {
  const [, keyword, name = '', list = '', anonymous] = EVENT.exec(text) ?? []
  const words = list.trim() === '' ? [] : list.split(',').map((input) => input.trim().split(/\s+/))
  const inputs = words.map(([type, ...rest]) => ({
    type,
    name: rest.find((word) => word !== 'indexed') ?? '',
    indexed: rest.includes('indexed'),
  }))
  if (name === '' || parseAbiParameters(inputs) === undefined)
    return refuseArgument(call, 'an event without tuples, or one that a client has parsed', text)
  const event = toEventType(call, { name, inputs, anonymous: anonymous !== undefined })
  return { ...event, isDecodable: keyword !== undefined || inputs.some(({ indexed }) => indexed) }
}

/** Indexed values of more than one word are hashed into their topic. */
function isHashed({ type, isIndexed }: EventInput): boolean {
  return isIndexed && (type.isDynamic || type.kind === 'array' || type.kind === 'tuple')
}

/** Whether the first topic of a log is that of an event. */
export function isOfEvent({ topic }: EventType, log: Log): boolean {
  return topic === undefined || log.topics[0] === topic
}

/** The arguments of an event in a log, in order; `undefined` if the log does not fit the event. */
export function decodeEvent(event: EventType, log: Log): AbiValue[] | undefined {
  if (!isOfEvent(event, log) || !event.isDecodable) return undefined
  const topics = event.topic === undefined ? log.topics : log.topics.slice(1)
  const indexed = event.inputs.filter(({ isIndexed }) => isIndexed)
  if (topics.length !== indexed.length) return undefined
  const inWords = indexed.filter((input) => !isHashed(input))
  const inData = event.inputs.filter(({ isIndexed }) => !isIndexed)
  const words = topics.filter((_, index) => inWords.includes(indexed[index] as EventInput))
  const typesOf = (inputs: readonly EventInput[]) => inputs.map(({ type }) => type)
  const fromTopics = decodeAbi(typesOf(inWords), concatBytes(...words.map((word) => hexToBytes(word))))
  const fromData = decodeAbi(typesOf(inData), log.data)
  if (fromTopics === undefined || fromData === undefined) return undefined
  return event.inputs.map((input) => {
    if (isHashed(input)) return topics[indexed.indexOf(input)] as Hash
    const [values, inputs] = input.isIndexed ? [fromTopics, inWords] : [fromData, inData]
    return values[inputs.indexOf(input)] as AbiValue
  })
}

/** An event with named arguments, as text. */
export function showEvent({ name, inputs }: EventType, args: readonly AbiValue[]): string {
  const shown = inputs.map((input, index) => {
    const value = isHashed(input) ? `${args[index]}` : showAbiValues([input], [args[index] as AbiValue])
    return input.name === '' ? value : `${input.name}: ${value}`
  })
  return `${name}(${shown.join(', ')})`
}
