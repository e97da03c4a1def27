// Codecs of the parameters of wallet methods (EIP-3326, EIP-3085, EIP-5792).

import { address, arrayOf, asRecord, boolean, requiredField } from './basic.ts'
import { type Codec, refuse, refuseValue } from './codec.ts'
import { uint64 } from './numbers.ts'
import { converted, or, recordCodec, type ValueOf } from './object.ts'
import { transactionRequest } from './transaction-request.ts'

/** An object with a chain id; other fields are ignored. */
export const chainReference: Codec<bigint, { readonly chainId: string }> = {
  name: 'object with chainId',
  decode: (value, path) => requiredField(asRecord(value, path), 'chainId', uint64, path),
}

/** Any object. */
export const anyObject: Codec<Record<string, unknown>, object> = { name: 'object', decode: asRecord }

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

/** The capabilities that are not marked optional. */
const requiredCapabilities = converted(anyObject, (value) =>
  Object.entries(value)
    .filter(([, capability]) => (capability as { optional?: unknown } | null)?.optional !== true)
    .map(([name]) => name),
)

const bundleFields = recordCodec(
  {
    calls: or(arrayOf(transactionRequest, MAX_CALLS), []),
    id: bundleId,
    from: address,
    chainId: uint64,
    atomicRequired: or(boolean, false),
    capabilities: or(requiredCapabilities, []),
  },
  'call bundle',
  'ignored',
)

export interface WalletBundle extends ValueOf<typeof bundleFields> {}

export const callBundle: Codec<WalletBundle, object> = converted(bundleFields, (bundle, path) =>
  bundle.calls.length === 0 ? refuse(`${path}.calls`, 'expected at least one call') : bundle,
)
