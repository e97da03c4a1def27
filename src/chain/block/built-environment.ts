// The environment of a block that is built here, from what is known of it in advance.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hash, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { type BlobParent, blobBaseFee, nextExcessBlobGas } from '../../rollup/blobs.ts'
import type { FeeParent } from '../../rollup/fees.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { baseFeeAfter } from './block.ts'

type Derived = 'prevRandao' | 'parentBeaconBlockRoot' | 'difficulty'

export type Fees = Pick<BlockEnvironment, 'baseFeePerGas' | 'excessBlobGas' | 'blobBaseFee'>

/** The fees of the block after `parent`. */
export function feesAfter(
  rules: Rules,
  parent: { readonly rules: Rules; readonly header: FeeParent & BlobParent },
): Fees {
  const excessBlobGas = isForkActive(rules, 'cancun') ? nextExcessBlobGas(rules, parent.header) : 0n
  const baseFeePerGas = baseFeeAfter(rules, parent)
  return { baseFeePerGas, excessBlobGas, blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas) }
}

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
