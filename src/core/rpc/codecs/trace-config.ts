// Codecs of tracing: tracers with their options, as geth has them, bundles of calls, types and filters of traces.

import type { Address } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import * as basic from './basic.ts'
import { type Codec, integer, nearestName, refuse, uint8 } from './codec.ts'
import { oneOrMany } from './filter.ts'
import * as object from './object.ts'
import { blockOverrides, stateOverrides, transactionRequest } from './overrides.ts'

/** The options of geth's tracers. A tracer ignores those of the others, so one configuration fits several. */
const OPTIONS = [
  ...['onlyTopCall', 'withLog', 'convertParityErrors', 'includePrecompiles'],
  ...['diffMode', 'disableCode', 'disableStorage', 'includeEmpty', 'stackTopItemsSize', 'ignoredOpcodes'],
] as const

function optionsOf<const Fields extends Readonly<Record<string, Codec<unknown>>>>(
  fields: Fields,
): Codec<object.ValueOf<object.ObjectCodec<Fields>>> {
  const own = { others: 'ignored', nulls: 'absent' } as const
  return {
    name: 'options',
    decode: (value, path) => object.decodeFields(basic.asFields(value, path, OPTIONS), path, fields, own),
  }
}

const flag = object.or(basic.boolean, false)
const noOptions = optionsOf({})
const prestateOptions = optionsOf({
  diffMode: flag,
  disableCode: flag,
  disableStorage: flag,
  includeEmpty: flag,
})

const TRACER_OPTIONS = {
  callTracer: optionsOf({ onlyTopCall: flag, withLog: flag }),
  flatCallTracer: optionsOf({ convertParityErrors: flag, includePrecompiles: flag }),
  prestateTracer: object.converted(prestateOptions, (options, path) =>
    options.diffMode && options.includeEmpty
      ? refuse(path, 'cannot use diffMode with includeEmpty')
      : options,
  ),
  '4byteTracer': noOptions,
  keccak256PreimageTracer: noOptions,
  erc7562Tracer: optionsOf({
    /** The number of stack words that geth's tracer keeps; the trace shows none of them. */
    stackTopItemsSize: uint8,
    /** Opcodes that are not counted; `undefined` for the default. */
    ignoredOpcodes: basic.arrayOf(uint8, 256),
    withLog: flag,
  }),
  noopTracer: noOptions,
}

type OwnOptions = {
  readonly [Name in keyof typeof TRACER_OPTIONS]: object.ValueOf<(typeof TRACER_OPTIONS)[Name]>
}

export interface TracerOptions extends OwnOptions {
  readonly structLogger: StructLogOptions
  readonly muxTracer: readonly TracerChoice[]
}

export type TracerName = keyof TracerOptions

export type TracerChoice<Name extends TracerName = TracerName> = {
  [Each in Name]: { readonly tracer: Each; readonly options: TracerOptions[Each] }
}[Name]

const muxTracer: Codec<readonly TracerChoice[]> = {
  name: 'tracers',
  decode: (value, path) =>
    Object.entries(basic.asRecord(value, path)).map(([name, options]) => {
      // A mux in a mux adds nothing but depth.
      if (name === 'muxTracer') refuse(`${path}.muxTracer`, 'expected the tracers themselves')
      return decodeTracer(name, options ?? {}, path, `${path}.${name}`)
    }),
}

const DECODERS = { ...TRACER_OPTIONS, muxTracer }

/** A function or an object in JavaScript, as geth takes it in place of a name. */
const JAVASCRIPT = /[{};]|=>/

function decodeTracer(name: string, options: unknown, path: string, optionsPath: string): TracerChoice {
  if (!Object.hasOwn(DECODERS, name)) {
    const names = Object.keys(DECODERS)
    const all = names.join(', ')
    if (JAVASCRIPT.test(name)) refuse(path, `tracers in JavaScript are not supported, only ${all}`)
    const nearest = nearestName(name, names)
    const hint = nearest === undefined ? `expected one of ${all}` : `did you mean ${nearest}?`
    refuse(path, `unknown tracer ${describe(name)}, ${hint}`)
  }
  const tracer = name as keyof typeof DECODERS
  return { tracer, options: DECODERS[tracer].decode(options, optionsPath) } as TracerChoice
}

const anyOptions: Codec<unknown, object> = { name: 'object', decode: (value) => value }

const FIELDS = {
  /** A tracer's name; without it, the struct logger. */
  tracer: basic.text,
  tracerConfig: object.or(anyOptions, {}),
  /** Without effect, as is `reexec`. */
  timeout: basic.text,
  reexec: integer,
  enableMemory: basic.boolean,
  /** `disableMemory` and `disableReturnData` are of clients before geth 1.10. */
  disableMemory: basic.boolean,
  disableStack: basic.boolean,
  disableStorage: basic.boolean,
  enableReturnData: basic.boolean,
  disableReturnData: basic.boolean,
  debug: basic.boolean,
  limit: object.or(integer, 0),
}

const fields = object.recordCodec(FIELDS, 'trace configuration')

