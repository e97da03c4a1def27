// geth's muxTracer: several tracers in one run (eth/tracers/native/mux.go).

import { combineObservers } from '../../execution/trace/combine.ts'
import { asRecord } from '../codecs/basic.ts'
import { type Codec, refuse } from '../codecs/codec.ts'
import type { StartTracing, Tracer } from './tracer.ts'

/** One tracer by name and options. */
export type DecodeTracer = (name: string, options: unknown, path: string) => StartTracing

/** The tracer whose options are tracers with their options. */
export function muxTracerOf(decodeTracer: DecodeTracer): Tracer & Codec<StartTracing> {
  return {
    name: 'object from tracer to its options',
    decode(value, path) {
      const entries = Object.entries(asRecord(value, path))
      // A mux in a mux adds nothing but depth.
      const nested = entries.find(([name]) => name === 'muxTracer')
      if (nested !== undefined) refuse(`${path}.muxTracer`, 'expected the tracers themselves')
      const starts = entries.map(
        ([name, options]) => [name, decodeTracer(name, options ?? {}, path)] as const,
      )
      return (subject) => {
        const tracings = starts.map(([name, start]) => [name, start(subject)] as const)
        return {
          observer: combineObservers(tracings.map(([, { observer }]) => observer)),
          result: (outcome) =>
            Object.fromEntries(tracings.map(([name, { result }]) => [name, result(outcome)])),
        }
      }
    },
  }
}
