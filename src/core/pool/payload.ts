// The fields of signed transactions: their order in the RLP of each type (EIP-2718), and their codecs.

import type {
  AccessListEntry,
  Authorization,
  SignedType,
  TransactionFields,
} from '../execution/transaction/transaction.ts'
import type { Item } from '../primitives/decode-rlp.ts'
import type { Encodable } from '../primitives/encode-rlp.ts'
import { EMPTY_BYTES } from '../primitives/hex.ts'
import {
  asAddress,
  asBytes,
  asHash,
  asInteger,
  asList,
  asRecipient,
  undecodable,
} from '../rollup/rlp-fields.ts'

type FieldName = Exclude<keyof TransactionFields, 'type'>

const CALL = ['gasLimit', 'to', 'value', 'input'] as const
const DYNAMIC_FEE = [
  ...(['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas'] as const),
  ...CALL,
  'accessList',
] as const

/** The fields before the signature. Types 0 and 1 have one gas price, which stands for both fees. */
export const PAYLOADS: Readonly<Record<SignedType, readonly FieldName[]>> = {
  0: ['nonce', 'maxFeePerGas', ...CALL],
  1: ['chainId', 'nonce', 'maxFeePerGas', ...CALL, 'accessList'],
  2: DYNAMIC_FEE,
  3: [...DYNAMIC_FEE, 'maxFeePerBlobGas', 'blobVersionedHashes'],
  4: [...DYNAMIC_FEE, 'authorizationList'],
}

function decodeAccess(entry: Item): AccessListEntry {
  const [address, keys, ...rest] = asList(entry)
  if (rest.length > 0) throw undecodable('rlp: too many elements in an access list entry')
  return { address: asAddress(address), storageKeys: asList(keys).map(asHash) }
}

function decodeAuthorization(entry: Item): Authorization {
  const [chainId, address, nonce, yParity, r, s, ...rest] = asList(entry)
  if (rest.length > 0) throw undecodable('rlp: too many elements in an authorization')
  return {
    chainId: asInteger(chainId, 256),
    address: asAddress(address),
    nonce: asInteger(nonce, 64),
    yParity: asInteger(yParity, 8),
    r: asInteger(r, 256),
    s: asInteger(s, 256),
  }
}

interface Field<Value> {
  readonly encode: (value: Value) => Encodable
  readonly decode: (item: Item | undefined, type: SignedType) => Value
}

function integer(bits: 64 | 256): Field<bigint> {
  return { encode: (value) => value, decode: (item) => asInteger(item, bits) }
}

const FIELDS: { readonly [Name in FieldName]: Field<TransactionFields[Name]> } = {
  chainId: {
    encode: (value) => value ?? 0n,
    decode: (item) => asInteger(item, 256),
  },
  nonce: integer(64),
  maxPriorityFeePerGas: integer(256),
  maxFeePerGas: integer(256),
  gasLimit: integer(64),
  to: {
    encode: (value) => value ?? EMPTY_BYTES,
    // Blob and set code transactions cannot create contracts.
    decode: (item, type) => (type >= 3 ? asAddress(item) : asRecipient(item)),
  },
  value: integer(256),
  input: { encode: (value) => value, decode: asBytes },
  accessList: {
    encode: (value) => value.map(({ address, storageKeys }) => [address, storageKeys]),
    decode: (item) => asList(item).map(decodeAccess),
  },
  authorizationList: {
    encode: (value) =>
      value.map(({ chainId, address, nonce, yParity, r, s }) => [chainId, address, nonce, yParity, r, s]),
    decode: (item) => asList(item).map(decodeAuthorization),
  },
  maxFeePerBlobGas: integer(256),
  blobVersionedHashes: {
    encode: (value) => value,
    decode: (item) => asList(item).map(asHash),
  },
}

/** The fields of a transaction that has none of them. */
export const NO_FIELDS: Omit<TransactionFields, 'type'> = {
  chainId: undefined,
  nonce: 0n,
  gasLimit: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  to: undefined,
  value: 0n,
  input: EMPTY_BYTES,
  accessList: [],
  authorizationList: [],
  maxFeePerBlobGas: 0n,
  blobVersionedHashes: [],
}

/** The fields that a request names, and for the others those of a transaction that has none. */
export function completeFields(
  given: {
    readonly [Name in FieldName]?: TransactionFields[Name] | undefined
  },
): Omit<TransactionFields, 'type'> {
  const fields = Object.entries(NO_FIELDS).map(([name, none]) => [name, given[name as FieldName] ?? none])
  return Object.fromEntries(fields) as Omit<TransactionFields, 'type'>
}

/** The fields before the signature as RLP items. */
export function payloadItems(fields: TransactionFields): Encodable[] {
  const encode = <Name extends FieldName>(name: Name): Encodable => FIELDS[name].encode(fields[name])
  return PAYLOADS[fields.type as SignedType].map(encode)
}

/** The inverse of `payloadItems`; throws `undecodableTransaction`. */
export function decodePayload<Type extends SignedType>(
  type: Type,
  items: readonly Item[],
): TransactionFields & { readonly type: Type } {
  const fields = { ...NO_FIELDS, type } as Record<string, unknown>
  for (const [position, name] of PAYLOADS[type].entries())
    fields[name] = FIELDS[name].decode(items[position], type)
  if (type < 2) fields['maxPriorityFeePerGas'] = fields['maxFeePerGas']
  return fields as unknown as TransactionFields & { readonly type: Type }
}
