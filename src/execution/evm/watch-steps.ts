// Observation of single opcodes. Each step copies stack and memory, and code runs in the interpreter of @ethereumjs, so
// it is only for what results do not show.

import type { InterpreterStep } from '@ethereumjs/evm'
import { type Address, bytesToHex } from '../../primitives/hex.ts'
import type { EvmInstance } from './pooled-evm.ts'

/** An opcode before its execution; it may still run out of gas. */
export interface Step {
  readonly opcode: string
  /** The account of the frame, whose storage the code uses. */
  readonly address: Address
  /** The word at a depth of the stack, 0 for the top; `undefined` beyond its end. */
  readonly peek: (depth: number) => bigint | undefined
}

/** Calls `onStep` for every opcode of a run. */
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
