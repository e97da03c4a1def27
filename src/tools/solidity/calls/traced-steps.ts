// The steps of an execution as a trace has them: JSON for the debugger of pages.

import type { Hex } from '../../../core/primitives/hex.ts'

/** An opcode in a code that ran. */
export interface TracedInstruction {
  readonly pc: number
  /** Its name, such as `SSTORE`. */
  readonly opcode: string
  /** Where it comes from in the sources: an index in `files`. Absent if that is not known. */
  readonly file?: number
  /** The number of the line, from 1 on. */
  readonly line?: number
  /** True if it comes from a contract or a function as a whole, as the choice of the function that is called. */
  readonly isWhole?: true
  /** A jump into a function, or out of one. */
  readonly jump?: 'into' | 'outOf'
}

/** The steps of an execution, packed: each says what it changes. Numbers are indices in the other members. */
export interface TracedSteps {
  /** The source files of the instructions. */
  readonly files: readonly { readonly name: string; readonly content: string }[]
  /** Each instruction once for a code. */
  readonly instructions: readonly TracedInstruction[]
  /** The frames: each with the number of its call, counted through the tree from 0 on, and its depth. */
  readonly frames: readonly { readonly call: number; readonly depth: number }[]
  /** Words of stacks. */
  readonly words: readonly Hex[]
  /**
   * For each step its frame, its instruction, the gas before it, its cost, and the stack before it: how many of the
   * words at the step before in this frame are still there, and the words on top of them.
   */
  readonly steps: readonly (readonly number[])[]
  /** Bytes of the memory of a step's frame that have changed before the step, and where they begin. */
  readonly memory: readonly { readonly step: number; readonly from: number; readonly bytes: Hex }[]
  /** Variables, or slots without a known layout. */
  readonly places: readonly { readonly account: string; readonly name: string }[]
  /** The values of places after a step; `undone` by the end of a frame that failed. */
  readonly storage: readonly {
    readonly step: number
    readonly kind: 'read' | 'written' | 'undone'
    readonly place: number
    /** The value as text. */
    readonly value: string
  }[]
  /** Events, by the steps that emit them. */
  readonly events: readonly { readonly step: number; readonly name: string }[]
  /** True if steps are missing, because there were more than `limits.traceEntries`. */
  readonly isCut: boolean
}
