// Events of JSON ABIs and of declarations in Solidity.

import { refuseCall } from '../../../core/emulator/checks.ts'
import { type EventType, eventType } from '../../../core/primitives/abi-event.ts'
import { parseAbiParameters } from '../../../core/primitives/abi-type.ts'

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
    return refuseCall(call, 'events with a name, and inputs with types of the ABI specification', entry)
  const isIndexed = (index: number): boolean => (inputs[index] as { indexed?: unknown }).indexed === true
  return eventType(
    name,
    parsed.map((input, index) => ({ ...input, isIndexed: isIndexed(index) })),
    anonymous === true,
  )
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
    return refuseCall(call, 'an event without tuples, or one that a client has parsed', text)
  const event = toEventType(call, { name, inputs, anonymous: anonymous !== undefined })
  return { ...event, isDecodable: keyword !== undefined || inputs.some(({ indexed }) => indexed) }
}
