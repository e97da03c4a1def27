// Addresses in the form that @ethereumjs has them. A class of our own, because importing that of @ethereumjs loads its
// library. Gas for estimates is recorded while an execution runs: the least with which it would have done the same. One
// run is enough, because gas changes what code does only by running out, unless the code reads how much is left.

import { type Address, bytesToHex, equalBytes, hexToBytes } from '../primitives/hex.ts'
import { memoizeMany } from '../primitives/memoize-last.ts'

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

/** One per EVM; describes the last execution. */
export interface GasWatch {
  /** True if the outcome depends on the exact gas, such as by GAS or by a message that ran out of it. */
  dependsOnGas: boolean
  /** True if code depends on a balance: the sender's depends on how much gas it bought. */
  readsBalance: boolean
  /** True if code sent messages: the caller may survive when one of them runs out of gas. */
  hasMessageCalls: boolean
  /** The least gas with which the message that ended last would have done the same. */
  minimumGas: number
}

export function createGasWatch(): GasWatch {
  return { dependsOnGas: false, readsBalance: false, hasMessageCalls: false, minimumGas: 0 }
}

/** The least gas that lets a frame forward `gas` to a message: all but one 64th (EIP-150). */
export function leastGasToForward(gas: number): number {
  return gas <= 0 ? 0 : gas + Math.floor((gas - 1) / 63)
}
