// Validating readers for untrusted JSON such as state dumps. Errors name the path and the expected value.

import { failure } from './errors.ts'
import { type Hash, type Hex, isHexBytes } from './hex.ts'

export function malformed(path: string, expected: string): never {
  throw failure('undecodableState', { reason: `${path}: expected ${expected}` })
}

export function readObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) malformed(path, 'an object')
  return value as Record<string, unknown>
}

export function readArray(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : malformed(path, 'an array')
}

/** The items of an array, each read with its path. */
export function readEach<Item>(
  value: unknown,
  path: string,
  read: (item: unknown, path: string) => Item,
): Item[] {
  return readArray(value, path).map((item, index) => read(item, `${path}[${index}]`))
}

/** Reads a value; `undefined` if it is null or absent. */
export function readOptional<Value>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => Value,
): Value | undefined {
  return value === undefined || value === null ? undefined : read(value, path)
}

/** Reads hex bytes, in lower case. */
export function readHex(value: unknown, path: string, length?: number): Hex {
  if (!isHexBytes(value, length))
    malformed(path, length === undefined ? 'hex bytes' : `${length} bytes of hex`)
  return value.toLowerCase() as Hex
}

export function readAddressField(value: unknown, path: string): Hex {
  return readHex(value, path, 20)
}

export function readHash(value: unknown, path: string): Hash {
  return readHex(value, path, 32)
}

/** Reads a non-negative integer: hex, decimal digits, or a JSON number. */
export function readAmount(value: unknown, path: string, bits: 63 | 64 | 256 = 256): bigint {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  const isText = typeof value === 'string' && value.length <= 80 && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value)
  if (!isNumber && !isText) malformed(path, 'a whole number')
  const amount = BigInt(value as number | string)
  return amount < 1n << BigInt(bits) ? amount : malformed(path, `a number of ${bits} bits`)
}

/** Reads an integer that fits a JavaScript number. */
export function readInteger(value: unknown, path: string, most = Number.MAX_SAFE_INTEGER): number {
  const amount = readAmount(value, path)
  return amount <= BigInt(most) ? Number(amount) : malformed(path, `a whole number up to ${most}`)
}
