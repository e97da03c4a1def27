// Hardhat's blocks, transactions and receipts have other fields under each hardfork.

import type { BlockView } from '../../chain/view.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Flavor } from './flavor.ts'

/** Hardhat's blocks have the total difficulty, after the merge too. */
export function totalDifficultyField(
  flavor: Flavor | undefined,
  view: BlockView,
): { readonly totalDifficulty?: Hex } {
  return flavor === 'hardhat' ? { totalDifficulty: toQuantity(view.block().totalDifficulty) } : {}
}

/** Hardhat's transactions have a type since berlin, and no fields that came after the forks. */
export function transactionFields<Shown extends object>(
  flavor: Flavor | undefined,
  rules: Rules,
  transaction: Shown,
): Shown {
  if (flavor !== 'hardhat') return transaction
  const { yParity, blockTimestamp, type, chainId, ...fields } = transaction as Record<string, unknown>
  return {
    ...fields,
    ...(isForkActive(rules, 'berlin') ? { type } : {}),
    ...(type === '0x0' ? {} : { chainId }),
  } as unknown as Shown
}

/**
 * Hardhat's receipts have a type since berlin, and the price since london. Those of failed creations name no contract,
 * where geth's have the address that it would have had.
 */
export function receiptFields<Shown extends { readonly status: Hex; readonly contractAddress: Hex | null }>(
  flavor: Flavor | undefined,
  rules: Rules,
  receipt: Shown,
): Shown {
  if (flavor !== 'hardhat') return receipt
  const shown = receipt.status === '0x0' ? { ...receipt, contractAddress: null } : receipt
  if (isForkActive(rules, 'london')) return shown
  const { type, effectiveGasPrice, ...fields } = shown as Record<string, unknown>
  return { ...fields, ...(isForkActive(rules, 'berlin') ? { type } : {}) } as unknown as Shown
}
