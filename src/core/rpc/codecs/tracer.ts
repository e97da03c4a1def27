// Codecs of the tracers of debug_trace*: their names and options. src/core/rpc/tracers runs them.

import { describe } from '../../primitives/text-of.ts'
import { arrayOf, asFields, asRecord, boolean, field } from './basic.ts'
import { refuse } from './codec.ts'
import { uint8 } from './numbers.ts'
import { nearestName } from './suggest.ts'

/** Parts of a step that the struct logger shows besides its place and its gas. */
export interface StructLogOptions {
  readonly stack: boolean
  readonly memory: boolean
  readonly storage: boolean
  readonly returnData: boolean
  /** Bytes of JSON after which steps are left out; 0 for none. */
  readonly limit: number
}

type Flags<Name extends string> = Readonly<Record<Name, boolean>>

/** Tracer → its options. */
export interface TracerOptions {
  readonly structLogger: StructLogOptions
  readonly callTracer: Flags<'onlyTopCall' | 'withLog'>
  readonly flatCallTracer: Flags<'convertParityErrors' | 'includePrecompiles'>
  readonly prestateTracer: Flags<'diffMode' | 'disableCode' | 'disableStorage' | 'includeEmpty'>
  readonly '4byteTracer': Flags<never>
  readonly keccak256PreimageTracer: Flags<never>
  readonly erc7562Tracer: {
    /** Opcodes that are not counted; `undefined` for the default. */
    readonly ignored: readonly number[] | undefined
    readonly withLog: boolean
  }
  readonly noopTracer: Flags<never>
  readonly muxTracer: readonly TracerChoice[]
}

export type TracerName = keyof TracerOptions

export type TracerChoice<Name extends TracerName = TracerName> = {
  [Each in Name]: { readonly tracer: Each; readonly options: TracerOptions[Each] }
}[Name]

/** The options of geth's tracers. A tracer ignores those of the others, so one configuration fits several. */
const OPTIONS = [
  ...['onlyTopCall', 'withLog', 'convertParityErrors', 'includePrecompiles'],
  ...['diffMode', 'disableCode', 'disableStorage', 'includeEmpty', 'stackTopItemsSize', 'ignoredOpcodes'],
] as const

/** Decodes options that are true or false; absent ones are false. */
function flags<const Name extends string>(value: unknown, path: string, names: readonly Name[]): Flags<Name> {
  const record = asFields(value, path, OPTIONS)
  const decoded = names.map((name) => [name, field(record, name as never, boolean, path) ?? false])
  return Object.fromEntries(decoded) as Flags<Name>
}

type NamedTracer = Exclude<TracerName, 'structLogger'>

const DECODERS: { readonly [Name in NamedTracer]: (value: unknown, path: string) => TracerOptions[Name] } = {
  callTracer: (value, path) => flags(value, path, ['onlyTopCall', 'withLog']),
  flatCallTracer: (value, path) => flags(value, path, ['convertParityErrors', 'includePrecompiles']),
  prestateTracer(value, path) {
    const options = flags(value, path, ['diffMode', 'disableCode', 'disableStorage', 'includeEmpty'])
    if (options.diffMode && options.includeEmpty) refuse(path, 'cannot use diffMode with includeEmpty')
    return options
  },
  '4byteTracer': (value, path) => flags(value, path, []),
  keccak256PreimageTracer: (value, path) => flags(value, path, []),
  erc7562Tracer(value, path) {
    const record = asFields(value, path, OPTIONS)
    // The number of stack words that geth's tracer keeps; the trace shows none of them.
    field(record, 'stackTopItemsSize', uint8, path)
    return {
      ignored: field(record, 'ignoredOpcodes', arrayOf(uint8, 256), path)?.map(Number),
      withLog: field(record, 'withLog', boolean, path) ?? false,
    }
  },
  noopTracer: (value, path) => flags(value, path, []),
  muxTracer: (value, path) =>
    Object.entries(asRecord(value, path)).map(([name, options]) => {
      // A mux in a mux adds nothing but depth.
      if (name === 'muxTracer') refuse(`${path}.muxTracer`, 'expected the tracers themselves')
      return decodeTracer(name, options ?? {}, path, `${path}.${name}`)
    }),
}

/** A function or an object in JavaScript, as geth takes it in place of a name. */
const JAVASCRIPT = /[{};]|=>/

/** A tracer by name with its options; refuses an unknown name at `path`. */
export function decodeTracer(
  name: string,
  options: unknown,
  path: string,
  optionsPath: string,
): TracerChoice {
  if (!Object.hasOwn(DECODERS, name)) {
    const names = Object.keys(DECODERS)
    const all = names.join(', ')
    if (JAVASCRIPT.test(name)) refuse(path, `tracers in JavaScript are not supported, only ${all}`)
    const nearest = nearestName(name, names)
    const hint = nearest === undefined ? `expected one of ${all}` : `did you mean ${nearest}?`
    refuse(path, `unknown tracer ${describe(name)}, ${hint}`)
  }
  const tracer = name as NamedTracer
  return { tracer, options: DECODERS[tracer](options, optionsPath) } as TracerChoice
}
