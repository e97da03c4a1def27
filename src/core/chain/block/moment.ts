// Times of blocks in milliseconds. A header has whole seconds; where a second has several blocks, the second transaction of
// each says where in it it is.

import type { StackRules } from '../../rollup/stack.ts'
import type { SealedBlock } from './block.ts'

type Timed = Pick<SealedBlock, 'rules' | 'executed'>

/** True if a second has several blocks, so that there are no partial blocks: under the rules of a block, on it. */
export function hasSlots({ rules }: Pick<SealedBlock, 'rules'>): boolean {
  return rules.rollup?.changes.slotMs !== undefined
}

/** The milliseconds after a block's timestamp; `undefined` for a block that tells none. */
export function millisOf({ rules, executed }: Timed): number | undefined {
  if (!hasSlots({ rules })) return undefined
  const told = executed[1]?.transaction
  const { stack } = rules.rollup as StackRules
  return told?.sender === stack.attributes.sender ? stack.readTimePart(told.input) : undefined
}

/** The time of a block in milliseconds. */
export function momentOf(block: Timed & Pick<SealedBlock, 'header'>): number {
  const { rules, executed, header } = block
  const first = executed.length === 0 ? rules.rollup?.firstMillis : undefined
  return header.timestamp * 1000 + (millisOf(block) ?? first ?? 0)
}
