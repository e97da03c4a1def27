// The digest of typed data in JSON (EIP-712), read as loosely as forge 1.7.1 reads it.

import * as abi from '../../core/primitives/abi.ts'
import { keccak256 } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { refuseWith } from './errors.ts'
import { isArray, isJsonMap, type Json, type JsonMap, JsonNumber, parseJson, writeJson } from './json.ts'
import { checkTypes, hashedWord, parameter, type Structs, typeName } from './struct-types.ts'

type Word = hex.Hex | string | readonly Word[]

const DOMAIN = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
}
const BYTE = abi.elementaryType('uint8')
const NUMBER = /^(-?)(\d+|0x[\da-f]+|0o[0-7]+|0b[01]+)$/i
const HEX = /^(0x)?([\da-f]{2})*$/i

function misshapen(): never {
  refuseWith('data did not match any variant of untagged enum StrOrVal')
}

/** A value of a type of one word, or its bytes or text; `undefined` if it is none. */
function elementary(type: abi.AbiType, value: Json): Word | undefined {
  const text = typeof value === 'string' || typeof value === 'boolean' ? `${value}` : undefined
  if (type.kind === 'uint' || type.kind === 'int') {
    // Numbers of more than 64 bits have to be texts.
    const bits = value instanceof JsonNumber ? Math.min(64, type.bits) : type.bits
    const [, sign, digits] =
      NUMBER.exec(value instanceof JsonNumber ? value.text : text === '' ? '0' : (text ?? '')) ?? []
    const number = BigInt(digits ?? -1) * (sign === '-' ? -1n : 1n)
    const kept = type.kind === 'int' ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)
    return digits === undefined || kept !== number ? undefined : hex.toWord(BigInt.asUintN(256, number))
  }
  if (type.kind === 'bool') return { true: hex.toWord(1n), false: hex.toWord(0n) }[text ?? '']
  if (type.kind === 'string') return typeof value === 'string' ? value : undefined
  const listed =
    type.kind === 'bytes' && isArray(value) && value.map((each) => elementary(BYTE, each)?.slice(-2))
  const given = listed && !listed.includes(undefined) ? listed.join('') : text
  if (given === undefined || !HEX.test(given)) return undefined
  const bytes = given.replace(/^0x/, '')
  if (type.kind === 'bytes') return `0x${bytes}`
  // As in forge, bytes that are too long are cut.
  if (type.kind === 'fixedBytes') return `0x${bytes.slice(0, 2 * type.length).padEnd(64, '0')}`
  return bytes.length === 40 ? hex.toWord(BigInt(`0x${bytes}`)) : undefined
}

/** A value as the hash of a type takes it. */
function coerced(type: abi.AbiType, value: Json): Word {
  if (type.kind === 'array' && isArray(value) && (type.length ?? value.length) === value.length)
    return value.map((each) => coerced(type.element, each))
  if (type.kind === 'tuple' && isJsonMap(value) && type.components.every(({ name }) => value.has(name)))
    return type.components.map((each) => coerced(each.type, value.get(each.name) as Json))
  const word = elementary(type, value)
  if (word !== undefined) return word
  const given = JSON.stringify(writeJson(value))
  refuseWith(`type mismatch: expected type "${typeName(type)}", got value with type ${given}`)
}

function hashOf(structs: Structs, type: string, value: Json): Uint8Array {
  checkTypes(structs, type)
  if (structs.get(type)?.length === 0) return hashedWord(structs, type, [])
  const [parsed] = abi.parseAbiParameters([parameter(type, '', structs)]) ?? []
  return hashedWord(structs, type, coerced((parsed as abi.AbiParameter).type, value) as never)
}

function structsOf(types: JsonMap): Structs {
  const textAt = (field: Json, key: string): string => {
    const text = isJsonMap(field) ? field.get(key) : undefined
    return typeof text === 'string' ? text : misshapen()
  }
  return new Map(
    [...types].map(([name, fields]) => [
      name,
      (isArray(fields) ? fields : misshapen()).map((each) => ({
        name: textAt(each, 'name'),
        type: textAt(each, 'type'),
      })),
    ]),
  )
}

function hashDomain(domain: JsonMap): Uint8Array {
  const given = Object.entries(DOMAIN).filter(([name]) => (domain.get(name) ?? null) !== null)
  const fields = given.map(([name, type]) => ({ name, type }))
  if (!/^(0x)?[\da-f]{64}$/i.test(`${domain.get('salt') ?? '0'.repeat(64)}`)) return misshapen()
  try {
    return hashOf(new Map([['EIP712Domain', fields]]), 'EIP712Domain', domain)
  } catch {
    return misshapen()
  }
}

export function hashTypedJson(text: string): hex.Hex {
  const typed = parseJson(text)
  const at = (name: string) => (isJsonMap(typed) ? typed.get(name) : undefined)
  const [types, primary, domain = new Map()] = [at('types'), at('primaryType'), at('domain')]
  if (types === undefined || !isJsonMap(types) || typeof primary !== 'string' || !isJsonMap(domain))
    return misshapen()
  const structs = structsOf(types)
  const separator = hashDomain(domain)
  // The domain alone is signed as it is.
  const parts = primary === 'EIP712Domain' ? [] : [hashOf(structs, primary, at('message') ?? null)]
  return hex.bytesToHex(keccak256(hex.concatBytes(Uint8Array.of(0x19, 0x01), separator, ...parts)))
}
