// Codecs of the parameters of wallet methods (EIP-3326, EIP-3085, EIP-5792).

import type { Address } from '../../primitives/hex.ts'
import { address, arrayOf, asRecord, boolean, field, requiredField } from './basic.ts'
import { type Codec, refuse, refuseValue } from './codec.ts'
import { uint64 } from './numbers.ts'
import { type TransactionRequest, transactionRequest } from './transaction-request.ts'

/** An object with a chain id; other fields are ignored. */
export const chainReference: Codec<bigint, { readonly chainId: string }> = {
  name: 'object with chainId',
  decode: (value, path) => requiredField(asRecord(value, path), 'chainId', uint64, path),
}

/** Any object. */
export const anyObject: Codec<Record<string, unknown>, object> = { name: 'object', decode: asRecord }

export interface CallBundle {
  readonly id: string | undefined
  readonly from: Address | undefined
  readonly chainId: bigint | undefined
  readonly isAtomicRequired: boolean
  readonly calls: readonly TransactionRequest[]
  /** Names of the required capabilities. */
  readonly capabilities: readonly string[]
}

const MAX_CALLS = 1000

/** EIP-5792: 4096 bytes, in hex. */
const MAX_ID_LENGTH = 2 + 2 * 4096

export const bundleId: Codec<string, string> = {
  name: 'string',
  decode(value, path) {
    if (typeof value !== 'string' || value.length > MAX_ID_LENGTH)
      refuseValue(path, `a string of up to ${MAX_ID_LENGTH} characters`, value)
    return value
  },
}

/** Names of the capabilities that are not marked optional. */
function requiredCapabilities(value: Record<string, unknown>): string[] {
  return Object.entries(value)
    .filter(([, capability]) => (capability as { optional?: unknown } | null)?.optional !== true)
    .map(([name]) => name)
}

export const callBundle: Codec<CallBundle, object> = {
  name: 'call bundle',
  decode(value, path) {
    const record = asRecord(value, path)
    const calls = field(record, 'calls', arrayOf(transactionRequest, MAX_CALLS), path)
    if (calls === undefined || calls.length === 0) refuse(`${path}.calls`, 'expected at least one call')
    return {
      id: field(record, 'id', bundleId, path),
      from: field(record, 'from', address, path),
      chainId: field(record, 'chainId', uint64, path),
      isAtomicRequired: field(record, 'atomicRequired', boolean, path) ?? false,
      calls,
      capabilities: requiredCapabilities(field(record, 'capabilities', anyObject, path) ?? {}),
    }
  },
}
