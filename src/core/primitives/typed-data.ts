// The digest of typed structured data that is signed (EIP-712), in version 4 of eth_signTypedData: arrays, and structs
// that are missing. Types, fields and values come from a user, so each is checked.

import { keccak256 } from './crypto.ts'
import { bigIntToBytes, concatBytes, hexToBytes, isHexBytes, padLeft, utf8ToBytes } from './hex.ts'
import { describe, shorten } from './text-of.ts'

const WORD_BYTES = 32
const EMPTY_WORD = new Uint8Array(WORD_BYTES)
/** Limits on types that refer to each other, and on values in values. */
const MOST_TYPES = 256
const MOST_FIELDS = 1024
const MOST_DEPTH = 64

interface Field {
  readonly name: string
  readonly type: string
}

type Values = Readonly<Record<string, unknown>>

/** A struct type. The hash covers the types that it refers to. */
interface Struct {
  readonly fields: readonly Field[]
  readonly typeHash: Uint8Array
}

/** The reason why typed data are invalid. */
export class TypedDataError extends Error {}

function refuse(message: string): never {
  throw new TypedDataError(message)
}

const IDENTIFIER = /^[a-zA-Z_$][a-zA-Z0-9_$]{0,1023}$/
const ARRAY = /^(.+)\[(0|[1-9][0-9]{0,8})?\]$/s
const INTEGER = /^(u?)int([1-9][0-9]{0,2})?$/
const FIXED_BYTES = /^bytes([1-9][0-9]?)$/

/** The fields of a domain whose type is not given, in the order of the EIP. */
const DOMAIN: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

function asValues(value: unknown, path: string): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(`${path}: expected an object, got ${describe(value)}`)
  return value as Values
}

function asField(value: unknown, path: string): Field {
  const { name, type } = asValues(value, path)
  if (typeof name !== 'string' || !IDENTIFIER.test(name))
    return refuse(`${path}.name: expected the name of a field, got ${describe(name)}`)
  if (typeof type !== 'string') return refuse(`${path}.type: expected a type, got ${describe(type)}`)
  return { name, type }
}

function asFields(value: unknown, path: string): Field[] {
  if (!Array.isArray(value)) return refuse(`${path}: expected an array of fields, got ${describe(value)}`)
  if (value.length > MOST_FIELDS) return refuse(`${path}: more than ${MOST_FIELDS} fields`)
  const fields = value.map((field: unknown, index) => asField(field, `${path}[${index}]`))
  const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) < index)
  return twice === undefined ? fields : refuse(`${path}: two fields are named ${twice.name}`)
}

/** The type of the elements of arrays of arrays, or the type itself. */
function innermost(type: string): string {
  const [, element] = ARRAY.exec(type) ?? []
  return element === undefined ? type : innermost(element)
}

type FieldsByType = ReadonlyMap<string, readonly Field[]>

/** The types that one refers to, without itself. */
function referredTypes(types: FieldsByType, name: string): string[] {
  const found = new Set([name])
  for (const current of found) {
    for (const { type } of types.get(current) ?? []) {
      const inner = innermost(type)
      if (types.has(inner)) found.add(inner)
    }
  }
  return [...found].slice(1)
}

/** A type with those that it refers to, as its hash is made of. */
export function encodeType(types: FieldsByType, name: string): string {
  const one = (type: string): string =>
    `${type}(${(types.get(type) ?? []).map((field) => `${field.type} ${field.name}`).join(',')})`
  return [name, ...referredTypes(types, name).sort()].map(one).join('')
}

function isElementary(type: string): boolean {
  if (['bool', 'address', 'string', 'bytes'].includes(type)) return true
  const bits = Number(INTEGER.exec(type)?.[2] ?? (INTEGER.test(type) ? 256 : Number.NaN))
  if (bits % 8 === 0 && bits <= 256) return true
  return Number(FIXED_BYTES.exec(type)?.[1] ?? WORD_BYTES + 1) <= WORD_BYTES
}

function readStructs(given: Values, domain: Values): ReadonlyMap<string, Struct> {
  const entries = Object.entries(given)
  if (entries.length > MOST_TYPES) return refuse(`types: more than ${MOST_TYPES}`)
  const types = new Map(entries.map(([name, fields]) => [name, asFields(fields, `types.${shorten(name)}`)]))
  if (!types.has('EIP712Domain')) {
    types.set(
      'EIP712Domain',
      DOMAIN.filter(({ name }) => domain[name] !== undefined),
    )
  }
  let count = 0
  for (const [name, fields] of types) {
    if (!IDENTIFIER.test(name)) return refuse(`types: ${describe(name)} is no name of a type`)
    count += fields.length
    if (count > MOST_FIELDS) return refuse(`types: more than ${MOST_FIELDS} fields`)
    for (const field of fields) {
      const inner = innermost(field.type)
      if (!types.has(inner) && !isElementary(inner))
        return refuse(`types.${name}.${field.name}: unknown type ${describe(field.type)}`)
    }
  }
  const structOf = (name: string, fields: readonly Field[]): Struct => ({
    fields,
    typeHash: keccak256(utf8ToBytes(encodeType(types, name))),
  })
  return new Map([...types].map(([name, fields]) => [name, structOf(name, fields)]))
}

