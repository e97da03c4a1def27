// Number and hash of a block on the wire. The specification contradicts itself about those of the open block, so
// they are an option (docs/compliance.md, pending identity).

import type { BlockView } from '../../chain/view.ts'
import { type Hash, type Hex, toQuantity, ZERO_HASH } from '../../primitives/hex.ts'
import type { Flavor } from '../flavor/flavor.ts'

/**
 * Number and hash that `pending` shows: the current number with the partial block's own hash, nulls, or the current
 * number with the zero hash, as deployed nodes have it.
 */
export type PendingIdentity = 'partial' | 'null' | 'zero'

/** A view with its number and hash on the wire. */
export interface PresentedBlock {
  readonly view: BlockView
  readonly number: Hex | null
  /** Computed on use: the hash of a partial block needs its tries. */
  readonly hash: () => Hash | null
  /** Whose fields it has; absent: anvil's. */
  readonly flavor?: Flavor
}

export function present(view: BlockView, pendingIdentity: PendingIdentity): PresentedBlock {
  const number = toQuantity(view.environment.number)
  if (!view.isPending || pendingIdentity === 'partial') return { view, number, hash: () => view.block().hash }
  return pendingIdentity === 'null'
    ? { view, number: null, hash: () => null }
    : { view, number, hash: () => ZERO_HASH }
}
