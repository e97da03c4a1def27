// What an option's value may be: each check names the option and what was expected.

import { failure } from '../../primitives/errors.ts'
import { type Address, type Hex, isHexBytes } from '../../primitives/hex.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import { textOf } from '../../primitives/text-of.ts'

export const MAX_UINT64 = 2n ** 64n - 1n

/** A whole number: a bigint, a JavaScript integer, or a hex or decimal string. */
export type Amount = bigint | number | string

/** An amount as users write it: bigint, number, hex or decimal string; `undefined` for what is none up to `most`. */
export function amountOf(value: unknown, most: bigint): bigint | undefined {
  const isNumber = typeof value === 'bigint' || Number.isSafeInteger(value)
  const isText = typeof value === 'string' && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value)
  if (!isNumber && !isText) return undefined
  const amount = BigInt(value as bigint | number | string)
  return amount >= 0n && amount <= most ? amount : undefined
}

/** A value as an error shows it. */
function show(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 60)}"`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return textOf(value)
}

export function refuse(option: string, expected: string, value: unknown): never {
  throw failure('invalidOption', { option, expected, given: show(value) })
}

export function asObject<Shape extends object>(
  option: string,
  value: unknown,
  keys: readonly (keyof Shape & string)[],
): Shape {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(option, 'an object', value)
  for (const key of Object.keys(value)) {
    if (!(keys as readonly string[]).includes(key)) {
      const path = option === 'options' ? key : `${option}.${key}`
      throw failure('invalidOption', {
        option: path,
        expected: `one of ${keys.join(', ')}`,
        given: 'an unknown option',
      })
    }
  }
  return value as Shape
}

export function asInteger(
  option: string,
  value: unknown,
  fallback: number,
  least: number,
  most: number,
): number {
  if (value === undefined) return fallback
  const isWithin = Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
  if (!isWithin) refuse(option, `a whole number from ${least} to ${most}`, value)
  return value as number
}

export function asChoice<Choice extends string>(
  option: string,
  value: unknown,
  fallback: Choice,
  choices: readonly Choice[],
): Choice {
  if (value === undefined) return fallback
  if (!(choices as readonly unknown[]).includes(value)) refuse(option, `one of ${choices.join(', ')}`, value)
  return value as Choice
}

export function asFlag(option: string, value: unknown, fallback = false): boolean {
  if (value === undefined) return fallback
  if (typeof value !== 'boolean') refuse(option, 'true or false', value)
  return value
}

export function asAmount(option: string, value: unknown, fallback: bigint, most = MAX_UINT256): bigint {
  if (value === undefined) return fallback
  const expected = `a whole number from 0 to ${most === MAX_UINT64 ? '2^64 - 1' : '2^256 - 1'}, as bigint, number, hex or decimal string`
  return amountOf(value, most) ?? refuse(option, expected, value)
}

export function asAddress(option: string, value: unknown): Address {
  const prefixed = typeof value === 'string' && !value.startsWith('0x') ? `0x${value}` : value
  if (!isHexBytes(prefixed, 20)) refuse(option, 'an address, 20 bytes of hex', value)
  return prefixed.toLowerCase() as Address
}

export function asData(option: string, value: unknown, fallback: Hex): Hex {
  if (value === undefined) return fallback
  if (!isHexBytes(value)) refuse(option, 'hex bytes with 0x prefix', value)
  return value.toLowerCase() as Hex
}

export function asWord(option: string, value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    refuse(option, 'hex of up to 32 bytes', value)
  return `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
}
