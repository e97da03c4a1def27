// The tracers of debug_trace* by name, and geth's 4byteTracer, keccak256PreimageTracer and noopTracer.

import * as observers from '../../execution/trace/observer.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import type { TracerChoice, TracerName, TracerOptions } from '../codecs/trace-config.ts'
import { callTracer, erc7562Tracer, flatCallTracer, readKeccakInput } from './call-tracer.ts'
import { prestateTracer } from './prestate-tracer.ts'
import { structLogger } from './struct-logger.ts'
import type { StartTracing, TraceSubject, Tracing } from './tracer.ts'

const SELECTOR_BYTES = 4

/** Selectors with the length of the other calldata → number of calls. */
const fourByteTracer: StartTracing<unknown> = () => {
  const counts = new Map<string, number>()
  return {
    observer: {
      enter(frame) {
        const { kind, input, isPrecompile } = frame
        const hasSelector = input.length >= SELECTOR_BYTES && !isPrecompile && kind !== 'SELFDESTRUCT'
        if (!hasSelector || observers.isCreation(frame)) return
        const selector = hex.bytesToHex(input.subarray(0, SELECTOR_BYTES))
        const key = `${selector}-${input.length - SELECTOR_BYTES}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      },
    },
    result: () => Object.fromEntries(counts),
  }
}

const keccak256PreimageTracer: StartTracing<unknown> = (_, { budget }) => {
  const preimages = new Map<hex.Hash, hex.Hex>()
  return {
    observer: {
      step(observed) {
        const input = readKeccakInput(observed, budget)
        if (input !== undefined) preimages.set(hex.bytesToHex(keccak256(input)), hex.bytesToHex(input))
      },
    },
    result: () => Object.fromEntries(preimages),
  }
}

const noopTracer: StartTracing<unknown> = () => ({ observer: {}, result: () => ({}) })

/** geth's muxTracer: several tracers in one run (eth/tracers/native/mux.go). */
const muxTracer: StartTracing<TracerOptions['muxTracer']> = (choices, subject) => {
  const tracings = choices.map((choice) => [choice.tracer, startTracing(choice, subject)] as const)
  return {
    observer: observers.combineObservers(tracings.map(([, { observer }]) => observer)),
    result: (outcome) => Object.fromEntries(tracings.map(([name, { result }]) => [name, result(outcome)])),
  }
}

const TRACERS: { readonly [Name in TracerName]: StartTracing<TracerOptions[Name]> } = {
  structLogger,
  callTracer,
  flatCallTracer,
  prestateTracer,
  '4byteTracer': fourByteTracer,
  keccak256PreimageTracer,
  erc7562Tracer,
  noopTracer,
  muxTracer,
}

export function startTracing<Name extends TracerName>(
  { tracer, options }: TracerChoice<Name>,
  subject: TraceSubject,
): Tracing {
  return (TRACERS[tracer] as StartTracing<TracerOptions[Name]>)(options, subject)
}
