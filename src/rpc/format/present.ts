// How a block is named on the wire. A block being built has no final hash; the specification contradicts itself
// about what it shows instead, so it is an option (docs/compliance.md, pending identity).

import type { BlockView } from '../../chain/view.ts'
import { type Hash, type Hex, toQuantity, ZERO_HASH } from '../../primitives/hex.ts'

/**
 * What `pending` shows as number and hash: the current number with the partial block's own hash, nulls, or the
 * current number with the zero hash that deployed nodes show.
 */
export type PendingIdentity = 'partial' | 'null' | 'zero'

/** A view with the name that it has on the wire. */
export interface PresentedBlock {
  readonly view: BlockView
  readonly number: Hex | null
  /** Computed when asked: the hash of a partial block takes its tries. */
  readonly hash: () => Hash | null
}

export function present(view: BlockView, pendingIdentity: PendingIdentity): PresentedBlock {
  const number = toQuantity(view.environment.number)
  if (!view.isPending || pendingIdentity === 'partial') return { view, number, hash: () => view.block().hash }
  return pendingIdentity === 'null'
    ? { view, number: null, hash: () => null }
    : { view, number, hash: () => ZERO_HASH }
}
