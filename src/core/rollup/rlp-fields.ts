// Typed fields of transactions in RLP; malformed ones are refused in geth's words.

import { RLP } from '@ethereumjs/rlp'
import { failure } from '../primitives/errors.ts'
import { type Address, bytesToBigInt, bytesToHex, type Hash, type Hex } from '../primitives/hex.ts'
import { decodeItem, type Item } from '../primitives/rlp.ts'

/** Words of geth for a list that ends after the bytes. */
const ENDS_EARLY = 'value size exceeds available input length'

export function undecodable(reason: string): Error {
  return failure('undecodableTransaction', { reason })
}

/** The item in a range of bytes from elsewhere; `refuse` is told why there is none. */
export function decodeForeignItem(
  refuse: (reason: string) => never,
  bytes: Uint8Array,
  at = 0,
  end: number = bytes.length,
): Item {
  try {
    // @ethereumjs/rlp copies all that follows; it is asked only for its error message.
    return decodeItem(bytes, at, end) ?? (RLP.decode(bytes.subarray(at, end)) as Item)
  } catch (error) {
    // The message of a stack overflow differs by engine.
    if (error instanceof RangeError) return refuse('nested too deeply')
    return refuse((error as Error).message.replace(/^invalid RLP \(safeSlice\).*/, ENDS_EARLY))
  }
}

function refuse(reason: string): never {
  throw undecodable(`rlp: ${reason}`)
}

export function decodeList(bytes: Uint8Array): Item[] {
  const item = decodeForeignItem(refuse, bytes)
  if (!Array.isArray(item)) throw undecodable('rlp: expected List')
  return item
}

export function expectLength(items: readonly Item[], length: number): void {
  if (items.length < length) throw undecodable('rlp: too few elements')
  if (items.length > length) throw undecodable('rlp: too many elements')
}

export function asBytes(item: Item | undefined): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw undecodable(item === undefined ? 'rlp: too few elements' : 'rlp: expected String')
}

export function asList(item: Item | undefined): Item[] {
  if (Array.isArray(item)) return item
  throw undecodable(item === undefined ? 'rlp: too few elements' : 'rlp: expected List')
}

export function asInteger(item: Item | undefined, bits: 8 | 64 | 256): bigint {
  const bytes = asBytes(item)
  if (bytes.length > bits / 8) throw undecodable(`rlp: input string too long for uint${bits}`)
  if (bytes[0] === 0) throw undecodable('rlp: non-canonical integer (leading zero bytes)')
  return bytesToBigInt(bytes)
}

export function asBoolean(item: Item | undefined): boolean {
  const value = asInteger(item, 8)
  if (value > 1n) throw undecodable(`rlp: invalid boolean value: ${value}`)
  return value === 1n
}

function asFixed(item: Item | undefined, what: string, length: number): Hex {
  const bytes = asBytes(item)
  if (bytes.length !== length) throw undecodable(`rlp: ${what} must be ${length} bytes`)
  return bytesToHex(bytes)
}

export function asAddress(item: Item | undefined): Address {
  return asFixed(item, 'an address', 20)
}

export function asRecipient(item: Item | undefined): Address | undefined {
  return asBytes(item).length === 0 ? undefined : asAddress(item)
}

export function asHash(item: Item | undefined): Hash {
  return asFixed(item, 'a hash', 32)
}
