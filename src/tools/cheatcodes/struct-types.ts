// Structs in the notation of EIP-712: `Order(address maker,Item[] items)Item(uint256 id)`.

import * as abi from '../../core/primitives/abi.ts'
import { keccak256 } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { encodeType } from '../../core/primitives/typed-data.ts'
import { MALFORMED, refuseWith } from './errors.ts'

interface Field {
  readonly name: string
  readonly type: string
}

export interface DefinedStruct {
  readonly name: string
  readonly fields: readonly string[]
}

export type Structs = ReadonlyMap<string, readonly Field[]>

const STRUCT = /\s*(?<name>[A-Za-z_$][\w$]*)\s*\((?<fields>[^()]*)\)\s*/y

function structsIn(text: string): Structs {
  const structs = new Map<string, readonly Field[]>()
  STRUCT.lastIndex = 0
  for (let at = 0; at < text.length; at = STRUCT.lastIndex) {
    const { name, fields = '' } = STRUCT.exec(text)?.groups ?? {}
    if (name === undefined) refuseWith(`failed parsing ${JSON.stringify(text)} as a type`)
    structs.set(
      name,
      fields.split(',').flatMap((field) => {
        const [type, ...names] = field.trim().split(/\s+/)
        return type === undefined || type === '' ? [] : [{ type, name: names.at(-1) ?? '' }]
      }),
    )
  }
  return structs
}

/** The fields of a described struct in the order of its definition. A name that several structs have says nothing. */
function inDefinedOrder(name: string, given: readonly Field[], defined: readonly DefinedStruct[]) {
  const [own, ...more] = defined.filter((each) => each.name === name)
  if (own === undefined || more.length > 0) return given
  return own.fields.map((field) => {
    const found = given.find((each) => each.name === field)
    const fault = `field '${field}' not found in provided type for struct '${name}'`
    return found ?? refuseWith(`mismatch between struct definition and type description: ${fault}`)
  })
}

