// What an execution tells an observer. Tracers, call trees, stack traces, gas reports and coverage are observers;
// without one, nothing is paid.

import type { Address, Hash } from '../primitives/hex.ts'

/** The opcode that began a frame. SELFDESTRUCT moves a balance; as in geth, it is told as a frame without code. */
export type FrameKind =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  | 'SELFDESTRUCT'

/** The start of a frame. */
export interface FrameStart {
  readonly kind: FrameKind
  /** 0 for the message of the transaction or call. */
  readonly depth: number
  /** The account that sends the message: under DELEGATECALL, the account whose code delegates. */
  readonly from: Address
  /** The account whose code runs, the contract to be created, or the beneficiary of SELFDESTRUCT. */
  readonly to: Address
  /** Wei. A DELEGATECALL has its caller's value, although it moves none. */
  readonly value: bigint
  /** Calldata or init code. */
  readonly input: Uint8Array
  /** Gas at the start, with the stipend; for depth 0 without the intrinsic gas. */
  readonly gas: number
  readonly isPrecompile: boolean
}

/** The end of a frame; it closes the one that was opened last. */
export interface FrameEnd {
  /** Return data, revert data, or the code of the created contract. */
  readonly output: Uint8Array
  readonly gasUsed: number
  /** Why the frame failed, in geth's words, `execution reverted` for a revert; `undefined` for a success. */
  readonly error: string | undefined
}

export interface ObservedLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** An opcode before its execution. It is a view: valid only while the observer is told of it. */
export interface ObservedStep {
  readonly depth: number
  readonly pc: number
  readonly opcode: number
  /** Gas that is left before the opcode. */
  readonly gas: number
  /** The account of the frame, whose storage the code uses. */
  readonly address: Address
  /** Words on the stack. */
  readonly stackSize: number
  /** Bytes of memory, before the opcode expands it. */
  readonly memorySize: number
  /** The refund counter of the transaction. */
  readonly refund: number
  /** The word at a depth of the stack, 0 for the top; `undefined` beyond its end. */
  readonly peek: (depth: number) => bigint | undefined
  /** A copy of the stack, the top last. */
  readonly stack: () => readonly bigint[]
  /** A copy of the memory, or of a part of it, padded with zeros. */
  readonly memory: (from?: number, to?: number) => Uint8Array
  /** The output of the last call. */
  readonly returnData: () => Uint8Array
}

/** The end of a step; for an opcode that sends a message, before the frame of that message. */
export interface StepEnd {
  /** The gas of the opcode; for a message, with the gas that it gets. */
  readonly cost: number
  /** Why the opcode could not begin: stack or gas, in geth's words. Other errors end the frame. */
  readonly error: string | undefined
}

/** An opcode that needs the world state: storage, accounts, messages, logs, SELFDESTRUCT. It may still fail. */
export type StateAccess = Pick<ObservedStep, 'opcode' | 'address' | 'peek'>

/** The order is that of execution. An observer that needs no steps lets the interpreter run at full speed. */
export interface Observer {
  readonly enter?: ((frame: FrameStart) => void) | undefined
  readonly exit?: ((end: FrameEnd) => void) | undefined
  /** Logs of frames that fail later are told as well. */
  readonly log?: ((log: ObservedLog) => void) | undefined
  readonly access?: ((access: StateAccess) => void) | undefined
  /** The opcode of the last access could not begin: its operands or its gas are short. */
  readonly accessFailed?: (() => void) | undefined
  readonly step?: ((step: ObservedStep) => void) | undefined
  /**
   * The place of each opcode before its execution, a byte of the code. It may be told late, but before its frame ends
   * or another begins. Without `step` and `stepEnd`, it costs much less than they do.
   */
  readonly place?: ((pc: number) => void) | undefined
  readonly stepEnd?: ((end: StepEnd) => void) | undefined
}
