// geth's tracers that only count or collect: 4byteTracer, keccak256PreimageTracer and noopTracer.

import { keccak256 } from '../../primitives/crypto.ts'
import { bytesToHex, type Hash, type Hex } from '../../primitives/hex.ts'
import { isCreation } from './call-tracer.ts'
import { readKeccakInput } from './keccak-input.ts'
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

export const keccak256PreimageTracer: StartTracing<unknown> = (_, { budget }) => {
  const preimages = new Map<Hash, Hex>()
  return {
    observer: {
      step(told) {
        const input = readKeccakInput(told, budget)
        if (input !== undefined) preimages.set(bytesToHex(keccak256(input)), bytesToHex(input))
      },
    },
    result: () => Object.fromEntries(preimages),
  }
}

export const noopTracer: StartTracing<unknown> = () => ({ observer: {}, result: () => ({}) })
