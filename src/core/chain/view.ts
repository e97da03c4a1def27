// Read access at one block, sealed or open. Tries and hashes are computed on first use.

import type { ExecutedTransaction } from '../execution/transaction/transaction.ts'
import type { BlockEnvironment } from '../rollup/header.ts'
import type { Rules } from '../rollup/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import { type OpenBlock, type SealedBlock, sealBlock, stateAfter } from './block/block.ts'

// A class: accessors on a prototype are cheaper than on each object, and a function in an object would keep the block in
// memory up to a full garbage collection.
export class BlockView {
  readonly open: OpenBlock | undefined
  readonly rules: Rules
  readonly environment: BlockEnvironment
  private readonly sealed: SealedBlock | undefined

  constructor(open: OpenBlock | undefined, sealed: SealedBlock | undefined, rules: Rules) {
    this.open = open
    this.rules = rules
    this.environment = sealed?.header ?? (open as OpenBlock).environment
    this.sealed = sealed
  }

  /** True for the open block. */
  get isPending(): boolean {
    return this.sealed === undefined
  }

  /** The block with its roots and hash; an open block as if it were sealed now. */
  block(): SealedBlock {
    return this.sealed ?? sealBlock(this.open as OpenBlock)
  }

  /** Throws `stateNotAvailable` if the chain does not keep it. */
  get state(): WorldState {
    return this.sealed === undefined ? stateAfter(this.open as OpenBlock) : this.sealed.committed.state
  }

  get executed(): readonly ExecutedTransaction[] {
    return (this.sealed ?? (this.open as OpenBlock)).executed
  }
}

export function viewOfSealed(block: SealedBlock): BlockView {
  return new BlockView(undefined, block, block.rules)
}

export function viewOfOpen(open: OpenBlock): BlockView {
  return new BlockView(open, undefined, open.rules)
}

/** The same block under other rules. */
export function withRules(view: BlockView, rules: Rules): BlockView {
  return Object.create(view, { rules: { value: rules } })
}
