// geth's tracers that only count or collect: 4byteTracer, keccak256PreimageTracer and noopTracer.

import type { TraceBudget } from '../../execution/trace/budget.ts'
import { isCreation, type ObservedStep } from '../../execution/trace/observer.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import { bytesToHex, type Hash, type Hex } from '../../primitives/hex.ts'
import type { StartTracing } from './tracer.ts'

const SELECTOR_BYTES = 4

/** Selectors with the length of the other calldata → number of calls. */
export const fourByteTracer: StartTracing<unknown> = () => {
  const counts = new Map<string, number>()
  return {
    observer: {
      enter(frame) {
        const { kind, input, isPrecompile } = frame
        if (input.length < SELECTOR_BYTES || isPrecompile) return
        if (isCreation(frame) || kind === 'SELFDESTRUCT') return
        const selector = bytesToHex(input.subarray(0, SELECTOR_BYTES))
        const key = `${selector}-${input.length - SELECTOR_BYTES}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      },
    },
    result: () => Object.fromEntries(counts),
  }
}

const KECCAK256 = 0x20
/** The input takes this, besides itself. */
const ENTRY_BYTES = 64

/**
 * The input of KECCAK256; `undefined` for another opcode, without operands, or beyond what gas or the budget allow.
 */
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

export const keccak256PreimageTracer: StartTracing<unknown> = (_, { budget }) => {
  const preimages = new Map<Hash, Hex>()
  return {
    observer: {
      step(observed) {
        const input = readKeccakInput(observed, budget)
        if (input !== undefined) preimages.set(bytesToHex(keccak256(input)), bytesToHex(input))
      },
    },
    result: () => Object.fromEntries(preimages),
  }
}

export const noopTracer: StartTracing<unknown> = () => ({ observer: {}, result: () => ({}) })
