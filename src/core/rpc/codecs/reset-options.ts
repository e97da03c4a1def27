// Codec of the parameter of a reset. Clients that do not fork send the fields of `forking` without values.

import { asRecord, field, text } from './basic.ts'
import type { Codec } from './codec.ts'
import { integer } from './numbers.ts'

/** Where a reset forks; `undefined` if it goes back to how the chain was created. */
export interface ResetOptions {
  readonly forking: { readonly url: string | undefined; readonly block: number | undefined } | undefined
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
    if (forking === undefined || forking === null) return { forking: undefined }
    const at = `${path}.forking`
    const given = Object.entries(asRecord(forking, at)).filter(([, each]) => !isUnset(each))
    if (given.length === 0) return { forking: undefined }
    const fields = Object.fromEntries(given)
    const url = field(fields, 'jsonRpcUrl', text, at)
    return { forking: { url, block: field(fields, 'blockNumber', integer, at) } }
  },
}
