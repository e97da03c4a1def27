// Values of actions as JSON and back. What JSON lacks is an object with one field whose name begins with `$`.

import { failure, TickchainError } from '../../../core/primitives/errors.ts'
import { bytesToHex, hexToBytes } from '../../../core/primitives/hex.ts'
import { describe } from '../../../core/primitives/text-of.ts'

/** Numbers that JSON lacks. */
function isOdd(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** A value as JSON; throws `invalidStory` for functions, instances of classes and the like. */
export function encodeValue(value: unknown, path: string): unknown {
  if (typeof value === 'bigint') return { $bigint: `${value}` }
  if (value === undefined) return { $undefined: true }
  if (typeof value === 'number' && isOdd(value)) return { $number: Object.is(value, -0) ? '-0' : `${value}` }
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'string' ||
    typeof value === 'number'
  ) {
    return value
  }
  if (value instanceof Uint8Array) return { $bytes: bytesToHex(value) }
  if (Array.isArray(value)) return value.map((item, index) => encodeValue(item, `${path}[${index}]`))
  if (typeof value !== 'object' || !isPlain(value)) {
    throw failure('invalidStory', { reason: `${path} is ${describe(value)}, which JSON cannot hold` })
  }
  const fields = Object.entries(value).map(([key, item]) => [key, encodeValue(item, `${path}.${key}`)])
  return fields.some(([key]) => `${key}`.startsWith('$')) ? { $object: fields } : Object.fromEntries(fields)
}

const DECODERS: Readonly<Record<string, (coded: never) => unknown>> = {
  $bigint: (digits: string) => BigInt(digits),
  $undefined: () => undefined,
  $number: (digits: string) => Number(digits),
  $bytes: (hex: string) => hexToBytes(hex),
  $object: (fields: readonly [string, unknown][]) =>
    Object.fromEntries(fields.map(([key, item]) => [key, decodeValue(item)])),
}

/** Undoes `encodeValue`; throws `invalidStory` for what is not its result. */
export function decodeValue(coded: unknown): unknown {
  if (Array.isArray(coded)) return coded.map(decodeValue)
  if (typeof coded !== 'object' || coded === null) return coded
  const fields = Object.entries(coded)
  const [[key = '', item] = []] = fields
  if (key.startsWith('$')) {
    const decode = DECODERS[key]
    if (decode === undefined)
      throw failure('invalidStory', { reason: `there is no value of the form ${key}` })
    try {
      return decode(item as never)
    } catch (error) {
      if (error instanceof TickchainError) throw error
      throw failure('invalidStory', { reason: `${describe(item)} is no value of the form ${key}` })
    }
  }
  return Object.fromEntries(fields.map(([name, field]) => [name, decodeValue(field)]))
}
