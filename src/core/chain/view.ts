// Read access at one block, sealed or open. Tries and hashes are computed on first use.

import type { BlockEnvironment } from '../execution/evm/environment.ts'
import type { ExecutedTransaction } from '../execution/transaction/receipt.ts'
import type { Rules } from '../rollup/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import { type OpenBlock, type SealedBlock, sealBlock, stateAfter } from './block/block.ts'

export interface BlockView {
  /** True for the open block. */
  readonly isPending: boolean
  readonly open: OpenBlock | undefined
  readonly rules: Rules
  readonly environment: BlockEnvironment
  /** Throws `stateNotAvailable` if the chain does not keep it. */
  readonly state: WorldState
  readonly executed: readonly ExecutedTransaction[]
  /** The block with its roots and hash; an open block as if it were sealed now. */
  block(this: BlockView): SealedBlock
}

// Classes: accessors on a prototype are cheaper than on each object, and a function in an object would keep the block in
// memory up to a full garbage collection.

class SealedView implements BlockView {
  readonly isPending = false
  readonly open = undefined
  readonly rules: Rules
  readonly environment: BlockEnvironment
  private readonly sealed: SealedBlock

  constructor(block: SealedBlock) {
    this.rules = block.rules
    this.environment = block.header
    this.sealed = block
  }

  block(): SealedBlock {
    return this.sealed
  }

  get state(): WorldState {
    return this.sealed.committed.state
  }

  get executed(): readonly ExecutedTransaction[] {
    return this.sealed.executed
  }
}

export function viewOfSealed(block: SealedBlock): BlockView {
  return new SealedView(block)
}

class OpenView implements BlockView {
  readonly isPending = true
  readonly open: OpenBlock

  constructor(open: OpenBlock) {
    this.open = open
  }

  block(): SealedBlock {
    return sealBlock(this.open)
  }

  get rules(): Rules {
    return this.open.rules
  }

  get environment(): BlockEnvironment {
    return this.open.environment
  }

  get state(): WorldState {
    return stateAfter(this.open)
  }

  get executed(): readonly ExecutedTransaction[] {
    return this.open.executed
  }
}

export function viewOfOpen(open: OpenBlock): BlockView {
  return new OpenView(open)
}

/** The same block under other rules. */
export function withRules(view: BlockView, rules: Rules): BlockView {
  const { isPending, open, environment } = view
  return {
    ...{ isPending, open, rules, environment },
    block: () => view.block(),
    get state() {
      return view.state
    },
    get executed() {
      return view.executed
    },
  }
}
