// The ABIs of Base's native contracts: functions by selector, errors and events by name, strict decoding of calls, and
// the JSON form.

import * as abis from '../../primitives/abi.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import * as hex from '../../primitives/hex.ts'
import { NativeFailure, type NativePort } from './port.ts'

/** The last value of each enum, by version. */
const ENUMS: Readonly<Record<string, (version: number) => bigint>> = {
  PausableFeature: (version) => (version === 1 ? 2n : 3n),
  B20Variant: () => 1n,
  PolicyType: (version) => (version === 1 ? 1n : 3n),
}

interface Parameter extends abis.AbiParameter {
  readonly enumName: string | undefined
  readonly isIndexed: boolean
}

export interface NativeFunction {
  readonly name: string
  readonly inputs: readonly Parameter[]
  /** What the inputs are decoded as: texts as bytes, which are checked then. */
  readonly wire: readonly abis.AbiType[]
  readonly outputs: readonly abis.AbiType[]
  readonly isView: boolean
  /** The first version that has it. */
  readonly since: number
}

interface NativeError {
  /** The selector. */
  readonly head: Uint8Array
  readonly types: readonly abis.AbiType[]
}

interface NativeEvent {
  readonly topic: Uint8Array
  readonly inputs: readonly Parameter[]
  /** Types of the data: of what is not indexed. */
  readonly types: readonly abis.AbiType[]
}

export interface NativeAbi {
  /** By selector. */
  readonly functions: ReadonlyMap<number, NativeFunction>
  readonly errors: ReadonlyMap<string, NativeError>
  readonly events: ReadonlyMap<string, NativeEvent>
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
  const [parsed] = abis.parseAbiParameters([{ name, type }]) as readonly [abis.AbiParameter]
  return { ...parsed, enumName: isEnum ? enumName : undefined, isIndexed }
}

function parametersOf(text: string): Parameter[] {
  return text === '' ? [] : text.split(',').map(parameterOf)
}

function typesOf(parameters: readonly abis.AbiParameter[]): abis.AbiType[] {
  return parameters.map(({ type }) => type)
}

function jsonOf(parameters: readonly Parameter[]): object[] {
  return parameters.map(({ name, type, isIndexed }) => ({
    name,
    type: type.canonical,
    ...(isIndexed ? { indexed: true } : {}),
  }))
}

const [WORD, BYTES] = typesOf(parametersOf('uint256,bytes')) as [abis.AbiType, abis.AbiType]

function selectorIn(input: Uint8Array): number {
  let selector = 0
  for (let i = 0; i < 4; i++) selector = selector * 256 + (input[i] as number)
  return selector
}

export function parseNativeAbi(text: string): NativeAbi {
  const functions = new Map<number, NativeFunction>()
  const errors = new Map<string, NativeError>()
  const events = new Map<string, NativeEvent>()
  const json: object[] = []
  let since = 1
  for (const line of text.split('\n')) {
    if (line.startsWith('since ')) since = Number(line.slice(6))
    const [, kind, name = '', given = '', view, returned = ''] = ITEM.exec(line) ?? []
    if (kind === undefined) continue
    const inputs = parametersOf(given)
    const types = typesOf(inputs)
    const topic = keccak256(hex.utf8ToBytes(abis.signatureOf(name, types)))
    const item = { type: kind, name, inputs: jsonOf(inputs) }
    if (kind === 'error') errors.set(name, { head: topic.slice(0, 4), types })
    else if (kind === 'event') {
      const plain = typesOf(inputs.filter(({ isIndexed }) => !isIndexed))
      events.set(name, { topic, inputs, types: plain })
    } else {
      const outputs = parametersOf(returned)
      const isView = view !== undefined
      const types = { inputs, wire: wireOf(inputs), outputs: typesOf(outputs) }
      functions.set(selectorIn(topic), { name, ...types, isView, since })
      Object.assign(item, { outputs: jsonOf(outputs), stateMutability: isView ? 'view' : 'nonpayable' })
    }
    json.push(kind === 'event' ? { ...item, anonymous: false } : item)
  }
  return { functions, errors, events, json }
}

/** A failure by an error of a contract. */
export function raise({ errors }: NativeAbi, name: string, ...values: readonly abis.AbiValue[]) {
  const { head, types } = errors.get(name) as NativeError
  return new NativeFailure('revert', encodeAbi(types, values, head).slice())
}

const PANIC = hex.hexToBytes('0x4e487b71')

/** A failure by Solidity's Panic(0x11): an overflow, or a number below zero. */
export function overflow(): NativeFailure {
  return new NativeFailure('panic', encodeAbi([WORD], [0x11n], PANIC).slice())
}

