// ABI types, parsed from `type` and `components` of a JSON ABI, and the decoder of values.

import { bytesToBigInt, bytesToHex, bytesToText } from './hex.ts'

/** A parameter in a JSON ABI. */
export interface AbiParameter {
  readonly name: string
  readonly type: AbiType
}

type AbiShape =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'bool' | 'address' | 'bytes' | 'string' }
  | { readonly kind: 'fixedBytes'; readonly length: number }
  | { readonly kind: 'array'; readonly element: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly components: readonly AbiParameter[] }

export type AbiType = AbiShape & {
  /** Canonical form in a signature: `uint256` for `uint`, no names. */
  readonly canonical: string
  /** Bytes in the head: 32 for a dynamic type, whose head is an offset. */
  readonly size: number
  readonly isDynamic: boolean
}

/** Limit on nesting; Solidity's stack limit is far lower. */
const MAX_DEPTH = 32

const INTEGER = /^(u?int)([1-9][0-9]{0,2})?$/
const FIXED_BYTES = /^bytes([1-9][0-9]?)$/
const ARRAY = /^(.*)\[([1-9][0-9]{0,8})?\]$/s

function staticWord(shape: AbiShape, canonical: string): AbiType {
  return { ...shape, canonical, size: 32, isDynamic: false }
}

function parseElementary(type: string): AbiType | undefined {
  if (type === 'bool' || type === 'address') return staticWord({ kind: type }, type)
  if (type === 'string' || type === 'bytes') return { kind: type, canonical: type, size: 32, isDynamic: true }
  // An address and a selector (ABI specification, Types).
  if (type === 'function') return staticWord({ kind: 'fixedBytes', length: 24 }, type)
  const [, sign, width] = INTEGER.exec(type) ?? []
  if (sign === 'uint' || sign === 'int') {
    const bits = Number(width ?? 256)
    return bits % 8 === 0 && bits <= 256 ? staticWord({ kind: sign, bits }, `${sign}${bits}`) : undefined
  }
  const length = Number(FIXED_BYTES.exec(type)?.[1] ?? 0)
  return length >= 1 && length <= 32 ? staticWord({ kind: 'fixedBytes', length }, type) : undefined
}

/** An array of so many elements, or of any number. */
export function arrayTypeOf(element: AbiType, length?: number): AbiType {
  const isDynamic = length === undefined || element.isDynamic
  const canonical = `${element.canonical}[${length ?? ''}]`
  const size = isDynamic ? 32 : element.size * length
  return { kind: 'array', element, length, canonical, size, isDynamic }
}

function tupleOf(components: readonly AbiParameter[]): AbiType {
  const types = components.map(({ type }) => type)
  const isDynamic = types.some((type) => type.isDynamic)
  const size = isDynamic ? 32 : types.reduce((sum, type) => sum + type.size, 0)
  return { kind: 'tuple', components, canonical: signatureOf('', types), size, isDynamic }
}

/** The signature whose hash begins with the selector. */
export function signatureOf(name: string, types: readonly AbiType[]): string {
  return `${name}(${types.map(({ canonical }) => canonical).join(',')})`
}

/** Parses a parameter of a JSON ABI; `undefined` if it is malformed. */
function parseParameter(value: unknown, depth: number): AbiParameter | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { name = '', type, components } = value as { name?: unknown; type?: unknown; components?: unknown }
  if (typeof name !== 'string' || typeof type !== 'string') return undefined
  const parsed = parseType(type, components, depth)
  return parsed === undefined ? undefined : { name, type: parsed }
}

function parseAll(values: unknown, depth: number): readonly AbiParameter[] | undefined {
  if (!Array.isArray(values)) return undefined
  const parsed: AbiParameter[] = []
  // Ends at the first that is none: an array of holes may be four thousand million long.
  for (const value of values) {
    const parameter = parseParameter(value, depth)
    if (parameter === undefined) return undefined
    parsed.push(parameter)
  }
  return parsed
}

function parseType(type: string, components: unknown, depth: number): AbiType | undefined {
  if (depth > MAX_DEPTH) return undefined
  const [, inner, count] = ARRAY.exec(type) ?? []
  if (inner !== undefined) {
    const element = parseType(inner, components, depth + 1)
    return element && arrayTypeOf(element, count === undefined ? count : Number(count))
  }
  if (type !== 'tuple') return parseElementary(type)
  const parsed = parseAll(components, depth + 1)
  // Empty tuples have size zero, so an array could claim any number of them.
  return parsed === undefined || parsed.length === 0 ? undefined : tupleOf(parsed)
}

