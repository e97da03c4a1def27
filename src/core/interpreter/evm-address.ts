// Addresses in the form that @ethereumjs has them. A class of our own, because importing that of @ethereumjs loads its
// library.

import { type Address, bytesToHex, equalBytes } from '../primitives/hex.ts'

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

/** An address of this library or of @ethereumjs, whose frames send messages too. */
export interface AnyAddress {
  readonly bytes: Uint8Array
  /** One of @ethereumjs does not keep it. */
  readonly hex?: Address
  readonly bare?: string
  words?: Uint32Array | undefined
}

export function hexOf({ bytes, hex }: AnyAddress): Address {
  return hex ?? bytesToHex(bytes)
}

/** The hex of an address without prefix. */
export function bareOf(address: AnyAddress): string {
  return address.bare ?? hexOf(address).slice(2)
}

/** An address as a word of linear memory: eight numbers, the least first. */
export function wordsOf(address: AnyAddress): Uint32Array {
  if (address.words !== undefined) return address.words
  const words = new Uint32Array(8)
  new Uint8Array(words.buffer).set(address.bytes.slice().reverse())
  if (address instanceof EvmAddress) address.words = words
  return words
}
