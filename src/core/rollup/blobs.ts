// Blob gas and its price (EIP-4844), with the reserve price of EIP-7918.

import { type BlobParameters, isForkActive, type Rules } from './rules.ts'

export const GAS_PER_BLOB = 131_072n
export const MINIMUM_BLOB_BASE_FEE = 1n
/** EIP-7918: the least cost of a blob in execution gas. */
const BLOB_BASE_COST = 8192n

/**
 * The blob gas that a block may hold. A rollup's block has no blobs; where their gas counts the footprint of the block on
 * the layer 1, its gas limit bounds it.
 */
export function maxBlobGas(rules: Rules, gasLimit: bigint): bigint {
  if (rules.rollup === undefined) return BigInt(rules.blobs.max) * GAS_PER_BLOB
  return rules.rollup.changes.metersFootprint ? gasLimit : 0n
}

/** EIP-4844's approximation of factor × e^(numerator / denominator) by its Taylor series. */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let sum = 0n
  let term = factor * denominator
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * numerator) / (denominator * i)
  }
  return sum / denominator
}

/** The most excess blob gas: above it the fee has more than 256 bits, for e^178 is above 2^256. */
export function mostExcessBlobGas({ baseFeeUpdateFraction }: BlobParameters): bigint {
  return 177n * BigInt(baseFeeUpdateFraction)
}

/** Wei per blob gas in a block with this excess blob gas, which is at most `mostExcessBlobGas`. */
export function blobBaseFee({ baseFeeUpdateFraction }: BlobParameters, excessBlobGas: bigint): bigint {
  return fakeExponential(MINIMUM_BLOB_BASE_FEE, excessBlobGas, BigInt(baseFeeUpdateFraction))
}

type BlobParent = Readonly<Record<'excessBlobGas' | 'blobGasUsed' | 'baseFeePerGas', bigint>>

/** The excess blob gas of the block after `parent`, under these rules. */
export function nextExcessBlobGas(rules: Rules, { excessBlobGas, blobGasUsed, baseFeePerGas }: BlobParent) {
  if (rules.rollup !== undefined) return 0n
  const { target, max } = rules.blobs
  const targetGas = BigInt(target) * GAS_PER_BLOB
  const total = excessBlobGas + blobGasUsed
  if (total < targetGas) return 0n
  if (isForkActive(rules, 'osaka')) {
    const reserve = BLOB_BASE_COST * baseFeePerGas
    if (reserve > GAS_PER_BLOB * blobBaseFee(rules.blobs, excessBlobGas))
      return excessBlobGas + (blobGasUsed * BigInt(max - target)) / BigInt(max)
  }
  return total - targetGas
}