function asInteger(value: unknown, path: string, type: string): bigint {
  const isText = typeof value === 'string' && /^-?(?:[0-9]+|0x[0-9a-f]+)$/i.test(value)
  const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value)
  if (!isText && !isNumber) return refuse(`${path}: expected ${type}, got ${describe(value)}`)
  const text = String(value)
  // BigInt takes no sign before 0x. A decimal text of more than 78 digits is out of range whatever it is.
  if (text.length > WORD_BYTES * 2 + 16)
    return refuse(`${path}: ${shorten(text)} is out of the range of ${type}`)
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
}

function encodeInteger(value: unknown, path: string, type: string): Uint8Array {
  const [, unsigned, width] = INTEGER.exec(type) ?? []
  const bits = BigInt(width ?? 256)
  const [least, most] =
    unsigned === 'u' ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
  const integer = asInteger(value, path, type)
  if (integer < least || integer > most)
    return refuse(`${path}: ${shorten(`${integer}`)} is out of the range of ${type}`)
  return padLeft(bigIntToBytes(BigInt.asUintN(256, integer)), WORD_BYTES)
}

function asBytes(value: unknown, path: string, type: string, length?: number): Uint8Array {
  if (value instanceof Uint8Array && (length === undefined || value.length === length)) return value
  return isHexBytes(value, length)
    ? hexToBytes(value)
    : refuse(`${path}: expected ${type} as hex, got ${describe(value)}`)
}

function encodeElementary(value: unknown, path: string, type: string): Uint8Array {
  if (type === 'bool') {
    if (typeof value !== 'boolean') return refuse(`${path}: expected true or false, got ${describe(value)}`)
    return padLeft(Uint8Array.of(value ? 1 : 0), WORD_BYTES)
  }
  if (type === 'address') return padLeft(asBytes(value, path, type, 20), WORD_BYTES)
  if (type === 'bytes') return keccak256(asBytes(value, path, type))
  if (type === 'string') {
    if (typeof value !== 'string') return refuse(`${path}: expected a string, got ${describe(value)}`)
    return keccak256(utf8ToBytes(value))
  }
  const [, length] = FIXED_BYTES.exec(type) ?? []
  if (length === undefined) return encodeInteger(value, path, type)
  const word = new Uint8Array(WORD_BYTES)
  word.set(asBytes(value, path, type, Number(length)))
  return word
}

type Structs = ReadonlyMap<string, Struct>

function encodeArray(
  structs: Structs,
  type: string,
  value: unknown,
  path: string,
  depth: number,
): Uint8Array {
  const [, element = '', length] = ARRAY.exec(type) ?? []
  if (!Array.isArray(value)) return refuse(`${path}: expected an array, got ${describe(value)}`)
  if (length !== undefined && value.length !== Number(length))
    return refuse(`${path}: expected ${length} elements, got ${value.length}`)
  const words = value.map((item: unknown, index) =>
    encodeValue(structs, element, item, `${path}[${index}]`, depth + 1),
  )
  return keccak256(concatBytes(...words))
}

function encodeValue(
  structs: Structs,
  type: string,
  value: unknown,
  path: string,
  depth: number,
): Uint8Array {
  if (depth > MOST_DEPTH) return refuse(`${shorten(path)}: more than ${MOST_DEPTH} values in each other`)
  if (ARRAY.test(type)) return encodeArray(structs, type, value, path, depth)
  if (!structs.has(type)) return encodeElementary(value, path, type)
  // As in eth-sig-util, so that a type may refer to itself.
  return value === undefined || value === null ? EMPTY_WORD : hashStruct(structs, type, value, path, depth)
}

function hashStruct(structs: Structs, name: string, value: unknown, path: string, depth: number): Uint8Array {
  const { fields, typeHash } = structs.get(name) as Struct
  const values = asValues(value, path)
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.name === key))
  if (unknown !== undefined) return refuse(`${path}: ${name} has no field ${describe(unknown)}`)
  const words = fields.map((field) => {
    const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    return encodeValue(structs, field.type, given, `${path}.${field.name}`, depth + 1)
  })
  return keccak256(concatBytes(typeHash, ...words))
}

/**
 * The digest to sign.
 * @throws TypedDataError
 */
export function hashTypedData(typed: Readonly<Record<string, unknown>>): Uint8Array {
  const { primaryType } = typed
  const types = asValues(typed['types'], 'types')
  const domain = asValues(typed['domain'], 'domain')
  const structs = readStructs(types, domain)
  if (typeof primaryType !== 'string' || !structs.has(primaryType))
    return refuse(`primaryType: expected the name of one of the types, got ${describe(primaryType)}`)
  const prefix = Uint8Array.of(0x19, 0x01)
  const separator = hashStruct(structs, 'EIP712Domain', domain, 'domain', 0)
  // The domain alone is signed as it is.
  if (primaryType === 'EIP712Domain') return keccak256(concatBytes(prefix, separator))
  const message = asValues(typed['message'], 'message')
  return keccak256(concatBytes(prefix, separator, hashStruct(structs, primaryType, message, 'message', 0)))
}
