// Addresses in the form that @ethereumjs has them. A class of our own, because importing that of @ethereumjs loads its
// library.

import { type Address, bytesToHex, equalBytes, hexToBytes } from '../primitives/hex.ts'
import { memoizeMany } from '../primitives/lru-cache.ts'

export class EvmAddress {
  readonly bytes: Uint8Array
  readonly hex: Address
  /** Without prefix. Kept, because the engine hashes a new string whenever it looks it up. */
  readonly bare: string
  /** See `wordsOf`. */
  words: Uint32Array | undefined = undefined

  constructor(bytes: Uint8Array, hex: Address = bytesToHex(bytes)) {
    this.bytes = bytes
    this.hex = hex
    this.bare = hex.slice(2)
  }

  equals(other: { readonly bytes: Uint8Array }): boolean {
    return equalBytes(this.bytes, other.bytes)
  }

  isZero(): boolean {
    return this.bytes.every((byte) => byte === 0)
  }

  isPrecompileOrSystemAddress(): boolean {
    return BigInt(this.hex) <= 0xffffn
  }

  toString(): Address {
    return this.hex
  }

  toBytes(): Uint8Array {
    return this.bytes.slice()
  }
}

/** An address as a word of linear memory: eight numbers, the least first. */
export function wordsOf(address: EvmAddress): Uint32Array {
  if (address.words === undefined) {
    address.words = new Uint32Array(8)
    new Uint8Array(address.words.buffer).set(address.bytes.slice().reverse())
  }
  return address.words
}

/** Memoized, because most calls use the same few addresses. */
export const toEvmAddress = memoizeMany(
  1024,
  (address: Address) => new EvmAddress(hexToBytes(address), address),
)
