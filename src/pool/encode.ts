// Encoding and signing of transactions.

import { RLP } from '@ethereumjs/rlp'
import type { Transaction, TransactionFields } from '../execution/transaction/transaction.ts'
import { keccak256, keccak256Hex } from '../primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  bytesToBigInt,
  concatBytes,
  EMPTY_BYTES,
  hexToBytes,
} from '../primitives/hex.ts'
import { signDigest } from '../primitives/signer.ts'

type Item = Uint8Array | Item[]

const CHAIN_ID_IN_V = 35n

function accessListItems(fields: TransactionFields): Item[] {
  return fields.accessList.map((entry) => [hexToBytes(entry.address), entry.storageKeys.map(hexToBytes)])
}

function authorizationItems(fields: TransactionFields): Item[] {
  return fields.authorizationList.map(({ chainId, address, nonce, yParity, r, s }) => [
    bigIntToBytes(chainId),
    hexToBytes(address),
    ...[nonce, yParity, r, s].map(bigIntToBytes),
  ])
}

function payloadItems(fields: TransactionFields): Item[] {
  const to = fields.to === undefined ? EMPTY_BYTES : hexToBytes(fields.to)
  const rest = [bigIntToBytes(fields.gasLimit), to, bigIntToBytes(fields.value), fields.input]
  const nonce = bigIntToBytes(fields.nonce)
  if (fields.type === 0) return [nonce, bigIntToBytes(fields.maxFeePerGas), ...rest]
  const chainId = bigIntToBytes(fields.chainId ?? 0n)
  const feeCap = bigIntToBytes(fields.maxFeePerGas)
  const fees = fields.type === 1 ? [feeCap] : [bigIntToBytes(fields.maxPriorityFeePerGas), feeCap]
  const items: Item[] = [chainId, nonce, ...fees, ...rest, accessListItems(fields)]
  if (fields.type === 3) {
    items.push(bigIntToBytes(fields.maxFeePerBlobGas), fields.blobVersionedHashes.map(hexToBytes))
  }
  if (fields.type === 4) items.push(authorizationItems(fields))
  return items
}

function envelope(type: number, items: Item[]): Uint8Array {
  const payload = RLP.encode(items)
  return type === 0 ? payload : concatBytes(Uint8Array.of(type), payload)
}

/** The bytes whose keccak-256 the sender signs. */
function signingPayload(fields: TransactionFields): Uint8Array {
  const items = payloadItems(fields)
  if (fields.type === 0 && fields.chainId !== undefined) {
    items.push(bigIntToBytes(fields.chainId), EMPTY_BYTES, EMPTY_BYTES)
  }
  return envelope(fields.type, items)
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

/** An unsigned transaction, with a zero signature as in geth. */
export function unsignedTransaction(fields: TransactionFields, sender: Address): Transaction {
  const raw = envelope(fields.type, [...payloadItems(fields), EMPTY_BYTES, EMPTY_BYTES, EMPTY_BYTES])
  return { ...fields, yParity: 0, r: 0n, s: 0n, raw, hash: keccak256Hex(raw), sender }
}

/** Bit above the address, so that the zero address has a non-zero signature, too. */
const IMPERSONATED = 1n << 160n

/**
 * A transaction of an impersonated account. Both r and s are 2^160 plus the sender's address, so the bytes are
 * well-formed and the hash differs by sender.
 */
export function impersonatedTransaction(fields: TransactionFields, sender: Address): Transaction {
  const r = IMPERSONATED + BigInt(sender)
  const signature = [signatureV({ ...fields, yParity: 0 }), r, r].map(bigIntToBytes)
  const raw = envelope(fields.type, [...payloadItems(fields), ...signature])
  return {
    ...fields,
    ...{ yParity: 0, r, s: r },
    raw,
    hash: keccak256Hex(raw),
    sender,
    isImpersonated: true,
  }
}

/** Signs a transaction with the private key of its sender, 32 bytes. */
export function signTransaction(
  fields: TransactionFields,
  sender: Address,
  privateKey: Uint8Array,
): Transaction {
  const signature = signDigest(keccak256(signingPayload(fields)), privateKey)
  const [r, s] = [bytesToBigInt(signature.r), bytesToBigInt(signature.s)]
  const { yParity } = signature
  const v = signatureV({ ...fields, yParity })
  const raw = envelope(fields.type, [...payloadItems(fields), ...[v, r, s].map(bigIntToBytes)])
  return { ...fields, yParity, r, s, raw, hash: keccak256Hex(raw), sender }
}
