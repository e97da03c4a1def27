// Codecs of the trace module: trace types, the calls of trace_callMany, and the filter of trace_filter.

import type { Address } from '../../primitives/hex.ts'
import { address, arrayOf, oneOf } from './basic.ts'
import { blockTagOrNumber } from './block.ts'
import type { Codec } from './codec.ts'
import { oneOrMany } from './filter.ts'
import { integer } from './numbers.ts'
import { converted, or, pairOf, recordCodec, type ValueOf, type WireOf } from './object.ts'
import { transactionRequest } from './transaction-request.ts'

const TRACE_TYPES = ['trace', 'vmTrace', 'stateDiff'] as const
export type TraceType = (typeof TRACE_TYPES)[number]

export const traceTypes: Codec<ReadonlySet<TraceType>, readonly TraceType[]> = {
  ...converted(arrayOf(oneOf(TRACE_TYPES), 100), (types) => new Set(types)),
  name: 'array of trace, vmTrace, stateDiff',
}

/** More calls are refused, as eth_simulateV1 refuses more blocks. */
const MAX_CALLS = 1000

/** Calls with the types of their traces. */
export const typedCalls = arrayOf(
  pairOf('pair of call and trace types', 'a call and its trace types', [transactionRequest, traceTypes]),
  MAX_CALLS,
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
