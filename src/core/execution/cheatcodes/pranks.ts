// Pranks of Foundry's cheatcodes, by the rules of forge 1.7.1: a prank belongs to the depth at which it was asked for, and
// changes the calls that the account which asked for it makes from there. It outlives the frame, and the transaction.

import type { Address } from '../../primitives/hex.ts'
import { Refusal } from './refusal.ts'

/** Whom calls come from: the sender, and the origin if that changes too. */
export interface Disguise {
  readonly as: Address
  readonly origin?: Address
}

export interface Prank extends Disguise {
  /** Who asked for it. */
  readonly by: Address
  readonly depth: number
  readonly isLasting: boolean
  /** Whether a call has come from whom it says. */
  readonly isUsed: boolean
  /** The origin before it. */
  readonly originBefore: Address
}

/** Pranks by depth, in the order of depths. */
export type Pranks = readonly Prank[]

export const NO_PRANKS: Pranks = []

/** The prank of a depth, or else of the closest above it. */
export function prankAt(pranks: Pranks, depth: number): Prank | undefined {
  return pranks.filter((each) => each.depth <= depth).at(-1)
}

export function withoutPrank(pranks: Pranks, depth: number): Pranks {
  if (!pranks.some((each) => each.depth === depth)) return pranks
  return pranks.length === 1 ? NO_PRANKS : pranks.filter((each) => each.depth !== depth)
}

/** Adds a prank, or replaces that of its depth. */
export function withPrank(pranks: Pranks, prank: Prank): Pranks {
  return [...withoutPrank(pranks, prank.depth), prank].sort((a, b) => a.depth - b.depth)
}

/** Refuses a prank where another one is going on. */
export function checkPrank(pranks: Pranks, depth: number, isLasting: boolean): void {
  const before = prankAt(pranks, depth)
  if (before === undefined) return
  if (!before.isUsed) throw new Refusal('cannot overwrite a prank until it is applied at least once')
  if (before.isLasting === isLasting) return
  throw new Refusal(
    'cannot override an ongoing prank with a single vm.prank; use vm.startPrank to override the current prank',
  )
}
