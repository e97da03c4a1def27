// Observation of the opcodes that need the world state, on either interpreter: storage, accounts, messages, logs,
// SELFDESTRUCT.

import type { InterpreterStep } from '@ethereumjs/evm'
import { type Address, bytesToHex } from '../primitives/hex.ts'
import { type Core, readNumber, readWord } from './core.ts'
import type { Frame } from './frame.ts'
import * as layout from './layout.ts'

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

function tell(core: Core, { base, address }: Frame, opcode: number, onStep: StepListener): void {
  const top = readNumber(core, base + layout.OPERAND)
  const peek = (depth: number): bigint | undefined => {
    const at = top - layout.WORD * depth
    return at < base + layout.STACK ? undefined : readWord(core, at)
  }
  onStep({ opcode, address, peek })
}

/** Tells of what the WebAssembly code has returned: an opcode, or the end of the frame, maybe by a fault. */
export function tellStep(core: Core, frame: Frame, reason: number, onStep: StepListener): void {
  if (reason >= layout.FIRST_OPCODE) {
    tell(core, frame, reason, onStep)
    return
  }
  const isNoStep = reason === layout.PAUSED || reason === layout.INVALID_OPCODE
  const fault = readNumber(core, frame.base + layout.FAULT)
  if (!isNoStep && fault !== 0) tell(core, frame, fault, onStep)
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
