// The entries of a JSON ABI by selector and topic.

import * as customErrors from '../../../core/execution/result/console-log.ts'
import { type AbiParameter, parseAbiParameters, signatureOf } from '../../../core/primitives/abi.ts'
import { type EventType, eventType } from '../../../core/primitives/abi-event.ts'
import type { Hash, Hex } from '../../../core/primitives/hex.ts'
import type { AbiFunction, CompiledContract } from '../model/contract.ts'
import { type JsonObject, listOf, objectOf, textIn } from './json.ts'

/** An ABI without `components` or types that the ABI specification has not: as text. */
function writtenSignature(name: string, inputs: unknown): string {
  return `${name}(${listOf(inputs)
    .map((input) => textIn(objectOf(input), 'type') ?? '')
    .join(',')})`
}

function itemsOf(abi: readonly unknown[], type: string): JsonObject[] {
  return abi.map(objectOf).filter((item) => item['type'] === type && typeof item['name'] === 'string')
}

/** Functions by selector. `identifiers` is solc's `methodIdentifiers`, which a library needs. */
export function abiFunctions(abi: readonly unknown[], identifiers: JsonObject) {
  const functions = itemsOf(abi, 'function').map((item): [Hex, AbiFunction] => {
    const name = textIn(item, 'name') as string
    const inputs = parseAbiParameters(item['inputs'] ?? [])
    const types = inputs?.map(({ type }) => type)
    const signature = types === undefined ? writtenSignature(name, item['inputs']) : signatureOf(name, types)
    const identifier = textIn(identifiers, signature)
    const selector: Hex = identifier === undefined ? customErrors.selectorOf(signature) : `0x${identifier}`
    const outputs = parseAbiParameters(item['outputs'] ?? [])
    const isPayable = item['stateMutability'] === 'payable' || item['payable'] === true
    const mutability = item['stateMutability']
    const isReadOnly = mutability === 'view' || mutability === 'pure' || item['constant'] === true
    return [selector, { name, selector, signature, inputs, outputs, isPayable, isReadOnly }]
  })
  return new Map(functions)
}

export function abiErrors(abi: readonly unknown[]): customErrors.CustomErrors {
  const errors = itemsOf(abi, 'error').flatMap((item): customErrors.CustomError[] => {
    const inputs = parseAbiParameters(item['inputs'] ?? [])
    return inputs === undefined ? [] : [{ name: textIn(item, 'name') as string, inputs }]
  })
  return customErrors.withErrors(customErrors.NO_CUSTOM_ERRORS, errors)
}

/** An event of a JSON ABI; `undefined` without a name, or with a type that is unknown. */
export function eventOfAbi(entry: unknown): EventType | undefined {
  const { name, inputs = [], anonymous } = objectOf(entry)
  const parsed = parseAbiParameters(inputs)
  if (typeof name !== 'string' || parsed === undefined) return undefined
  const given = listOf(inputs).map(objectOf)
  const indexed = parsed.map((input, index) => ({ ...input, isIndexed: given[index]?.['indexed'] === true }))
  return eventType(name, indexed, anonymous === true)
}

/** Events by topic; one with a type that is unknown is left out. */
export function abiEvents(abi: readonly unknown[]): ReadonlyMap<Hash, EventType> {
  const events = itemsOf(abi, 'event').flatMap((item): [Hash, EventType][] => {
    const event = eventOfAbi(item)
    return event?.topic === undefined ? [] : [[event.topic, event]]
  })
  return new Map(events)
}

export function constructorInputs(abi: readonly unknown[]): readonly AbiParameter[] | undefined {
  const item = abi.map(objectOf).find((each) => each['type'] === 'constructor')
  return parseAbiParameters(item?.['inputs'] ?? [])
}

/** True if the ABI of a contract has a fallback or a receive function. */
export function hasEntry(contract: CompiledContract | undefined, type: 'fallback' | 'receive'): boolean {
  return contract?.abi.some((item) => objectOf(item)['type'] === type) === true
}

/** The signature of the function that calldata with this selector calls, or `fallback` or `receive`. */
export function calledSignature(contract: CompiledContract, selector: string): string {
  const called = contract.functions.get(selector as Hex)
  return called?.signature ?? (selector === '0x' && hasEntry(contract, 'receive') ? 'receive' : 'fallback')
}