function wordOf(value: hex.Hex | bigint): Uint8Array {
  if (typeof value === 'bigint') return hex.padLeft(hex.bigIntToBytes(value), 32)
  const word = new Uint8Array(32)
  hex.putHex(word, 32 - (value.length - 2) / 2, value)
  return word
}

export function emit(
  port: NativePort,
  abi: NativeAbi,
  address: hex.Hex,
  name: string,
  ...values: readonly abis.AbiValue[]
): void {
  const { inputs, topic, types } = abi.events.get(name) as NativeEvent
  const topics = [topic]
  const data: abis.AbiValue[] = []
  for (let index = 0; index < inputs.length; index++) {
    const value = values[index] as abis.AbiValue
    if ((inputs[index] as Parameter).isIndexed) topics.push(wordOf(value as hex.Hex | bigint))
    else data.push(value)
  }
  const [first] = data
  // That of a transfer, in a fraction of the time.
  const isNumber = data.length === 1 && typeof first === 'bigint'
  port.log(address, topics, isNumber ? wordOf(first) : encodeAbi(types, data, hex.EMPTY_BYTES).slice())
}

const OVERRUN = 'buffer overrun while deserializing'

/** Arguments of the wrong form. Before version 2 the words of the decoder followed the selector. */
export function malformedInput(selector: Uint8Array, version: number, words = OVERRUN): NativeFailure {
  const data = version === 1 ? hex.concatBytes(selector, hex.utf8ToBytes(words)) : selector.slice()
  return new NativeFailure('malformed', data)
}

/** A decoded value, strictly: text has to be UTF-8, and an enum to have the value. `undefined` if it does not fit. */
function strict({ enumName, type }: Parameter, value: abis.AbiValue, version: number) {
  if (type.kind === 'string') {
    const bytes = hex.hexToBytes(value as hex.Hex)
    const text = hex.bytesToText(bytes)
    return hex.equalBytes(hex.utf8ToBytes(text), bytes) ? text : undefined
  }
  if (enumName === undefined) return value
  const most = (ENUMS[enumName] as (version: number) => bigint)(version)
  const values = Array.isArray(value) ? value : [value]
  return values.every((each) => (each as bigint) <= most) ? value : undefined
}

function wireOf(inputs: readonly Parameter[]): abis.AbiType[] {
  return inputs.map(({ type }) => (type.kind === 'string' ? BYTES : type))
}

/** Decoded values of parameters; `undefined` if they do not fit. */
function strictValues(
  inputs: readonly Parameter[],
  decoded: readonly abis.AbiValue[] | undefined,
  version: number,
): abis.AbiValue[] | undefined {
  const values = decoded?.map((value, index) => strict(inputs[index] as Parameter, value, version))
  return values?.includes(undefined as never) === false ? (values as abis.AbiValue[]) : undefined
}

/** The arguments of a call. Throws a failure if they do not fit their types. */
export function decodeArguments(called: NativeFunction, input: Uint8Array, version: number): abis.AbiValue[] {
  const { inputs, wire } = called
  const data = input.subarray(4)
  const values = strictValues(inputs, abis.decodeAbi(wire, data), version)
  if (values !== undefined) return values
  throw malformedInput(input.subarray(0, 4), version, wordsFor(inputs, data))
}

/** The decoder's words for arguments that do not fit. */
function wordsFor(inputs: readonly Parameter[], data: Uint8Array): string | undefined {
  const types = typesOf(inputs)
  const head = types.reduce((sum, { size }) => sum + size, 0)
  if (data.length < head) return undefined
  return `type check failed for "${abis.signatureOf('', types)}" with data: ${hex.bytesToHex(data).slice(2)}`
}

/** A struct of parameters in bytes of its own; `undefined` if they do not fit. */
export function decodeStruct(fields: string, data: Uint8Array, version: number): abis.AbiValue[] | undefined {
  const inputs = parametersOf(fields)
  const [offset] = abis.decodeAbi([WORD], data) ?? []
  // The struct is dynamic: its offset comes first.
  if (typeof offset !== 'bigint' || offset > BigInt(data.length)) return undefined
  return strictValues(inputs, abis.decodeAbi(wireOf(inputs), data.subarray(Number(offset))), version)
}

/** The function that a call is to. Throws a failure with the selector if there is none. */
export function functionAt({ functions }: NativeAbi, input: Uint8Array, version: number): NativeFunction {
  if (input.length < 4) throw new NativeFailure('malformed', new Uint8Array(4))
  const called = functions.get(selectorIn(input))
  if (called === undefined || called.since > version) throw new NativeFailure('malformed', input.slice(0, 4))
  return called
}
