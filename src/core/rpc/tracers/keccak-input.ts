// The input of KECCAK256.

import type { TraceBudget } from '../../execution/trace/budget.ts'
import type { ObservedStep } from '../../execution/trace/observer.ts'

const KECCAK256 = 0x20
/** The input takes this, besides itself. */
const ENTRY_BYTES = 64

/** What a step hashes; `undefined` if it is not KECCAK256, has no operands, or is beyond what gas or the budget allow. */
export function readKeccakInput(step: ObservedStep, budget: TraceBudget): Uint8Array | undefined {
  if (step.opcode !== KECCAK256) return undefined
  const [offset, length] = [step.peek(0), step.peek(1)]
  if (offset === undefined || length === undefined) return undefined
  // Memory is paid for: a longer input ends the frame, out of gas.
  const most = BigInt(step.gas + step.memorySize) * 32n
  if (length > most || (length > 0n && offset > most)) return undefined
  if (!budget.take(ENTRY_BYTES + Number(length))) return undefined
  const start = length === 0n ? 0 : Number(offset)
  return step.memory(start, start + Number(length))
}
