// Cheatcodes that read and write JSON and TOML. Both are read into the same values.

import { parse as readTables, TomlDate } from 'smol-toml'
import * as abi from '../../core/primitives/abi.ts'
import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import { encodeAbi } from '../../core/primitives/encode-abi.ts'
import * as hex from '../../core/primitives/hex.ts'
import type { Cheatcode, Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal, MALFORMED, refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { look, readFile, writeFile } from './file-cheatcodes.ts'
import * as jsonValues from './json.ts'
import { select } from './json-paths.ts'
import { describedType, typeName } from './struct-types.ts'
import { parseValue, TYPES } from './values.ts'

function coerce(value: jsonValues.Json, type: abi.AbiType): abi.AbiValue {
  if (jsonValues.isArray(value)) {
    if (type.kind !== 'array') refuseWith(`expected ${typeName(type)}, found array`)
    if (type.length !== undefined && type.length !== value.length) refuseWith('array length mismatch')
    return value.map((each) => coerce(each, type.element))
  }
  if (jsonValues.isJsonMap(value)) {
    if (type.kind !== 'tuple') refuseWith(`expected ${typeName(type)}, found JSON object`)
    return type.components.map(({ name, type: component }) => {
      const field = value.get(name)
      if (field !== undefined) return coerce(field, component)
      return refuseWith(`field ${JSON.stringify(name)} not found in JSON object`)
    })
  }
  if (typeof value === 'string') return parseValue(value, typeName(type))
  return parseValue(jsonValues.writeJson(value), typeName(type))
}

function typeOf(type: string): abi.AbiType {
  const [parsed] = abi.parseAbiParameters([{ type }]) ?? []
  return (parsed as { readonly type: abi.AbiType }).type
}

function valueAt(value: jsonValues.Json, path: string, type: abi.AbiType): abi.AbiValue {
  const [found, ...more] = select(value, path)
  if (found !== undefined && more.length === 0) return coerce(found, type)
  refuseWith(`path ${JSON.stringify(path)} must return exactly one JSON value`)
}

type Described = [text: string, path: string | undefined, description: string]

/** The encoding of what is at a path, as a type, or as an array of it. */
function encoded(
  { cheats }: CheatExecution,
  value: jsonValues.Json,
  [, path = '$', of]: Described,
  isArray: boolean,
): hex.Hex {
  const type = describedType(of, cheats.setting.declared().structs)
  const whole = isArray ? abi.arrayTypeOf(type) : type
  return hex.bytesToHex(encodeAbi([whole], [valueAt(value, path, whole)], hex.EMPTY_BYTES))
}

function keysAt(value: jsonValues.Json, path: string): readonly string[] {
  const [found, ...more] = select(value, path)
  if (found === undefined || more.length > 0)
    refuseWith(`key ${JSON.stringify(path)} must return exactly one JSON object`)
  if (jsonValues.isJsonMap(found)) return [...found.keys()]
  refuseWith(`JSON value at ${JSON.stringify(path)} is not an object`)
}

function reading(format: string, read: Read): Cheatcodes {
  const name = `parse${format}`
  const typed = Object.entries(TYPES).flatMap(([end, type]): [string, Cheatcode][] =>
    (['', '[]'] as const).map((suffix) => [
      `${name}${end}${suffix && 'Array'}(string,string) returns (${type}${suffix})`,
      (_, text: string, path: string) => valueAt(read(text), path, typeOf(type + suffix)),
    ]),
  )
  return {
    ...Object.fromEntries(typed),
    [`${name}(string,string?) returns (bytes)`]: ({ cheats }, text: string, path = '$') =>
      hex.bytesToHex(jsonValues.encodeInferred(select(read(text), path), cheats.setting.declared().structs)),
    [`${name}Keys(string,string) returns (string[])`]: (_, text: string, path: string) =>
      keysAt(read(text), path),
    [`${name}Type(string,string?,string) returns (bytes)`]: (run, ...given: Described) =>
      encoded(run, read(given[0]), given, false),
    [`${name}TypeArray(string,string,string) returns (bytes)`]: (run, ...given: Described) =>
      encoded(run, read(given[0]), given, true),
    [`keyExists${format}(string,string) returns (bool)`]: (_, text: string, path: string) =>
      select(read(text), path).length > 0,
  }
}

/** A fraction as forge writes it, which is a text if it is no number. */
function fromFraction(value: number): jsonValues.Json {
  if (!Number.isFinite(value)) return `${value}`.replace('Infinity', 'inf')
  const [digits, power = ''] = value.toExponential().split('e')
  if (Number(power) >= 16 || Number(power) < -5) return new jsonValues.JsonNumber(`${digits}e${power}`)
  const plain = `${Object.is(value, -0) ? '-' : ''}${value}`
  return new jsonValues.JsonNumber(plain.includes('.') ? plain : `${plain}.0`)
}

function fromToml(value: unknown): jsonValues.Json {
  if (typeof value === 'number') return fromFraction(value)
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) return new jsonValues.JsonNumber(`${value}`)
    refuseWith('failed parsing TOML: u64 value was too large')
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(fromToml)
  if (value instanceof TomlDate) return value.toISOString().replace(/(?:\.|(\.\d*?[1-9]))0+(?!\d)/, '$1')
  return new Map(Object.entries(value as object).map(([key, each]) => [key, fromToml(each)]))
}

