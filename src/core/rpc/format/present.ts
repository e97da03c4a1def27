// Number and hash of a block on the wire. The specification contradicts itself about those of the open block, so
// they are an option (docs/compliance.md, pending identity).

import { millisOf } from '../../chain/block/block.ts'
import type { BlockView } from '../../chain/view.ts'
import { type Hash, type Hex, toQuantity, ZERO_HASH } from '../../primitives/hex.ts'
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
  if (!view.isPending || pendingIdentity === 'partial') return shown
  if (pendingIdentity === 'null') return { ...shown, number: null, hash: () => null }
  return pendingIdentity === 'zero' ? { ...shown, hash: () => ZERO_HASH } : { ...shown, isUnmined: true }
}
