// The environment of a new block: its fees from the parent, and the fields that depend on its prevRandao.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { type Hash, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { type BlobParent, blobBaseFee, nextExcessBlobGas } from '../../rollup/blobs.ts'
import type { FeeParent } from '../../rollup/fees.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { baseFeeAfter } from './block.ts'

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
    // There is no beacon chain. The hash of prevRandao stands for its root, which then differs in every block.
    parentBeaconBlockRoot: keccak256Hex(hexToBytes(prevRandao)),
    difficulty: 0n,
  }
}

/** The prevRandao of a block, from its parent's. */
export function prevRandaoAfter(prevRandao: Hash): Hash {
  return keccak256Hex(hexToBytes(prevRandao))
}