/** Parses the parameters of a function, event or error; `undefined` if a type is unknown. */
export function parseAbiParameters(inputs: unknown): readonly AbiParameter[] | undefined {
  return parseAll(inputs, 0)
}

/** An elementary type by its Solidity name, such as `uint256`. */
export function elementaryType(type: string): AbiType {
  const parsed = parseElementary(type)
  if (parsed === undefined) throw new TypeError(`not an elementary type: ${type}`)
  return parsed
}

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
  /** Bytes left to read. Bounded, because offsets may point to the same data many times. */
  allowance: number
  /** True to ignore the bits of a word beside its value, and to mark bytes that are not UTF-8. */
  readonly isLoose: boolean
}

/** Limit on reads, in multiples of the data's length; a regular encoding is read once. */
const MAX_READS = 4

/** Bytes that are not UTF-8 become marks. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

const MALFORMED = new RangeError('not an encoding of these types')

function take(reader: Reader, start: number, length: number): Uint8Array {
  reader.allowance -= length
  if (start + length > reader.bytes.length || reader.allowance < 0) throw MALFORMED
  return reader.bytes.subarray(start, start + length)
}

/** Reads an offset or a length, at most the number of bytes. */
function takeSize(reader: Reader, start: number): number {
  const size = bytesToBigInt(take(reader, start, 32))
  if (size > BigInt(reader.bytes.length)) throw MALFORMED
  return Number(size)
}

function checked<Value>({ isLoose }: Reader, isValid: boolean, value: Value): Value {
  if (!isValid && !isLoose) throw MALFORMED
  return value
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== 0) return false
  return true
}

function decodeWord(reader: Reader, type: AbiType, start: number): AbiValue {
  const bytes = take(reader, start, 32)
  switch (type.kind) {
    case 'uint': {
      const word = bytesToBigInt(bytes)
      const value = BigInt.asUintN(type.bits, word)
      return checked(reader, value === word, value)
    }
    case 'int': {
      const word = BigInt.asIntN(256, bytesToBigInt(bytes))
      const value = BigInt.asIntN(type.bits, word)
      return checked(reader, value === word, value)
    }
    case 'bool':
      return checked(reader, isZero(bytes, 0, 31) && (bytes[31] as number) <= 1, !isZero(bytes, 0, 32))
    case 'address':
      return checked(reader, isZero(bytes, 0, 12), bytesToHex(bytes.subarray(12)))
    case 'fixedBytes':
      return checked(reader, isZero(bytes, type.length, 32), bytesToHex(bytes.subarray(0, type.length)))
    default:
      throw MALFORMED
  }
}

/** Decodes consecutive values; offsets of dynamic ones count from `base`. */
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
  // Checked before the allocation, because the count is untrusted.
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
    case 'string': {
      const text = take(reader, start + 32, takeSize(reader, start))
      return reader.isLoose ? utf8.decode(text) : bytesToText(text)
    }
    case 'array':
      return decodeArray(reader, type, start)
    case 'tuple': {
      const { components } = type
      const types = components.map((component) => component.type)
      return nameValues(components, decodeSequence(reader, types, start))
    }
    default:
      return decodeWord(reader, type, start)
  }
}

/**
 * The decoded values, or `undefined` for a malformed encoding; ignores trailing bytes. Loosely, as forge decodes, the bits
 * of a word beside its value count for nothing.
 */
export function decodeAbi(
  types: readonly AbiType[],
  bytes: Uint8Array,
  { isLoose = false } = {},
): AbiValue[] | undefined {
  try {
    return decodeSequence({ bytes, allowance: bytes.length * MAX_READS, isLoose }, types, 0)
  } catch (error) {
    if (error === MALFORMED) return undefined
    throw error
  }
}

/** Decodes the values of parameters; `undefined` as in `decodeAbi`. */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  bytes: Uint8Array,
): AbiValue[] | undefined {
  return decodeAbi(
    parameters.map(({ type }) => type),
    bytes,
  )
}

/** A value in the syntax of Solidity: strings in quotes, arrays in brackets, tuples in parentheses. */
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

/** Values as a list of arguments. */
export function showAbiValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return parameters.map(({ type }, index) => showAbiValue(type, values[index] as AbiValue)).join(', ')
}
