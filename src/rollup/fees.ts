// Base fee (EIP-1559) with Ethereum's constants. Layer 2 chains have others; see docs/compliance.md.

const ELASTICITY_MULTIPLIER = 2n
const BASE_FEE_CHANGE_DENOMINATOR = 8n

export const INITIAL_BASE_FEE = 1_000_000_000n

export interface FeeParent {
  readonly baseFeePerGas: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
}

/** The base fee of the block after `parent`. */
export function nextBaseFee({ baseFeePerGas, gasUsed, gasLimit }: FeeParent): bigint {
  const target = gasLimit / ELASTICITY_MULTIPLIER
  if (gasUsed === target || target === 0n) return baseFeePerGas
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed
  const change = (baseFeePerGas * distance) / target / BASE_FEE_CHANGE_DENOMINATOR
  if (gasUsed < target) return baseFeePerGas - change
  return baseFeePerGas + (change > 1n ? change : 1n)
}

/** The tip of fee suggestions, in wei: 1 gwei, as in other emulators. */
export const SUGGESTED_TIP = 1_000_000_000n
