// What the calls of an emulator take, checked: each check refuses with `invalidCall`, and says what was expected.

import { failure } from '../../primitives/errors.ts'
import { type Address, type Hash, type Hex, hexToBytes, isHexBytes } from '../../primitives/hex.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import type { Amount } from '../options/checks.ts'
import { amountOf } from '../options/checks.ts'

/** Refuses an argument with `invalidCall`. */
export function refuseArgument(call: string, expected: string, value: unknown): never {
  const isShown = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  const given = typeof value === 'string' ? `"${value.slice(0, 40)}"` : isShown ? `${value}` : typeof value
  throw failure('invalidCall', { call, expected, given })
}

/** A whole number that is not below `least`. */
export function asWholeNumber(call: string, name: string, value: unknown, least = 0): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
  return refuseArgument(call, `${name} to be a whole number from ${least}`, value)
}

export function asBoolean(call: string, name: string, value: unknown): boolean {
  return typeof value === 'boolean' ? value : refuseArgument(call, `${name} to be true or false`, value)
}

/** One of the values that there are. */
export function asOneOf<Choice extends string>(
  call: string,
  choices: readonly Choice[],
  value: unknown,
  expected = `one of ${choices.join(', ')}`,
): Choice {
  return choices.find((choice) => choice === value) ?? refuseArgument(call, expected, value)
}

/** An argument that is an object, and not an array. */
export function asObjectArgument<Fields extends object>(
  call: string,
  value: Fields,
  expected = 'an object',
): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value
    : refuseArgument(call, expected, value)
}

/** An argument that is an object, or absent. */
export function asFields<Fields extends object>(
  call: string,
  value: Fields | undefined,
  expected?: string,
): Partial<Fields> {
  return value === undefined ? {} : asObjectArgument(call, value, expected)
}

export function asAmountArgument(call: string, name: string, value: Amount, most = MAX_UINT256): bigint {
  return (
    amountOf(value, most) ?? refuseArgument(call, `${name} to be a whole number from 0 to ${most}`, value)
  )
}

export function asAddressArgument(call: string, value: unknown, name?: string): Address {
  const expected = name === undefined ? 'an address of 20 bytes' : `${name} to be an address of 20 bytes`
  return isHexBytes(value, 20) ? (value.toLowerCase() as Address) : refuseArgument(call, expected, value)
}

export function asHashArgument(
  call: string,
  value: unknown,
  expected = '32 bytes of hex with 0x prefix',
): Hash {
  return isHexBytes(value, 32) ? (value.toLowerCase() as Hash) : refuseArgument(call, expected, value)
}

/** Bytes, or hex of them. */
export function asBytesArgument(call: string, name: string, value: Hex | Uint8Array): Uint8Array {
  if (value instanceof Uint8Array) return value
  return isHexBytes(value) ? hexToBytes(value) : refuseArgument(call, `${name} as bytes or hex`, value)
}
