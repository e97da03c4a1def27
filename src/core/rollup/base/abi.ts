// The ABIs of Base's native contracts: functions by selector, errors and events by name, strict decoding of calls, and
// the JSON form.

import { type AbiValue, decodeAbi } from '../../primitives/abi.ts'
import {
  type AbiParameter,
  type AbiType,
  parseAbiParameters,
  signatureOf,
} from '../../primitives/abi-type.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import {
  bytesToHex,
  bytesToText,
  concatBytes,
  EMPTY_BYTES,
  equalBytes,
  type Hash,
  type Hex,
  hexToBytes,
  putHex,
  toWord,
  utf8ToBytes,
} from '../../primitives/hex.ts'
import { NativeFailure, type NativePort } from './port.ts'

/** The last value of each enum, by version. */
const ENUMS: Readonly<Record<string, (version: number) => bigint>> = {
  PausableFeature: (version) => (version === 1 ? 2n : 3n),
  B20Variant: () => 1n,
  PolicyType: (version) => (version === 1 ? 1n : 3n),
}

interface Parameter extends AbiParameter {
  readonly enumName: string | undefined
  readonly isIndexed: boolean
}

export interface NativeFunction {
  readonly name: string
  readonly selector: Hex
  readonly inputs: readonly Parameter[]
  readonly outputs: readonly AbiType[]
  readonly isView: boolean
  /** The first version that has it. */
  readonly since: number
}

interface NamedTypes {
  readonly head: Uint8Array
  readonly inputs: readonly Parameter[]
}

export interface NativeAbi {
  readonly functions: ReadonlyMap<Hex, NativeFunction>
  readonly errors: ReadonlyMap<string, NamedTypes>
  readonly events: ReadonlyMap<string, NamedTypes & { readonly topic: Hash }>
  readonly json: readonly object[]
}

const ITEM = /^(function|event|error) (\w+)\(([^)]*)\)( view)?(?: returns \((.*)\))?$/

function parameterOf(text: string): Parameter {
  const [written = '', ...rest] = text.trim().split(' ')
  const enumName = written.replace('[]', '')
  const isEnum = enumName in ENUMS
  const type = isEnum ? written.replace(enumName, 'uint8') : written
  const isIndexed = rest[0] === 'indexed'
  const name = (isIndexed ? rest[1] : rest[0]) ?? ''
  const [parsed] = parseAbiParameters([{ name, type }]) as readonly [AbiParameter]
  return { ...parsed, enumName: isEnum ? enumName : undefined, isIndexed }
}

function parametersOf(text: string): Parameter[] {
  return text === '' ? [] : text.split(',').map(parameterOf)
}

function typesOf(parameters: readonly AbiParameter[]): AbiType[] {
  return parameters.map(({ type }) => type)
}

function jsonOf(parameters: readonly Parameter[]): object[] {
  return parameters.map(({ name, type, isIndexed }) => ({
    ...{ name, type: type.canonical },
    ...(isIndexed ? { indexed: true } : {}),
  }))
}

/** Parses the text of an ABI. */
export function parseNativeAbi(text: string): NativeAbi {
  const functions = new Map<Hex, NativeFunction>()
  const errors = new Map<string, NamedTypes>()
  const events = new Map<string, NamedTypes & { readonly topic: Hash }>()
  const json: object[] = []
  let since = 1
  for (const line of text.split('\n')) {
    if (line.startsWith('since ')) since = Number(line.slice(6))
    const [, kind, name = '', given = '', view, returned = ''] = ITEM.exec(line) ?? []
    if (kind === undefined) continue
    const inputs = parametersOf(given)
    const topic = keccak256Hex(utf8ToBytes(signatureOf(name, typesOf(inputs))))
    const selector = topic.slice(0, 10) as Hex
    const head = hexToBytes(selector)
    const item = { type: kind, name, inputs: jsonOf(inputs) }
    if (kind === 'error') errors.set(name, { head, inputs })
    else if (kind === 'event') events.set(name, { head, inputs, topic })
    else {
      const outputs = parametersOf(returned)
      const isView = view !== undefined
      functions.set(selector, { name, selector, inputs, outputs: typesOf(outputs), isView, since })
      Object.assign(item, { outputs: jsonOf(outputs), stateMutability: isView ? 'view' : 'nonpayable' })
    }
    json.push(kind === 'event' ? { ...item, anonymous: false } : item)
  }
  return { functions, errors, events, json }
}

/** A failure by an error of a contract. */
export function raise({ errors }: NativeAbi, name: string, ...values: readonly AbiValue[]): NativeFailure {
  const { head, inputs } = errors.get(name) as NamedTypes
  return new NativeFailure('revert', encodeAbi(typesOf(inputs), values, head).slice())
}

