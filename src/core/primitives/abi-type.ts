// ABI types, parsed from `type` and `components` of a JSON ABI.

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

function arrayOf(element: AbiType, length: number | undefined): AbiType {
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
    return element === undefined ? undefined : arrayOf(element, count === undefined ? count : Number(count))
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
