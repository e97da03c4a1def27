// Number and hash of a block on the wire. The specification contradicts itself about those of the open block, so
// they are an option (docs/compliance.md, pending identity).

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
  /** Whether the block shows no number, nonce and mix hash, and its transactions no place; receipts and logs do. */
  readonly isUnmined: boolean
}

export function present(view: BlockView, pendingIdentity: PendingIdentity): PresentedBlock {
  const number = toQuantity(view.environment.number)
  const ownHash = () => view.block().hash
  if (!view.isPending) return { view, number, hash: ownHash, isUnmined: false }
  switch (pendingIdentity) {
    case 'partial':
      return { view, number, hash: ownHash, isUnmined: false }
    case 'null':
      return { view, number: null, hash: () => null, isUnmined: false }
    case 'zero':
      return { view, number, hash: () => ZERO_HASH, isUnmined: false }
    case 'unnumbered':
      return { view, number, hash: ownHash, isUnmined: true }
  }
}