const PANIC = hexToBytes('0x4e487b71')
const [WORD] = typesOf(parametersOf('uint256')) as [AbiType]

/** A failure by Solidity's Panic(0x11): an overflow, or a number below zero. */
export function overflow(): NativeFailure {
  return new NativeFailure('panic', encodeAbi([WORD], [0x11n], PANIC).slice())
}

/** An indexed value: an address or a number, which ends its word, or a hash. */
function topicOf(value: Hex | bigint): Uint8Array {
  const digits = typeof value === 'bigint' ? toWord(value) : value
  const word = new Uint8Array(32)
  putHex(word, 32 - (digits.length - 2) / 2, digits)
  return word
}

/** Emits an event of a contract. */
export function emit(
  port: NativePort,
  abi: NativeAbi,
  address: Hex,
  name: string,
  ...values: readonly AbiValue[]
): void {
  const { inputs, topic } = abi.events.get(name) as NamedTypes & { readonly topic: Hash }
  const topics = [topicOf(topic)]
  const types: AbiType[] = []
  const data: AbiValue[] = []
  for (let index = 0; index < inputs.length; index++) {
    const { type, isIndexed } = inputs[index] as Parameter
    const value = values[index] as AbiValue
    if (isIndexed) topics.push(topicOf(value as Hex | bigint))
    else {
      types.push(type)
      data.push(value)
    }
  }
  port.log(address, topics, encodeAbi(types, data, EMPTY_BYTES).slice())
}

const OVERRUN = 'buffer overrun while deserializing'

/** Arguments of the wrong form. Before version 2 the words of the decoder followed the selector. */
export function malformedInput(selector: Uint8Array, version: number, words = OVERRUN): NativeFailure {
  const data = version === 1 ? concatBytes(selector, utf8ToBytes(words)) : selector.slice()
  return new NativeFailure('malformed', data)
}

const [BYTES] = typesOf(parametersOf('bytes')) as [AbiType]

/** A decoded value, strictly: text has to be UTF-8, and an enum to have the value. `undefined` if it does not fit. */
function strict({ enumName, type }: Parameter, value: AbiValue, version: number): AbiValue | undefined {
  if (type.kind === 'string') {
    const bytes = hexToBytes(value as Hex)
    const text = bytesToText(bytes)
    return equalBytes(utf8ToBytes(text), bytes) ? text : undefined
  }
  if (enumName === undefined) return value
  const most = (ENUMS[enumName] as (version: number) => bigint)(version)
  const values = Array.isArray(value) ? value : [value]
  return values.every((each) => (each as bigint) <= most) ? value : undefined
}

/** Values of parameters, checked strictly; `undefined` if they do not fit. */
function strictValues(
  inputs: readonly Parameter[],
  data: Uint8Array,
  version: number,
): AbiValue[] | undefined {
  const wire = inputs.map(({ type }) => (type.kind === 'string' ? BYTES : type))
  const values = decodeAbi(wire, data)?.map((value, index) =>
    strict(inputs[index] as Parameter, value, version),
  )
  return values?.includes(undefined as never) === false ? (values as AbiValue[]) : undefined
}

/** The arguments of a call. Throws a failure if they do not fit their types. */
export function decodeArguments({ inputs }: NativeFunction, input: Uint8Array, version: number): AbiValue[] {
  const data = input.subarray(4)
  const values = strictValues(inputs, data, version)
  if (values !== undefined) return values
  throw malformedInput(input.subarray(0, 4), version, wordsFor(inputs, data))
}

/** The decoder's words for arguments that do not fit. */
function wordsFor(inputs: readonly Parameter[], data: Uint8Array): string | undefined {
  const types = typesOf(inputs)
  const head = types.reduce((sum, { size }) => sum + size, 0)
  if (data.length < head) return undefined
  return `type check failed for "${signatureOf('', types)}" with data: ${bytesToHex(data).slice(2)}`
}

/** A struct of parameters in bytes of its own; `undefined` if they do not fit. */
export function decodeStruct(fields: string, data: Uint8Array, version: number): AbiValue[] | undefined {
  const inputs = parametersOf(fields)
  const [offset] = decodeAbi([WORD], data) ?? []
  // The struct is dynamic: its offset comes first.
  if (typeof offset !== 'bigint' || offset > BigInt(data.length)) return undefined
  return strictValues(inputs, data.subarray(Number(offset)), version)
}

/** The function that a call is to. Throws a failure with the selector if there is none. */
export function functionAt({ functions }: NativeAbi, input: Uint8Array, version: number): NativeFunction {
  const selector = input.length < 4 ? new Uint8Array(4) : input.slice(0, 4)
  const called = functions.get(bytesToHex(selector))
  if (called === undefined || called.since > version || input.length < 4)
    throw new NativeFailure('malformed', selector)
  return called
}
