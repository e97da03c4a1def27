// Structs in the notation of EIP-712: `Order(address maker,Item[] items)Item(uint256 id)`.

import { type AbiType, parseAbiParameters } from '../../core/primitives/abi.ts'
import { CheatcodeRefusal } from './errors.ts'

interface Field {
  readonly name: string
  readonly type: string
}

/** A struct that sources define. */
export interface DefinedStruct {
  readonly name: string
  readonly fields: readonly string[]
}

export type Structs = ReadonlyMap<string, readonly Field[]>

const STRUCT = /\s*(?<name>[A-Za-z_$][\w$]*)\s*\((?<fields>[^()]*)\)\s*/y

/** The structs in a text, the outermost first. */
export function structsIn(text: string): Structs {
  const structs = new Map<string, readonly Field[]>()
  STRUCT.lastIndex = 0
  for (let at = 0; at < text.length; at = STRUCT.lastIndex) {
    const { name, fields = '' } = STRUCT.exec(text)?.groups ?? {}
    if (name === undefined) throw new CheatcodeRefusal(`failed parsing ${JSON.stringify(text)} as a type`)
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
    if (found !== undefined) return found
    const fault = `field '${field}' not found in provided type for struct '${name}'`
    throw new CheatcodeRefusal(`mismatch between struct definition and type description: ${fault}`)
  })
}

function parameter(type: string, name: string, structs: Structs, depth = 0): object {
  const [, base = '', suffix = ''] = /^([^[]*)(.*)$/.exec(type) ?? []
  const fields = depth > 16 ? undefined : structs.get(base)
  if (fields === undefined) return { name, type }
  const components = fields.map((field) => parameter(field.type, field.name, structs, depth + 1))
  return { name, type: `tuple${suffix}`, components }
}

/** The ABI type of a description: a struct, or a type of Solidity. Throws a refusal for one that is not known. */
export function describedType(description: string, defined: readonly DefinedStruct[] = []): AbiType {
  const given: Structs = /^[\w\s.[\]]+$/.test(description) ? new Map() : structsIn(description)
  const structs = new Map([...given].map(([name, fields]) => [name, inDefinedOrder(name, fields, defined)]))
  const [outermost = description.trim()] = structs.keys()
  const [parsed] = parseAbiParameters([parameter(outermost, '', structs)]) ?? []
  if (parsed !== undefined) return parsed.type
  throw new CheatcodeRefusal(`type description should start with a type name: ${JSON.stringify(description)}`)
}
