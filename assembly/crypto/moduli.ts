// Inverses mod the prime of the field and mod the order of the curve.

import { copy, LIMB_BITS, normalize } from './field'
import { INVERSE_LIMB_BITS, invert } from './inverse'
import { changeLimbs, limbsFromBytes, limbsToBytes } from './limbs'

/** Buffer for inputs and outputs of 32 or 64 big-endian bytes. */
export const BYTES = memory.data(64, 8)

/** The prime and the order in signed limbs of 30 bits, and their inverses mod 2^30, from libsecp256k1. */
const PRIME = memory.data<i32>([-0x3d1, -4, 0, 0, 0, 0, 0, 0, 0x10000])
const PRIME_INVERSE: u32 = 0x2ddacacf
const ORDER = memory.data<i32>([
  0x10364141, 0x3f497a33, 0x348a03bb, 0x2bb739ab, -0x146, 0, 0, 0, 0x10000,
])
const ORDER_INVERSE: u32 = 0x2a774ec1

const limbs = memory.data(36)

/** r = 1/a mod p, normalized. */
export function invertField(r: usize, a: usize): void {
  copy(r, a)
  normalize(r)
  changeLimbs(limbs, r, LIMB_BITS, INVERSE_LIMB_BITS)
  invert(limbs, PRIME, PRIME_INVERSE)
  changeLimbs(r, limbs, INVERSE_LIMB_BITS, LIMB_BITS)
}

/** Replaces the first 32 bytes of BYTES by their inverse mod n. */
export function invertScalar(): void {
  limbsFromBytes(limbs, BYTES, INVERSE_LIMB_BITS)
  invert(limbs, ORDER, ORDER_INVERSE)
  limbsToBytes(BYTES, limbs, INVERSE_LIMB_BITS)
}
