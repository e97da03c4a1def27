// Codecs of the trace module: trace types, the calls of trace_callMany, and the filter of trace_filter.

import type { BlockTag } from '../../node/lookup.ts'
import type { Address } from '../../primitives/hex.ts'
import { address, arrayOf, asFields, field, oneOf } from './basic.ts'
import { type BlockNumberWire, blockTagOrNumber } from './block.ts'
import { type Codec, refuseValue } from './codec.ts'
import { integer } from './numbers.ts'
import {
  type TransactionRequest,
  type TransactionRequestWire,
  transactionRequest,
} from './transaction-request.ts'

const TRACE_TYPES = ['trace', 'vmTrace', 'stateDiff'] as const
export type TraceType = (typeof TRACE_TYPES)[number]

const typeList = arrayOf(oneOf(TRACE_TYPES), 100)

export const traceTypes: Codec<ReadonlySet<TraceType>, readonly TraceType[]> = {
  name: 'array of trace, vmTrace, stateDiff',
  decode: (value, path) => new Set(typeList.decode(value, path)),
}

/** A call with the types of its trace. */
export interface TypedCall {
  readonly request: TransactionRequest
  readonly types: ReadonlySet<TraceType>
}

/** More calls are refused, as eth_simulateV1 refuses more blocks. */
const MAX_CALLS = 1000

const typedCall: Codec<TypedCall, readonly [TransactionRequestWire, readonly TraceType[]]> = {
  name: 'pair of call and trace types',
  decode(value, path) {
    if (!Array.isArray(value) || value.length !== 2) refuseValue(path, 'a call and its trace types', value)
    return {
      request: transactionRequest.decode(value[0], `${path}[0]`),
      types: traceTypes.decode(value[1], `${path}[1]`),
    }
  },
}

export const typedCalls: Codec<
  TypedCall[],
  readonly (readonly [TransactionRequestWire, readonly TraceType[]])[]
> = arrayOf(typedCall, MAX_CALLS)

/** Whether a trace needs one of the senders or one of the recipients, or one of each that are named. */
type TraceFilterMode = 'union' | 'intersection'

export interface TraceFilter {
  readonly fromBlock: BlockTag | number
  readonly toBlock: BlockTag | number
  /** `undefined`: not named. */
  readonly senders: ReadonlySet<Address> | undefined
  readonly recipients: ReadonlySet<Address> | undefined
  readonly mode: TraceFilterMode
  /** Matching traces to leave out. */
  readonly after: number
  readonly count: number | undefined
}

export interface TraceFilterWire {
  readonly fromBlock?: BlockNumberWire | null
  readonly toBlock?: BlockNumberWire | null
  readonly fromAddress?: string | readonly string[] | null
  readonly toAddress?: string | readonly string[] | null
  readonly mode?: TraceFilterMode | null
  readonly after?: string | number | null
  readonly count?: string | number | null
}

const MAX_ADDRESSES = 1000
const addressList = arrayOf(address, MAX_ADDRESSES)

/** An address or a list; an empty list names none. */
const addresses: Codec<ReadonlySet<Address> | undefined> = {
  name: 'address or array of address',
  decode(value, path) {
    const list = Array.isArray(value) ? addressList.decode(value, path) : [address.decode(value, path)]
    return list.length === 0 ? undefined : new Set(list)
  },
}

const FIELDS = ['fromBlock', 'toBlock', 'fromAddress', 'toAddress', 'mode', 'after', 'count'] as const

export const traceFilter: Codec<TraceFilter, TraceFilterWire> = {
  name: 'trace filter',
  decode(value, path) {
    const fields = asFields(value, path, FIELDS)
    return {
      fromBlock: field(fields, 'fromBlock', blockTagOrNumber, path) ?? 'earliest',
      toBlock: field(fields, 'toBlock', blockTagOrNumber, path) ?? 'latest',
      senders: field(fields, 'fromAddress', addresses, path),
      recipients: field(fields, 'toAddress', addresses, path),
      mode: field(fields, 'mode', oneOf(['union', 'intersection']), path) ?? 'union',
      after: field(fields, 'after', integer, path) ?? 0,
      count: field(fields, 'count', integer, path),
    }
  },
}
