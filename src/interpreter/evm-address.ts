// Addresses in the form that @ethereumjs has them. A class of our own, because importing that of @ethereumjs loads its
// library.

import { type Address, bytesToHex, equalBytes } from '../primitives/hex.ts'

export class EvmAddress {
  readonly bytes: Uint8Array
  readonly hex: Address

  constructor(bytes: Uint8Array, hex: Address = bytesToHex(bytes)) {
    this.bytes = bytes
    this.hex = hex
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
}

export function hexOf({ bytes, hex }: AnyAddress): Address {
  return hex ?? bytesToHex(bytes)
}
