// Codecs of the configuration of debug_trace*, with the fields of geth and of old clients.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import { NO_STATE_OVERRIDES, type StateOverrides } from '../../state/overrides.ts'
import { asFields, boolean, type Fields, field, text } from './basic.ts'
import type { Codec } from './codec.ts'
import { integer } from './numbers.ts'
import {
  type AccountOverrideWire,
  type BlockOverridesWire,
  blockOverrides,
  stateOverrides,
} from './overrides.ts'
import { decodeNamed, type StructLogOptions, type TracerChoice } from './tracer.ts'

export interface TraceConfigWire {
  /** A tracer's name; without it, the struct logger. */
  readonly tracer?: string | null
  readonly tracerConfig?: object | null
  /** Both without effect. */
  readonly timeout?: string | null
  readonly reexec?: string | number | null
  readonly enableMemory?: boolean | null
  readonly disableMemory?: boolean | null
  readonly disableStack?: boolean | null
  readonly disableStorage?: boolean | null
  readonly enableReturnData?: boolean | null
  readonly disableReturnData?: boolean | null
  readonly debug?: boolean | null
  readonly limit?: string | number | null
}

const FIELDS = [
  'tracer',
  'tracerConfig',
  'timeout',
  'reexec',
  'enableMemory',
  'disableMemory',
  'disableStack',
  'disableStorage',
  'enableReturnData',
  'disableReturnData',
  'debug',
  'limit',
] as const

type Field = (typeof FIELDS)[number]

function structLogOptions(record: Fields<Field>, path: string): StructLogOptions {
  const isSet = (name: Field): boolean | undefined => field(record, name, boolean, path)
  isSet('debug')
  // `disableMemory` and `disableReturnData` are of clients before geth 1.10.
  const isMemoryKept = isSet('disableMemory') === false
  const isReturnDataKept = isSet('disableReturnData') === false
  return {
    stack: isSet('disableStack') !== true,
    storage: isSet('disableStorage') !== true,
    memory: isSet('enableMemory') ?? isMemoryKept,
    returnData: isSet('enableReturnData') ?? isReturnDataKept,
    limit: field(record, 'limit', integer, path) ?? 0,
  }
}

function decodeChoice(record: Fields<Field>, path: string): TracerChoice {
  field(record, 'timeout', text, path)
  field(record, 'reexec', integer, path)
  const tracer = field(record, 'tracer', text, path)
  const options = structLogOptions(record, path)
  return tracer === undefined ? { tracer: 'structLogger', options } : decodeNamed(tracer, record, path)
}

export const traceConfig: Codec<TracerChoice, TraceConfigWire> = {
  name: 'trace configuration',
  decode: (value, path) => decodeChoice(asFields(value, path, FIELDS), path),
}

/** Without a configuration. */
export const DEFAULT_TRACE: TracerChoice = traceConfig.decode({}, '')

/** The configuration of a trace of calls. */
export interface TraceCallConfig {
  readonly choice: TracerChoice
  readonly accounts: StateOverrides
  readonly block: BlockOverrides | undefined
  /** The call runs before this transaction of the block; `undefined` for after the last. */
  readonly txIndex: number | undefined
}

export interface TraceCallConfigWire extends TraceConfigWire {
  readonly stateOverrides?: Readonly<Record<string, AccountOverrideWire>> | null
  readonly blockOverrides?: BlockOverridesWire | null
  readonly txIndex?: string | number | null
}

export const traceCallConfig: Codec<TraceCallConfig, TraceCallConfigWire> = {
  name: 'trace configuration with overrides',
  decode(value, path) {
    const record = asFields(value, path, [...FIELDS, 'stateOverrides', 'blockOverrides', 'txIndex'])
    return {
      choice: decodeChoice(record, path),
      accounts: field(record, 'stateOverrides', stateOverrides, path) ?? NO_STATE_OVERRIDES,
      block: field(record, 'blockOverrides', blockOverrides, path),
      txIndex: field(record, 'txIndex', integer, path),
    }
  },
}

export const DEFAULT_CALL_TRACE: TraceCallConfig = traceCallConfig.decode({}, '')
