// Codec of the parameter of a reset. Clients that do not fork send the fields of `forking` without values.

import { asRecord } from './basic.ts'
import type { Codec } from './codec.ts'

export interface ResetOptions {
  readonly isForking: boolean
}

export interface ResetOptionsWire {
  readonly forking?: { readonly jsonRpcUrl?: string | null; readonly blockNumber?: unknown } | null
}

/** A client that has no block number writes NaN in its place. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null || Number.isNaN(value)
}

export const resetOptions: Codec<ResetOptions, ResetOptionsWire> = {
  name: 'object with forking',
  decode(value, path) {
    const { forking } = asRecord(value, path)
    if (forking === undefined || forking === null) return { isForking: false }
    return { isForking: !Object.values(asRecord(forking, `${path}.forking`)).every(isUnset) }
  },
}