export function parameter(type: string, name: string, structs: Structs, depth = 0): object {
  const [, base = '', suffix = ''] = /^([^[]*)(.*)$/.exec(type) ?? []
  const fields = depth > 16 ? undefined : structs.get(base)
  if (fields === undefined) return { name, type }
  const components = fields.map((field) => parameter(field.type, field.name, structs, depth + 1))
  return { name, type: `tuple${suffix}`, components }
}

/** Refuses types that are missing, or that have themselves as a part. */
export function checkTypes(structs: Structs, type: string, around: readonly string[] = []): void {
  const own = type.replace(/\[.*/s, '')
  if (around.includes(own)) refuseWith(`circular dependency: ${own}`)
  const fields = structs.get(own)
  if (fields === undefined && (around.length === 0 || abi.parseAbiParameters([{ type: own }]) === undefined))
    refuseWith(`missing type in type resolution: ${own}`)
  for (const field of fields ?? []) checkTypes(structs, field.type, [...around, own])
}

/** The name of a type; a tuple of one has a comma. */
export function typeName(type: abi.AbiType): string {
  if (type.kind === 'array') return `${typeName(type.element)}[${type.length ?? ''}]`
  if (type.kind !== 'tuple') return type.canonical
  const names = type.components.map((each) => typeName(each.type))
  return names.length === 1 ? `(${names},)` : `(${names})`
}

/** The ABI type of a description: a struct, or a type of Solidity. Throws a refusal for one that is not known. */
export function describedType(description: string, defined: readonly DefinedStruct[] = []): abi.AbiType {
  const given: Structs = /^[\w\s.[\]]+$/.test(description) ? new Map() : structsIn(description)
  const structs = new Map([...given].map(([name, fields]) => [name, inDefinedOrder(name, fields, defined)]))
  const [outermost = description.trim()] = structs.keys()
  if (structs.size > 0) checkTypes(structs, outermost)
  const [parsed] = abi.parseAbiParameters([parameter(outermost, '', structs)]) ?? []
  if (parsed !== undefined) return parsed.type
  refuseWith(`type description should start with a type name: ${JSON.stringify(description)}`)
}

/** The struct that no other one uses. Throws a refusal if there is none, or a type is missing. */
function outermostIn(structs: Structs): string | undefined {
  const fields = [...structs.values()].flat()
  const used = new Set(fields.map(({ type }) => type.replace(/\[.*/, '')))
  const [outermost, ...more] = [...structs.keys()].filter((each) => !used.has(each))
  const isKnown = (type: string) => structs.has(type) || abi.parseAbiParameters([{ type }]) !== undefined
  const [missing] = [...used].filter((each) => !isKnown(each))
  const primary =
    more.length === 0 ? 'primary component' : `primary component: ${[outermost, ...more].join(', ')}`
  const isClear = structs.size === 0 || (outermost !== undefined && more.length === 0)
  const fault = missing ?? (isClear ? undefined : primary)
  if (fault !== undefined) refuseWith(`missing type in type resolution: ${fault}`)
  return outermost
}

/** As in forge, a struct is missing if a field of it is not a type and a name. */
function checkFields(description: string): void {
  const fields = [...description.matchAll(/\(([^()]+)\)/g)].flatMap(([, list = '']) => list.split(','))
  if (fields.every((field) => /^$|^ *\S+ +\S+$/.test(field))) return
  refuseWith('missing type in type resolution: primary component')
}

export function typeText(description: string): string {
  checkFields(description)
  const structs = structsIn(description)
  const outermost = outermostIn(structs)
  if (outermost !== undefined && structs.has(outermost)) return encodeType(structs, outermost)
  refuseWith(`failed to find struct with name: ${outermost}`)
}

/** The type with words that are taken whole: as in forge, a value may have more bits than its type. */
function widened(type: abi.AbiType): abi.AbiType {
  if (type.kind === 'array') return { ...type, element: widened(type.element) }
  if (type.kind === 'tuple')
    return { ...type, components: type.components.map((each) => ({ ...each, type: widened(each.type) })) }
  return type.kind === 'string' || type.kind === 'bytes' ? type : abi.elementaryType('bytes32')
}

/** The word that stands for a value in the hash of a struct. */
export function hashedWord(structs: Structs, type: string, value: abi.AbiValue): Uint8Array {
  const [, element] = /^(.*)\[\d*\]$/.exec(type) ?? []
  if (element !== undefined) {
    const words = (value as readonly abi.AbiValue[]).map((each) => hashedWord(structs, element, each))
    return keccak256(hex.concatBytes(...words))
  }
  const fields = structs.get(type)
  if (fields !== undefined) {
    const values = Object.values(value as object) as readonly abi.AbiValue[]
    const words = fields.map((field, at) => hashedWord(structs, field.type, values[at] as abi.AbiValue))
    return keccak256(hex.concatBytes(keccak256(hex.utf8ToBytes(encodeType(structs, type))), ...words))
  }
  if (type === 'string') return keccak256(hex.utf8ToBytes(value as string))
  if (type === 'bytes') return keccak256(hex.hexToBytes(value as hex.Hex))
  const word = BigInt(value as hex.Hex)
  if (type === 'bool') return hex.hexToBytes(hex.toWord(word === 0n ? 0n : 1n))
  return hex.hexToBytes(hex.toWord(type === 'address' ? BigInt.asUintN(160, word) : word))
}

/** The hash of a struct in the ABI's encoding (EIP-712). */
export function hashStruct(description: string, data: hex.Hex): hex.Hex {
  const structs = structsIn(description)
  const primaryType = outermostIn(structs) ?? ''
  if (structs.get(primaryType)?.length === 0) return hex.bytesToHex(hashedWord(structs, primaryType, []))
  const [value] =
    abi.decodeAbi([widened(describedType(typeText(description)))], hex.hexToBytes(data), { isLoose: true }) ??
    []
  if (value !== undefined) return hex.bytesToHex(hashedWord(structs, primaryType, value))
  const where = `using resolved_sol_type directly for '${primaryType}'`
  refuseWith(`Failed to ABI decode ${where}: ${MALFORMED}.`)
}