function parseToml(text: string): jsonValues.Json {
  try {
    return fromToml(readTables(text, { integersAsBigInt: true }))
  } catch (error) {
    if (error instanceof CheatcodeRefusal) throw error
    refuseWith(`failed parsing TOML: ${(error as Error).message}`)
  }
}

const jsonText = (value: jsonValues.Json) => jsonValues.writeJson(value, 2)
type Read = (text: string) => jsonValues.Json

function writing(format: string, read: Read, write: (value: jsonValues.Json) => string): Cheatcodes {
  const put = (run: CheatExecution, text: string, path: string, at?: string) => {
    const given = jsonValues.readJson(text)
    const value = given === undefined ? text : given
    const before = () =>
      look(run, path) === undefined ? new Map() : read(hex.bytesToText(readFile(run, path)))
    const whole = at === undefined ? value : jsonValues.putJson(before(), at, value)
    writeFile(run, path, hex.utf8ToBytes(write(whole)))
  }
  return { [`write${format}(string,string)`]: put, [`write${format}(string,string,string)`]: put }
}

const MOST_INTEGER = 1n << 64n

/** A value of the ABI as JSON. Numbers of more than 64 bits are texts, which others read without loss. */
function toJson(value: abi.AbiValue, type: abi.AbiType): jsonValues.Json {
  if (type.kind === 'array')
    return (value as readonly abi.AbiValue[]).map((each) => toJson(each, type.element))
  if (type.kind === 'tuple') {
    const values = Array.isArray(value) ? value : Object.values(value as object)
    return new Map(
      type.components.map((each, at) => [each.name, toJson(values[at] as abi.AbiValue, each.type)]),
    )
  }
  if (typeof value === 'bigint') {
    const isSmall = type.kind === 'uint' ? value < MOST_INTEGER : BigInt.asIntN(64, value) === value
    return isSmall ? new jsonValues.JsonNumber(`${value}`) : `${value}`
  }
  if (type.kind === 'address') return toChecksumAddress(value as hex.Address)
  if (type.kind !== 'string') return value as string | boolean
  const object = jsonValues.readJson(value as string)
  return object !== undefined && jsonValues.isJsonMap(object) ? object : (value as string)
}

/** Puts a value into an object that is kept by its name, and returns the object as text. */
function serialize(run: CheatExecution, object: string, key: string, value: jsonValues.Json): string {
  const { objects } = run.cheats
  const all = new Map(objects.get(object)).set(key, value)
  const sorted = new Map([...all].sort(([left], [right]) => (left < right ? -1 : 1)))
  run.change({ objects: new Map(objects).set(object, sorted) })
  return jsonValues.writeJson(sorted)
}

type Named<Value> = [object: string, key: string, value: Value]
type Typed = [object: string, key: string, description: string, data: hex.Hex]

const SERIALIZING: Cheatcodes = {
  'keyExists(string,string) returns (bool)': (_, text: string, path: string) =>
    select(jsonValues.parseJson(text), path).length > 0,
  ...Object.fromEntries(
    Object.entries(TYPES).flatMap(([end, name]): [string, Cheatcode][] =>
      [name, `${name}[]`].map((type) => [
        `serialize${end}(string,string,${type}) returns (string)`,
        (run, object: string, key: string, value: abi.AbiValue) =>
          serialize(run, object, key, toJson(value, typeOf(type))),
      ]),
    ),
  ),
  'serializeUintToHex(string,string,uint256) returns (string)': (
    run,
    ...[object, key, value]: Named<bigint>
  ) => serialize(run, object, key, hex.toQuantity(value)),
  'serializeJson(string,string) returns (string)': (run, object: string, text: string) => {
    const value = jsonValues.readJson(text)
    if (value === undefined || !jsonValues.isJsonMap(value))
      refuseWith(`failed to parse JSON object: ${JSON.stringify(text)}`)
    run.change({ objects: new Map(run.cheats.objects).set(object, value) })
    return text
  },
  'serializeJsonType(string,bytes) returns (string)': (run, description: string, data: hex.Hex) =>
    jsonValues.writeJson(decoded(run, description, data)),
  'serializeJsonType(string,string,string,bytes) returns (string)': (
    run,
    ...[object, key, type, data]: Typed
  ) => serialize(run, object, key, decoded(run, type, data)),
}

function decoded({ cheats }: CheatExecution, description: string, data: hex.Hex): jsonValues.Json {
  const type = describedType(description, cheats.setting.declared().structs)
  const [value] = abi.decodeAbi([type], hex.hexToBytes(data)) ?? []
  if (value === undefined) refuseWith(MALFORMED)
  return toJson(value, type)
}

export const JSON_CHEATCODES: Cheatcodes = Object.assign(
  {},
  reading('Json', jsonValues.parseJson),
  // As in forge, a file that is no JSON is a text.
  writing('Json', (text) => jsonValues.readJson(text) ?? text, jsonText),
  reading('Toml', parseToml),
  writing('Toml', parseToml, jsonValues.writeToml),
  SERIALIZING,
)
