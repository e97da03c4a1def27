// A decoded trace as JSON.

import type { CallTrace } from '../../../tools/solidity/calls/call-trace.ts'
import { formatDecoded } from './decoded-value.ts'

/** A value as it is after its way through JSON. */
type Json<T> = T extends bigint
  ? string
  : T extends undefined
    ? null
    : T extends readonly (infer Item)[]
      ? readonly Json<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]: Json<T[Key]> }
        : T

export type RpcCallTrace = Json<CallTrace>

export function formatCallTrace(trace: CallTrace): RpcCallTrace {
  return formatDecoded(trace) as RpcCallTrace
}
