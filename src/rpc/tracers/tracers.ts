// The tracers of debug_trace* by name.

import { describe } from '../../primitives/text-of.ts'
import { refuse } from '../codecs/codec.ts'
import { nearestName } from '../codecs/suggest.ts'
import { callTracer } from './call-tracer.ts'
import { erc7562Tracer } from './erc7562-tracer.ts'
import { flatCallTracer } from './flat-call-tracer.ts'
import { muxTracerOf } from './mux-tracer.ts'
import { prestateTracer } from './prestate-tracer.ts'
import { fourByteTracer, keccak256PreimageTracer, noopTracer } from './small-tracers.ts'
import type { StartTracing, Tracer } from './tracer.ts'

/** A function or an object in JavaScript, as geth takes it in place of a name. */
const JAVASCRIPT = /[{};]|=>/

const TRACERS: ReadonlyMap<string, Tracer> = new Map([
  ['callTracer', callTracer],
  ['flatCallTracer', flatCallTracer],
  ['prestateTracer', prestateTracer],
  ['4byteTracer', fourByteTracer],
  ['keccak256PreimageTracer', keccak256PreimageTracer],
  ['erc7562Tracer', erc7562Tracer],
  ['noopTracer', noopTracer],
  ['muxTracer', muxTracerOf((name, options, path) => decodeTracer(name, options, path, `${path}.${name}`))],
])

/** A tracer by name with its options; refuses a name at `path`. */
export function decodeTracer(
  name: string,
  options: unknown,
  path: string,
  optionsPath: string,
): StartTracing {
  const tracer = TRACERS.get(name)
  if (tracer !== undefined) return tracer.decode(options, optionsPath)
  const names = [...TRACERS.keys()]
  const all = names.join(', ')
  if (JAVASCRIPT.test(name)) refuse(path, `tracers in JavaScript are not supported, only ${all}`)
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? `expected one of ${all}` : `did you mean ${nearest}?`
  return refuse(path, `unknown tracer ${describe(name)}, ${hint}`)
}