/** The parts of a step that the struct logger shows besides its place and its gas; with a `limit`, so many bytes of JSON. */
function structLogOptions(config: object.ValueOf<typeof fields>) {
  return {
    stack: config.disableStack !== true,
    storage: config.disableStorage !== true,
    memory: config.enableMemory ?? config.disableMemory === false,
    returnData: config.enableReturnData ?? config.disableReturnData === false,
    limit: config.limit,
  }
}

export interface StructLogOptions extends ReturnType<typeof structLogOptions> {}

function choiceOf(config: object.ValueOf<typeof fields>, path: string): TracerChoice {
  const { tracer, tracerConfig } = config
  return tracer === undefined
    ? { tracer: 'structLogger', options: structLogOptions(config) }
    : decodeTracer(tracer, tracerConfig, `${path}.tracer`, `${path}.tracerConfig`)
}

export interface TraceConfigWire extends object.WireOf<typeof fields> {}

export const traceConfig: Codec<TracerChoice, TraceConfigWire> = object.converted(fields, choiceOf)

export const DEFAULT_TRACE = traceConfig.decode({}, '')

const callFields = object.recordCodec(
  {
    ...FIELDS,
    stateOverrides: object.or(stateOverrides, NO_STATE_OVERRIDES),
    blockOverrides,
    txIndex: integer,
  },
  'trace configuration with overrides',
)

/** The configuration of a trace of calls, which run before the transaction `txIndex` of the block, or after the last. */
function callConfigOf(config: object.ValueOf<typeof callFields>, path: string) {
  const { stateOverrides: accounts, blockOverrides: block, txIndex, ...own } = config
  return { choice: choiceOf(own, path), accounts, block, txIndex }
}

export interface TraceCallConfig extends ReturnType<typeof callConfigOf> {}
export interface TraceCallConfigWire extends object.WireOf<typeof callFields> {}

export const traceCallConfig: Codec<TraceCallConfig, TraceCallConfigWire> = object.converted(
  callFields,
  callConfigOf,
)

export const DEFAULT_CALL_TRACE = traceCallConfig.decode({}, '')

const MAX_CALLS = 5000

const callBundle = object.recordCodec({
  transactions: object.or(basic.arrayOf(transactionRequest, MAX_CALLS), []),
  blockOverride: blockOverrides,
})

export interface TracedBundle extends object.ValueOf<typeof callBundle> {}
export interface TracedBundleWire extends object.WireOf<typeof callBundle> {}

export const callBundles: Codec<readonly TracedBundle[], readonly TracedBundleWire[]> = {
  ...object.converted(basic.arrayOf(callBundle, MAX_CALLS), (bundles, path) =>
    bundles.length === 0 ? refuse(path, 'expected at least one bundle') : bundles,
  ),
  name: 'array of bundles',
}

/** reth and Erigon write -1 for after the last. */
const place: Codec<number | undefined, string | number> = {
  name: integer.name,
  decode: (value, path) => (value === -1 ? undefined : integer.decode(value, path)),
}

/** A block, and its transaction before whose state calls run; `undefined` for after the last. */
const contextFields = object.recordCodec({
  blockNumber: object.or(basic.block, 'latest'),
  transactionIndex: place,
})

export interface StateContext extends object.ValueOf<typeof contextFields> {}
export interface StateContextWire extends object.WireOf<typeof contextFields> {}

export const stateContext: Codec<StateContext, StateContextWire> = contextFields

export const LATEST_END: StateContext = { blockNumber: 'latest', transactionIndex: undefined }

const TRACE_TYPES = ['trace', 'vmTrace', 'stateDiff'] as const
export type TraceType = (typeof TRACE_TYPES)[number]

export const traceTypes: Codec<ReadonlySet<TraceType>, readonly TraceType[]> = {
  ...object.converted(basic.arrayOf(basic.oneOf(TRACE_TYPES), 100), (types) => new Set(types)),
  name: 'array of trace, vmTrace, stateDiff',
}

/** More calls are refused, as eth_simulateV1 refuses more blocks. */
const MAX_TYPED_CALLS = 1000

export const typedCalls = basic.arrayOf(
  object.pairOf('pair of call and trace types', 'a call and its trace types', [
    transactionRequest,
    traceTypes,
  ]),
  MAX_TYPED_CALLS,
)

/** An address or a list; an empty list names none. */
const addresses = object.converted(oneOrMany(basic.address), (list): ReadonlySet<Address> | undefined =>
  list.length === 0 ? undefined : new Set(list),
)

const filterFields = object.recordCodec(
  {
    fromBlock: object.or(basic.blockTagOrNumber, 'earliest'),
    toBlock: object.or(basic.blockTagOrNumber, 'latest'),
    fromAddress: addresses,
    toAddress: addresses,
    /** A trace needs one of the senders or one of the recipients, or one of each that are named. */
    mode: object.or(basic.oneOf(['union', 'intersection']), 'union'),
    after: object.or(integer, 0),
    count: integer,
  },
  'trace filter',
)

export interface TraceFilter extends object.ValueOf<typeof filterFields> {}
export interface TraceFilterWire extends object.WireOf<typeof filterFields> {}

export const traceFilter: Codec<TraceFilter, TraceFilterWire> = filterFields
