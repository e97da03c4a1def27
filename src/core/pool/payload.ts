// Payloads of transactions: their fields, encoding and signing.

import type * as transactions from '../execution/transaction/transaction.ts'
import type { Transaction, TransactionFields } from '../execution/transaction/transaction.ts'
import * as crypto from '../primitives/crypto.ts'
import { type Address, bytesToBigInt, EMPTY_BYTES } from '../primitives/hex.ts'
import { type Encodable, encodeItems, type Item } from '../primitives/rlp.ts'
import { signDigest } from '../primitives/signer.ts'
import * as rlpFields from '../rollup/rlp-fields.ts'

type FieldName = Exclude<keyof TransactionFields, 'type'>

const CALL = ['gasLimit', 'to', 'value', 'input'] as const
const DYNAMIC_FEE = [
  ...(['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas'] as const),
  ...CALL,
  'accessList',
] as const

/** The fields before the signature. Types 0 and 1 have one gas price, which stands for both fees. */
export const PAYLOADS: Readonly<Record<transactions.SignedType, readonly FieldName[]>> = {
  0: ['nonce', 'maxFeePerGas', ...CALL],
  1: ['chainId', 'nonce', 'maxFeePerGas', ...CALL, 'accessList'],
  2: DYNAMIC_FEE,
  3: [...DYNAMIC_FEE, 'maxFeePerBlobGas', 'blobVersionedHashes'],
  4: [...DYNAMIC_FEE, 'authorizationList'],
}

function decodeAccess(entry: Item): transactions.AccessListEntry {
  const [address, keys, ...rest] = rlpFields.asList(entry)
  if (rest.length > 0) throw rlpFields.undecodable('rlp: too many elements in an access list entry')
  return { address: rlpFields.asAddress(address), storageKeys: rlpFields.asList(keys).map(rlpFields.asHash) }
}

function decodeAuthorization(entry: Item): transactions.Authorization {
  const [chainId, address, nonce, yParity, r, s, ...rest] = rlpFields.asList(entry)
  if (rest.length > 0) throw rlpFields.undecodable('rlp: too many elements in an authorization')
  return {
    chainId: rlpFields.asInteger(chainId, 256),
    address: rlpFields.asAddress(address),
    nonce: rlpFields.asInteger(nonce, 64),
    yParity: rlpFields.asInteger(yParity, 8),
    r: rlpFields.asInteger(r, 256),
    s: rlpFields.asInteger(s, 256),
  }
}

interface Field<Value> {
  readonly encode: (value: Value) => Encodable
  readonly decode: (item: Item | undefined, type: transactions.SignedType) => Value
}

function integer(bits: 64 | 256): Field<bigint> {
  return { encode: (value) => value, decode: (item) => rlpFields.asInteger(item, bits) }
}

