// Addresses of B20 tokens: a prefix, the variant, and a part of a hash of who created it and a salt.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Address, concatBytes, type Hash, hexToBytes, padLeft } from '../../primitives/hex.ts'

const PREFIX = `0xb2${'00'.repeat(9)}`

/** True for an address of the form of a token, whether there is one or not. */
export function isB20(address: Address): boolean {
  return address.startsWith(PREFIX)
}

export type Variant = 'asset' | 'stablecoin'

export const VARIANTS: readonly Variant[] = ['asset', 'stablecoin']

/** The variant that a token at an address has; `undefined` if there cannot be one. */
export function variantAt(address: Address): Variant | undefined {
  return isB20(address) ? VARIANTS[Number(address.slice(22, 24))] : undefined
}

/** What is hashed for the address of a token. */
export function addressPreimage(creator: Address, salt: Hash): Uint8Array {
  return concatBytes(padLeft(hexToBytes(creator), 32), hexToBytes(salt))
}

export function tokenAddress(variant: Variant, preimage: Uint8Array): Address {
  const index = VARIANTS.indexOf(variant).toString(16).padStart(2, '0')
  return `${PREFIX}${index}${keccak256Hex(preimage).slice(2, 20)}` as Address
}
