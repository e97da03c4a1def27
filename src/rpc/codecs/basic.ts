// Codecs for the basic types of the execution-apis.

import { type Address, type Hash, type Hex, hexToBytes, isHexBytes } from '../../primitives/hex.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import { type Codec, describe, refuse } from './codec.ts'

const QUANTITY = /^0x[0-9a-fA-F]+$/
const DECIMAL = /^[0-9]+$/
const MAX_UINT64 = 2n ** 64n - 1n

/** Says what keeps a value from being hex of so many bytes. */
function refuseHex(path: string, value: unknown, what: string, length?: number): never {
  if (typeof value !== 'string') refuse(path, `expected ${what}, got ${describe(value)}`)
  if (!value.startsWith('0x')) refuse(path, `hex string without 0x prefix: ${describe(value)}`)
  if (value.length % 2 !== 0) refuse(path, `hex string of odd length: ${describe(value)}`)
  if (!isHexBytes(value)) refuse(path, `invalid hex string: ${describe(value)}`)
  const bytes = (value.length - 2) / 2
  refuse(path, `expected ${what} of ${length} bytes, got ${bytes}`)
}

export const address: Codec<Address, string> = {
  name: 'address',
  decode(value, path) {
    if (!isHexBytes(value, 20)) refuseHex(path, value, 'an address', 20)
    return value.toLowerCase() as Address
  },
}

export const hash: Codec<Hash, string> = {
  name: 'hash',
  decode(value, path) {
    if (!isHexBytes(value, 32)) refuseHex(path, value, 'a hash', 32)
    return value.toLowerCase() as Hash
  },
}

export const data: Codec<Uint8Array, string> = {
  name: 'data',
  decode(value, path) {
    if (typeof value !== 'string') refuseHex(path, value, 'hex data')
    try {
      return hexToBytes(value)
    } catch {
      refuseHex(path, value, 'hex data')
    }
  },
}

/** A storage slot: hex of up to 32 bytes, with or without leading zeros; of none it is zero, as for geth and Hardhat. */
export const slot: Codec<Hash, string> = {
  name: 'storage slot',
  decode(value, path) {
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{0,64}$/.test(value)) {
      refuse(path, `expected a storage slot, hex of up to 32 bytes, got ${describe(value)}`)
    }
    return `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
  },
}

function decodeInteger(value: unknown, path: string, most: bigint, what: string): bigint {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  if (!isNumber && !(typeof value === 'string' && QUANTITY.test(value))) {
    refuse(path, `expected ${what}, got ${describe(value)}`)
  }
  const integer = BigInt(value as string | number)
  if (integer > most) refuse(path, `${what} is too large: ${describe(value)}`)
  return integer
}

/** A hex number of up to 256 bits; a JSON number is taken too, as the other emulators do. */
export const quantity: Codec<bigint, Hex | number> = {
  name: 'quantity',
  decode: (value, path) => decodeInteger(value, path, MAX_UINT256, 'a quantity, a hex number'),
}

/** A hex number of up to 64 bits. */
export const uint64: Codec<bigint, Hex | number> = {
  name: 'quantity (64 bits)',
  decode: (value, path) => decodeInteger(value, path, MAX_UINT64, 'a 64-bit quantity, a hex number'),
}

/** A hex number of up to 8 bits. */
export const uint8: Codec<bigint, Hex | number> = {
  name: 'quantity (8 bits)',
  decode: (value, path) => decodeInteger(value, path, 255n, 'an 8-bit quantity, a hex number'),
}

/** A count or a time that fits a JavaScript integer; hex, a JSON number, or decimal digits. */
export const integer: Codec<number, Hex | number | string> = {
  name: 'integer',
  decode(value, path) {
    const parsed = typeof value === 'string' && DECIMAL.test(value) ? BigInt(value) : value
    const most = BigInt(Number.MAX_SAFE_INTEGER)
    if (typeof parsed === 'bigint' && parsed > most)
      refuse(path, `an integer is too large: ${describe(value)}`)
    return typeof parsed === 'bigint'
      ? Number(parsed)
      : Number(decodeInteger(parsed, path, most, 'a whole number, hex or decimal'))
  },
}

export const boolean: Codec<boolean, boolean> = {
  name: 'boolean',
  decode(value, path) {
    if (typeof value !== 'boolean') refuse(path, `expected true or false, got ${describe(value)}`)
    return value
  },
}

export function arrayOf<Value, Wire>(
  item: Codec<Value, Wire>,
  most: number,
): Codec<Value[], readonly Wire[]> {
  return {
    name: `array of ${item.name}`,
    decode(value, path) {
      if (!Array.isArray(value)) refuse(path, `expected an array, got ${describe(value)}`)
      if (value.length > most) refuse(path, `expected at most ${most} items, got ${value.length}`)
      // Array.from sees the holes of an array, which map passes over.
      return Array.from(value, (element, index) => item.decode(element, `${path}[${index}]`))
    },
  }
}

/** An object as a record; anything else is refused. */
export function asRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(path, `expected an object, got ${describe(value)}`)
  }
  return value as Record<string, unknown>
}

/** Decodes a field of an object; absent and null are `undefined`. */
export function field<Value>(
  record: Record<string, unknown>,
  name: string,
  codec: Codec<Value>,
  path: string,
): Value | undefined {
  const value = record[name]
  return value === undefined || value === null ? undefined : codec.decode(value, `${path}.${name}`)
}
