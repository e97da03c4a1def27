// Parameters of @ethereumjs for the tests that compare with it: its own cryptography, and the chain of the test.

import {
  type ChainConfig,
  type Common,
  type CustomCrypto,
  createCustomCommon,
  Mainnet,
} from '@ethereumjs/common'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'

/** All forks, the first to the last. */
export const ALL_FORKS = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const satisfies readonly Hardfork[]

type Kzg = NonNullable<CustomCrypto['kzg']>

const CELLS_PER_BLOB = 128

function expectShape(items: readonly string[], count: number, bytes: number): void {
  const isWrong = items.length !== count || items.some((item) => item.length !== 2 + 2 * bytes)
  if (isWrong) throw new RangeError('C_KZG_BADARGS')
}

/**
 * Takes every proof of the right length, as this library does, which verifies none (docs/compliance.md). A KZG library
 * would refuse other lengths.
 */
export const uncheckedProofs = {
  verifyBlobProofBatch(blobs: string[], commitments: string[], proofs: string[]) {
    expectShape(blobs, commitments.length, 131_072)
    expectShape(commitments, commitments.length, 48)
    expectShape(proofs, commitments.length, 48)
    return true
  },
  computeCells(blob: string) {
    expectShape([blob], 1, 131_072)
    return Array.from({ length: CELLS_PER_BLOB }, () => '0x')
  },
  verifyCellKzgProofBatch(commitments: string[], _indices: number[], cells: string[], proofs: string[]) {
    expectShape(commitments, cells.length, 48)
    expectShape(proofs, cells.length, 48)
    return true
  },
} as unknown as Kzg

/** The parameters of one fork on a chain with this id. */
export function referenceParameters(
  hardfork: Hardfork,
  chainId: number,
  chain: Partial<ChainConfig> = {},
): Common {
  return createCustomCommon({ ...chain, chainId }, Mainnet, {
    hardfork,
    customCrypto: { kzg: uncheckedProofs },
  })
}
