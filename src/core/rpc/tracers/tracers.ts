// The tracers of debug_trace* by name.

import { combineObservers } from '../../execution/trace/observer.ts'
import type { TracerChoice, TracerName, TracerOptions } from '../codecs/tracer.ts'
import { callTracer } from './call-tracer.ts'
import { erc7562Tracer } from './erc7562-tracer.ts'
import { flatCallTracer } from './flat-call-tracer.ts'
import { prestateTracer } from './prestate-tracer.ts'
import { fourByteTracer, keccak256PreimageTracer, noopTracer } from './small-tracers.ts'
import { structLogger } from './struct-logger.ts'
import type { StartTracing, TraceSubject, Tracing } from './tracer.ts'

/** geth's muxTracer: several tracers in one run (eth/tracers/native/mux.go). */
const muxTracer: StartTracing<TracerOptions['muxTracer']> = (choices, subject) => {
  const tracings = choices.map((choice) => [choice.tracer, startTracing(choice, subject)] as const)
  return {
    observer: combineObservers(tracings.map(([, { observer }]) => observer)),
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
  const start = TRACERS[tracer] as StartTracing<TracerOptions[Name]>
  return start(options, subject)
}
