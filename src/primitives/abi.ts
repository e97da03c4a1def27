// Decoding values by the contract ABI specification. The bytes come from contracts, which may return anything: what
// is not an encoding of the types gives nothing, and takes no more time and space than its length allows.

import type { AbiParameter, AbiType } from './abi-type.ts'
import { bytesToBigInt, bytesToHex, bytesToText } from './hex.ts'

/**
 * A decoded value: integers as bigint, addresses and bytes as lower-case hex, a tuple as an object where all its
 * components have names of their own and as an array otherwise.
 */
export type AbiValue =
  | bigint
  | boolean
  | string
  | readonly AbiValue[]
  | { readonly [component: string]: AbiValue }

interface Reader {
  readonly bytes: Uint8Array
  /** Bytes that may still be read: offsets may point at the same place over and over. */
  allowance: number
}

/** How many times the length of the data may be read; an encoder never writes what is read twice. */
const MOST_READINGS = 4

const MALFORMED = new RangeError('not an encoding of these types')

function take(reader: Reader, start: number, length: number): Uint8Array {
  reader.allowance -= length
  if (start + length > reader.bytes.length || reader.allowance < 0) throw MALFORMED
  return reader.bytes.subarray(start, start + length)
}

/** An offset or a length: no more than there are bytes. */
function takeSize(reader: Reader, start: number): number {
  const size = bytesToBigInt(take(reader, start, 32))
  if (size > BigInt(reader.bytes.length)) throw MALFORMED
  return Number(size)
}

function checked<Value>(isValid: boolean, value: Value): Value {
  if (!isValid) throw MALFORMED
  return value
}

function decodeInPlace(reader: Reader, type: AbiType, start: number): AbiValue {
  const bytes = take(reader, start, 32)
  const word = bytesToBigInt(bytes)
  switch (type.kind) {
    case 'uint':
      return checked(word >> BigInt(type.bits) === 0n, word)
    case 'int': {
      const value = BigInt.asIntN(256, word)
      return checked(BigInt.asIntN(type.bits, value) === value, value)
    }
    case 'bool':
      return checked(word <= 1n, word === 1n)
    case 'address':
      return checked(word >> 160n === 0n, bytesToHex(bytes.subarray(12)))
    case 'fixedBytes':
      return checked(
        bytes.subarray(type.length).every((byte) => byte === 0),
        bytesToHex(bytes.subarray(0, type.length)),
      )
    default:
      throw MALFORMED
  }
}

/** Values one after another; one that is dynamic stands where its offset, counted from `base`, points. */
function decodeSequence(reader: Reader, types: readonly AbiType[], base: number): AbiValue[] {
  let head = base
  return types.map((type) => {
    const start = type.isDynamic ? base + takeSize(reader, head) : head
    head += type.size
    return decodeValue(reader, type, start)
  })
}

function decodeArray(reader: Reader, type: AbiType & { readonly kind: 'array' }, start: number): AbiValue[] {
  const { element } = type
  const count = type.length ?? takeSize(reader, start)
  const base = type.length === undefined ? start + 32 : start
  // Before as many are made: a count may say anything.
  if (base + count * element.size > reader.bytes.length) throw MALFORMED
  return decodeSequence(reader, Array<AbiType>(count).fill(element), base)
}

function nameValues(components: readonly AbiParameter[], values: readonly AbiValue[]): AbiValue {
  const names = new Set(components.map(({ name }) => name))
  if (names.size < components.length || names.has('')) return values
  return Object.fromEntries(components.map(({ name }, index) => [name, values[index] as AbiValue]))
}

function decodeValue(reader: Reader, type: AbiType, start: number): AbiValue {
  switch (type.kind) {
    case 'bytes':
      return bytesToHex(take(reader, start + 32, takeSize(reader, start)))
    case 'string':
      return bytesToText(take(reader, start + 32, takeSize(reader, start)))
    case 'array':
      return decodeArray(reader, type, start)
    case 'tuple': {
      const { components } = type
      const types = components.map((component) => component.type)
      return nameValues(components, decodeSequence(reader, types, start))
    }
    default:
      return decodeInPlace(reader, type, start)
  }
}

/** The values that bytes encode, or `undefined` where they do not; what follows them is not looked at. */
export function decodeAbi(types: readonly AbiType[], bytes: Uint8Array): AbiValue[] | undefined {
  try {
    return decodeSequence({ bytes, allowance: bytes.length * MOST_READINGS }, types, 0)
  } catch (error) {
    if (error === MALFORMED) return undefined
    throw error
  }
}

/** A value as Solidity would have it written: texts in quotes, arrays in brackets, tuples in parentheses. */
function showAbiValue(type: AbiType, value: AbiValue): string {
  if (type.kind === 'string') return JSON.stringify(value)
  if (typeof value !== 'object') return `${value}`
  if (type.kind === 'array') {
    return `[${(value as readonly AbiValue[]).map((each) => showAbiValue(type.element, each)).join(', ')}]`
  }
  if (type.kind !== 'tuple') return ''
  const { components } = type
  const named = value as { readonly [component: string]: AbiValue }
  const values = Array.isArray(value) ? value : components.map(({ name }) => named[name] as AbiValue)
  return `(${showAbiValues(components, values)})`
}

/** Values as the arguments of a call. */
export function showAbiValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return parameters.map(({ type }, index) => showAbiValue(type, values[index] as AbiValue)).join(', ')
}
