// The precompiled contracts by the names that EIP-7910 gives them, and since when they are there.

import type { Address } from '../primitives/hex.ts'
import type { Hardfork } from './hardforks.ts'
import { isForkActive, type Rules } from './rules.ts'

const PRECOMPILES: readonly (readonly [since: Hardfork, number: number, name: string])[] = [
  ['chainstart', 0x01, 'ECREC'],
  ['chainstart', 0x02, 'SHA256'],
  ['chainstart', 0x03, 'RIPEMD160'],
  ['chainstart', 0x04, 'ID'],
  ['byzantium', 0x05, 'MODEXP'],
  ['byzantium', 0x06, 'BN254_ADD'],
  ['byzantium', 0x07, 'BN254_MUL'],
  ['byzantium', 0x08, 'BN254_PAIRING'],
  ['istanbul', 0x09, 'BLAKE2F'],
  ['cancun', 0x0a, 'KZG_POINT_EVALUATION'],
  ['prague', 0x0b, 'BLS12_G1ADD'],
  ['prague', 0x0c, 'BLS12_G1MSM'],
  ['prague', 0x0d, 'BLS12_G2ADD'],
  ['prague', 0x0e, 'BLS12_G2MSM'],
  ['prague', 0x0f, 'BLS12_PAIRING_CHECK'],
  ['prague', 0x10, 'BLS12_MAP_FP_TO_G1'],
  ['prague', 0x11, 'BLS12_MAP_FP2_TO_G2'],
  ['osaka', 0x100, 'P256VERIFY'],
]

/** Name → address. */
export function precompilesOf(rules: Rules): Readonly<Record<string, Address>> {
  const active = PRECOMPILES.filter(([since]) => isForkActive(rules, since))
  return Object.fromEntries(
    active.map(([, number, name]): [string, Address] => [name, `0x${number.toString(16).padStart(40, '0')}`]),
  )
}