const FIELDS: { readonly [Name in FieldName]: Field<TransactionFields[Name]> } = {
  chainId: {
    encode: (value) => value ?? 0n,
    decode: (item) => rlpFields.asInteger(item, 256),
  },
  nonce: integer(64),
  maxPriorityFeePerGas: integer(256),
  maxFeePerGas: integer(256),
  gasLimit: integer(64),
  to: {
    encode: (value) => value ?? EMPTY_BYTES,
    // Blob and set code transactions cannot create contracts.
    decode: (item, type) => (type >= 3 ? rlpFields.asAddress(item) : rlpFields.asRecipient(item)),
  },
  value: integer(256),
  input: { encode: (value) => value, decode: rlpFields.asBytes },
  accessList: {
    encode: (value) => value.map(({ address, storageKeys }) => [address, storageKeys]),
    decode: (item) => rlpFields.asList(item).map(decodeAccess),
  },
  authorizationList: {
    encode: (value) =>
      value.map(({ chainId, address, nonce, yParity, r, s }) => [chainId, address, nonce, yParity, r, s]),
    decode: (item) => rlpFields.asList(item).map(decodeAuthorization),
  },
  maxFeePerBlobGas: integer(256),
  blobVersionedHashes: {
    encode: (value) => value,
    decode: (item) => rlpFields.asList(item).map(rlpFields.asHash),
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
function payloadItems(fields: TransactionFields): Encodable[] {
  const encode = <Name extends FieldName>(name: Name): Encodable => FIELDS[name].encode(fields[name])
  return PAYLOADS[fields.type as transactions.SignedType].map(encode)
}

/** The inverse of `payloadItems`; throws `undecodableTransaction`. */
export function decodePayload<Type extends transactions.SignedType>(
  type: Type,
  items: readonly Item[],
): TransactionFields & { readonly type: Type } {
  const fields = { ...NO_FIELDS, type } as Record<string, unknown>
  for (const [position, name] of PAYLOADS[type].entries())
    fields[name] = FIELDS[name].decode(items[position], type)
  if (type < 2) fields['maxPriorityFeePerGas'] = fields['maxFeePerGas']
  return fields as unknown as TransactionFields & { readonly type: Type }
}

const CHAIN_ID_IN_V = 35n

function envelope(type: number, items: readonly Encodable[]): Uint8Array {
  return encodeItems(items, type === 0 ? undefined : type)
}

/** The digest that the sender signs: the hash of the payload without its signature. */
export function signingDigest(fields: TransactionFields, items = payloadItems(fields)): Uint8Array {
  const { type, chainId } = fields
  const isReplayProtected = type === 0 && chainId !== undefined
  const signed = isReplayProtected ? [...items, chainId, EMPTY_BYTES, EMPTY_BYTES] : items
  return crypto.keccak256(envelope(type, signed))
}

/** The `v` of a signature in RPC and in legacy encoding. */
export function signatureV({
  type,
  chainId,
  yParity,
}: Pick<Transaction, 'type' | 'chainId' | 'yParity'>): bigint {
  if (type !== 0) return BigInt(yParity)
  return chainId === undefined ? 27n + BigInt(yParity) : chainId * 2n + CHAIN_ID_IN_V + BigInt(yParity)
}

/** The transaction with a signature; `v` is what its bytes have for `yParity`. */
function withSignature(
  fields: TransactionFields,
  sender: Address,
  v: bigint,
  signature: Pick<Transaction, 'yParity' | 'r' | 's'>,
  items = payloadItems(fields),
): Transaction {
  const raw = envelope(fields.type, [...items, v, signature.r, signature.s])
  return { ...fields, ...signature, raw, hash: crypto.keccak256Hex(raw), sender }
}

/** An unsigned transaction, with a zero signature as in geth. */
export function unsignedTransaction(fields: TransactionFields, sender: Address): Transaction {
  return withSignature(fields, sender, 0n, { yParity: 0, r: 0n, s: 0n })
}

/** Bit above the address, so that the zero address has a non-zero signature, too. */
const IMPERSONATED = 1n << 160n

/**
 * A transaction of an impersonated account. Both r and s are 2^160 plus the sender's address, so the bytes are
 * well-formed and the hash differs by sender.
 */
export function impersonatedTransaction(fields: TransactionFields, sender: Address): Transaction {
  const r = IMPERSONATED + BigInt(sender)
  const v = signatureV({ ...fields, yParity: 0 })
  return { ...withSignature(fields, sender, v, { yParity: 0, r, s: r }), isImpersonated: true }
}

/** Signs a transaction with the private key of its sender, 32 bytes. */
export function signTransaction(
  fields: TransactionFields,
  sender: Address,
  privateKey: Uint8Array,
): Transaction {
  const items = payloadItems(fields)
  const { yParity, ...signed } = signDigest(signingDigest(fields, items), privateKey)
  const [r, s] = [bytesToBigInt(signed.r), bytesToBigInt(signed.s)]
  return withSignature(fields, sender, signatureV({ ...fields, yParity }), { yParity, r, s }, items)
}
