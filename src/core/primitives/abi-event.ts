// ABI events, and the decoding of logs as such.

import { type AbiParameter, type AbiValue, decodeAbi, showAbiValues, signatureOf } from './abi.ts'
import { keccakOfText } from './crypto.ts'
import { concatBytes, type Hash, hexToBytes } from './hex.ts'

interface EventInput extends AbiParameter {
  readonly isIndexed: boolean
}

/** An event in an ABI. */
export interface EventType {
  readonly name: string
  readonly inputs: readonly EventInput[]
  /** Topic 0; `undefined` for an anonymous event. */
  readonly topic: Hash | undefined
  /** True if `indexed` is known for its parameters; a bare signature does not have it. */
  readonly isDecodable: boolean
}

export function eventType(name: string, inputs: readonly EventInput[], isAnonymous: boolean): EventType {
  const signature = signatureOf(
    name,
    inputs.map(({ type }) => type),
  )
  const topic = isAnonymous ? undefined : keccakOfText(signature)
  return { name, inputs, topic, isDecodable: true }
}

/** The parts of a log that are decoded. */
interface EventLog {
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** Indexed values of more than one word are hashed into their topic. */
export function isHashed({ type, isIndexed }: EventInput): boolean {
  return isIndexed && (type.isDynamic || type.kind === 'array' || type.kind === 'tuple')
}

/** True if the first topic of a log is that of an event. */
export function isOfEvent({ topic }: EventType, log: EventLog): boolean {
  return topic === undefined || log.topics[0] === topic
}

/** The arguments of an event in a log, in order; `undefined` if the log does not fit the event. */
export function decodeEvent(event: EventType, log: EventLog): AbiValue[] | undefined {
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
