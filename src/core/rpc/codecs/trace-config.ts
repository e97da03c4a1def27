// Codecs of tracing: the configuration of debug_trace*, with the fields of geth and of old clients; the bundles of
// debug_traceCallMany, as reth and Erigon have it; types, calls and filter of the trace module.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { Address } from '../../primitives/hex.ts'
import { NO_STATE_OVERRIDES, type StateOverrides } from '../../state/overrides.ts'
import { address, arrayOf, boolean, oneOf, text } from './basic.ts'
import { block, blockTagOrNumber } from './block.ts'
import { type Codec, refuse } from './codec.ts'
import { oneOrMany } from './filter.ts'
import { integer } from './numbers.ts'
import { converted, or, pairOf, recordCodec, type ValueOf, type WireOf } from './object.ts'
import { blockOverrides, stateOverrides } from './overrides.ts'
import { decodeTracer, type TracerChoice } from './tracer.ts'
import { transactionRequest } from './transaction-request.ts'

const anyOptions: Codec<unknown, object> = { name: 'object', decode: (value) => value }

const FIELDS = {
  /** A tracer's name; without it, the struct logger. */
  tracer: text,
  tracerConfig: or(anyOptions, {}),
  /** Without effect, as is `reexec`. */
  timeout: text,
  reexec: integer,
  enableMemory: boolean,
  /** `disableMemory` and `disableReturnData` are of clients before geth 1.10. */
  disableMemory: boolean,
  disableStack: boolean,
  disableStorage: boolean,
  enableReturnData: boolean,
  disableReturnData: boolean,
  debug: boolean,
  limit: or(integer, 0),
}

const fields = recordCodec(FIELDS, 'trace configuration')

function choiceOf(config: ValueOf<typeof fields>, path: string): TracerChoice {
  const { tracer, tracerConfig, limit } = config
  if (tracer !== undefined)
    return decodeTracer(tracer, tracerConfig, `${path}.tracer`, `${path}.tracerConfig`)
  const options = {
    stack: config.disableStack !== true,
    storage: config.disableStorage !== true,
    memory: config.enableMemory ?? config.disableMemory === false,
    returnData: config.enableReturnData ?? config.disableReturnData === false,
    limit,
  }
  return { tracer: 'structLogger', options }
}

export interface TraceConfigWire extends WireOf<typeof fields> {}

export const traceConfig: Codec<TracerChoice, TraceConfigWire> = converted(fields, choiceOf)

/** Without a configuration. */
export const DEFAULT_TRACE: TracerChoice = traceConfig.decode({}, '')

/** The configuration of a trace of calls, which run before the transaction `txIndex` of the block, or after the last. */
export interface TraceCallConfig {
  readonly choice: TracerChoice
  readonly accounts: StateOverrides
  readonly block: BlockOverrides | undefined
  readonly txIndex: number | undefined
}

const callFields = recordCodec(
  {
    ...FIELDS,
    stateOverrides: or(stateOverrides, NO_STATE_OVERRIDES),
    blockOverrides,
    txIndex: integer,
  },
  'trace configuration with overrides',
)

export interface TraceCallConfigWire extends WireOf<typeof callFields> {}

export const traceCallConfig: Codec<TraceCallConfig, TraceCallConfigWire> = converted(
  callFields,
  (config, path) => ({
    choice: choiceOf(config, path),
    accounts: config.stateOverrides,
    block: config.blockOverrides,
    txIndex: config.txIndex,
  }),
)

export const DEFAULT_CALL_TRACE: TraceCallConfig = traceCallConfig.decode({}, '')

const MAX_CALLS = 5000

const callBundle = recordCodec({
  transactions: or(arrayOf(transactionRequest, MAX_CALLS), []),
  blockOverride: blockOverrides,
})

/** Calls that run one after another in one block. */
export interface TracedBundle extends ValueOf<typeof callBundle> {}
export interface TracedBundleWire extends WireOf<typeof callBundle> {}

export const callBundles: Codec<readonly TracedBundle[], readonly TracedBundleWire[]> = {
  ...converted(arrayOf(callBundle, MAX_CALLS), (bundles, path) =>
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
const contextFields = recordCodec({ blockNumber: or(block, 'latest'), transactionIndex: place })

export interface StateContext extends ValueOf<typeof contextFields> {}
export interface StateContextWire extends WireOf<typeof contextFields> {}

export const stateContext: Codec<StateContext, StateContextWire> = contextFields

export const LATEST_END: StateContext = { blockNumber: 'latest', transactionIndex: undefined }

const TRACE_TYPES = ['trace', 'vmTrace', 'stateDiff'] as const
export type TraceType = (typeof TRACE_TYPES)[number]

export const traceTypes: Codec<ReadonlySet<TraceType>, readonly TraceType[]> = {
  ...converted(arrayOf(oneOf(TRACE_TYPES), 100), (types) => new Set(types)),
  name: 'array of trace, vmTrace, stateDiff',
}

/** More calls are refused, as eth_simulateV1 refuses more blocks. */
const MAX_TYPED_CALLS = 1000

/** Calls with the types of their traces. */
export const typedCalls = arrayOf(
  pairOf('pair of call and trace types', 'a call and its trace types', [transactionRequest, traceTypes]),
  MAX_TYPED_CALLS,
)

/** An address or a list; an empty list names none. */
const addresses = converted(oneOrMany(address), (list): ReadonlySet<Address> | undefined =>
  list.length === 0 ? undefined : new Set(list),
)

const filterFields = recordCodec(
  {
    fromBlock: or(blockTagOrNumber, 'earliest'),
    toBlock: or(blockTagOrNumber, 'latest'),
    fromAddress: addresses,
    toAddress: addresses,
    /** A trace needs one of the senders or one of the recipients, or one of each that are named. */
    mode: or(oneOf(['union', 'intersection']), 'union'),
    /** Matching traces to leave out. */
    after: or(integer, 0),
    count: integer,
  },
  'trace filter',
)

export interface TraceFilter extends ValueOf<typeof filterFields> {}
export interface TraceFilterWire extends WireOf<typeof filterFields> {}

export const traceFilter: Codec<TraceFilter, TraceFilterWire> = filterFields
