// Watching what the EVM executes, opcode by opcode. It costs a copy of stack and memory at every step, so only
// what cannot be told from a result is told from steps.

import type { InterpreterStep } from '@ethereumjs/evm'
import { type Address, bytesToHex } from '../../primitives/hex.ts'
import type { EvmInstance } from './pooled-evm.ts'

/** An opcode that is about to be executed, if its frame can pay for it. */
export interface Step {
  readonly opcode: string
  /** Whose code runs on whose storage: the account of the frame. */
  readonly address: Address
  /** The word at a depth of the stack, zero at the top; `undefined` below its end. */
  readonly peek: (depth: number) => bigint | undefined
}

/** Tells every step of a run. */
export async function watchSteps<Result>(
  { evm }: EvmInstance,
  onStep: (step: Step) => void,
  run: () => Promise<Result>,
): Promise<Result> {
  const listener = ({ opcode, address, stack }: InterpreterStep): void =>
    onStep({
      opcode: opcode.name,
      address: bytesToHex(address.bytes),
      peek: (depth) => stack[stack.length - 1 - depth],
    })
  evm.events.on('step', listener)
  try {
    return await run()
  } finally {
    evm.events.off('step', listener)
  }
}

/** The address in the low 20 bytes of a word. */
export function addressOfWord(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}
