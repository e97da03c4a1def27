// The environment of a block that is built here, from what is known of it in advance.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hash, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'

type Derived = 'prevRandao' | 'parentBeaconBlockRoot' | 'difficulty'

/** Adds to a block what it draws from the chain of randomness, of which `link` is its own. */
export function drawEnvironment(
  rules: Rules,
  link: Hash,
  known: Omit<BlockEnvironment, Derived>,
): BlockEnvironment {
  return {
    ...known,
    prevRandao: isForkActive(rules, 'paris') ? link : ZERO_HASH,
    // There is no beacon chain: its root is drawn from the same chain of randomness.
    parentBeaconBlockRoot: keccak256Hex(hexToBytes(link)),
    difficulty: 0n,
  }
}

/** The link of the block after one whose prevRandao is this. */
export function nextLink(prevRandao: Hash): Hash {
  return keccak256Hex(hexToBytes(prevRandao))
}
