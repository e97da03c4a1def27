// The environment of a block that is built here, from what is known of it in advance.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hash, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'

type Derived = 'prevRandao' | 'parentBeaconBlockRoot' | 'difficulty'

/** Completes the environment of a block with the fields that depend on its prevRandao. */
export function environmentFrom(
  rules: Rules,
  prevRandao: Hash,
  known: Omit<BlockEnvironment, Derived>,
): BlockEnvironment {
  return {
    ...known,
    prevRandao: isForkActive(rules, 'paris') ? prevRandao : ZERO_HASH,
    // There is no beacon chain. Its root is the hash of prevRandao, so that it is different in every block.
    parentBeaconBlockRoot: keccak256Hex(hexToBytes(prevRandao)),
    difficulty: 0n,
  }
}

/** The prevRandao of the block after one that has this. */
export function prevRandaoAfter(prevRandao: Hash): Hash {
  return keccak256Hex(hexToBytes(prevRandao))
}
