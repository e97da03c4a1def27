// Base fee (EIP-1559).

export interface Eip1559Parameters {
  readonly denominator: bigint
  readonly elasticity: bigint
}

/** Parameters of every chain that is not a rollup. */
const ETHEREUM: Eip1559Parameters = { denominator: 8n, elasticity: 2n }

export const INITIAL_BASE_FEE = 1_000_000_000n

export interface FeeParent {
  readonly baseFeePerGas: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
}

export function nextBaseFee(
  { baseFeePerGas, gasUsed, gasLimit }: FeeParent,
  { denominator, elasticity }: Eip1559Parameters = ETHEREUM,
): bigint {
  const target = gasLimit / elasticity
  if (gasUsed === target || target === 0n) return baseFeePerGas
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed
  const change = (baseFeePerGas * distance) / target / denominator
  if (gasUsed < target) return baseFeePerGas - change
  return baseFeePerGas + (change > 1n ? change : 1n)
}

/** The tip of fee suggestions, in wei: 1 gwei, as in other emulators. */
export const SUGGESTED_TIP = 1_000_000_000n
