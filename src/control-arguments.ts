// What the controls of an emulator take, checked.

import type { Amount } from './genesis-options.ts'
import { failure } from './primitives/errors.ts'
import { type Address, type Hash, isHexBytes } from './primitives/hex.ts'

const MAX_UINT256 = 2n ** 256n - 1n

/** Refuses an argument with `invalidCall`, saying what was expected. */
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

/** An argument that is an object, or absent. */
export function asFields<Fields extends object>(call: string, value: Fields | undefined): Partial<Fields> {
  if (value === undefined) return {}
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value
    : refuseArgument(call, 'an object', value)
}

export function asAmountArgument(call: string, name: string, value: Amount, most = MAX_UINT256): bigint {
  const given: unknown = value
  const isNumber = typeof given === 'bigint' || Number.isSafeInteger(given)
  const isText = typeof given === 'string' && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(given)
  const amount = isNumber || isText ? BigInt(given as bigint | number | string) : -1n
  if (amount >= 0n && amount <= most) return amount
  return refuseArgument(call, `${name} to be a whole number from 0 to ${most}`, value)
}

export function asAddressArgument(call: string, value: unknown): Address {
  return isHexBytes(value, 20)
    ? (value.toLowerCase() as Address)
    : refuseArgument(call, 'an address of 20 bytes', value)
}

export function asHashArgument(call: string, value: unknown): Hash {
  return isHexBytes(value, 32)
    ? (value.toLowerCase() as Hash)
    : refuseArgument(call, '32 bytes of hex with 0x prefix', value)
}
