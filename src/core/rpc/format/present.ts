// Number and hash of a block on the wire, and the fields that Hardhat's blocks, transactions and receipts have under each
// hardfork. The specification contradicts itself about number and hash of the open block, so they are an option
// (docs/compliance.md, pending identity).

import { millisOf } from '../../chain/block/block.ts'
import type { BlockView } from '../../chain/view.ts'
import { type Hash, type Hex, toQuantity, ZERO_HASH } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Flavor } from '../flavor/flavor.ts'

/**
 * Number and hash that `pending` shows: the current number with the partial block's own hash, nulls, the current number
 * with the zero hash, as deployed nodes have it, or as Hardhat: the own hash, and null for what the block does not have
 * yet, number, nonce and mix hash. Hardhat's transactions in it have no place.
 */
export type PendingIdentity = 'partial' | 'null' | 'zero' | 'unnumbered'

export const PENDING_IDENTITIES = [
  'partial',
  'null',
  'zero',
  'unnumbered',
] as const satisfies readonly PendingIdentity[]

/** A view with its number and hash on the wire. */
export interface PresentedBlock {
  readonly view: BlockView
  readonly number: Hex | null
  /** Computed on use: the hash of a partial block needs its tries. */
  readonly hash: () => Hash | null
  /** Whose fields it has; absent: anvil's. */
  readonly flavor?: Flavor
  /** True if the block shows no number, nonce and mix hash, and its transactions no place; receipts and logs do. */
  readonly isUnmined: boolean
}

/** The time of a sealed block in milliseconds, as a field of a name; none on chains whose blocks do not tell it. */
export function millisField<Name extends string>(
  { view }: PresentedBlock,
  name: Name,
): { readonly [Field in Name]?: Hex } {
  const millis = view.isPending ? undefined : millisOf(view)
  if (millis === undefined) return {}
  const field = { [name]: toQuantity(view.environment.timestamp * 1000 + millis) }
  return field as { readonly [Field in Name]: Hex }
}

/** A block with the number and hash that it shows by the options. */
export function presentAs(
  { flavor, pendingIdentity }: { readonly flavor: Flavor; readonly pendingIdentity: PendingIdentity },
  view: BlockView,
): PresentedBlock {
  const number = toQuantity(view.environment.number)
  const shown = { view, number, hash: () => view.block().hash, isUnmined: false, flavor }
  if (!view.isPending) return shown
  switch (pendingIdentity) {
    case 'partial':
      return shown
    case 'null':
      return { ...shown, number: null, hash: () => null }
    case 'zero':
      return { ...shown, hash: () => ZERO_HASH }
    case 'unnumbered':
      return { ...shown, isUnmined: true }
  }
}

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
