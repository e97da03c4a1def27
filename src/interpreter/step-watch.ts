// Observation of the opcodes that need the world state, on either interpreter: storage, accounts, messages, logs,
// SELFDESTRUCT. It does not load the interpreter; tell-step.ts tells of its steps.

import type { InterpreterStep } from '@ethereumjs/evm'
import { type Address, bytesToHex } from '../primitives/hex.ts'

/** An opcode before its execution; it may still fail. */
export interface Step {
  readonly opcode: number
  /** The account of the frame, whose storage the code uses. */
  readonly address: Address
  /** The word at a depth of the stack, 0 for the top; `undefined` beyond its end. */
  readonly peek: (depth: number) => bigint | undefined
}

export type StepListener = (step: Step) => void

/** One per EVM. */
export interface StepWatch {
  onStep: StepListener | undefined
}

/** The listener for steps of @ethereumjs, which tells of every opcode. */
export function referenceListener(onStep: StepListener): (step: InterpreterStep) => void {
  return ({ opcode, address, stack }) =>
    onStep({
      opcode: opcode.code,
      address: bytesToHex(address.bytes),
      peek: (depth) => stack[stack.length - 1 - depth],
    })
}
