// Addresses in the form that @ethereumjs has them. A class of our own, because importing that of @ethereumjs loads its
// library.

import { type Address, bytesToHex, equalBytes } from '../primitives/hex.ts'

export class EvmAddress {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  equals(other: { readonly bytes: Uint8Array }): boolean {
    return equalBytes(this.bytes, other.bytes)
  }

  isZero(): boolean {
    return this.bytes.every((byte) => byte === 0)
  }

  isPrecompileOrSystemAddress(): boolean {
    return BigInt(this.toString()) <= 0xffffn
  }

  toString(): Address {
    return bytesToHex(this.bytes)
  }

  toBytes(): Uint8Array {
    return this.bytes.slice()
  }
}
