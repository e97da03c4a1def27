// Encoding and signing of transactions.

import type { Transaction, TransactionFields } from '../execution/transaction/transaction.ts'
import { keccak256, keccak256Hex } from '../primitives/crypto.ts'
import { type Encodable, encodeItems } from '../primitives/encode-rlp.ts'
import { type Address, bytesToBigInt, EMPTY_BYTES } from '../primitives/hex.ts'
import { signDigest } from '../primitives/signer.ts'
import { payloadItems } from './payload.ts'

const CHAIN_ID_IN_V = 35n

function envelope(type: number, items: readonly Encodable[]): Uint8Array {
  return encodeItems(items, type === 0 ? undefined : type)
}

/** The digest that the sender signs: the hash of the payload without its signature. */
export function signingDigest(fields: TransactionFields, items = payloadItems(fields)): Uint8Array {
  const { type, chainId } = fields
  const isReplayProtected = type === 0 && chainId !== undefined
  const signed = isReplayProtected ? [...items, chainId, EMPTY_BYTES, EMPTY_BYTES] : items
  return keccak256(envelope(type, signed))
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
  const signature = [signatureV({ ...fields, yParity: 0 }), r, r]
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
  const items = payloadItems(fields)
  const signature = signDigest(signingDigest(fields, items), privateKey)
  const [r, s] = [bytesToBigInt(signature.r), bytesToBigInt(signature.s)]
  const { yParity } = signature
  const v = signatureV({ ...fields, yParity })
  const raw = envelope(fields.type, [...items, v, r, s])
  return { ...fields, yParity, r, s, raw, hash: keccak256Hex(raw), sender }
}
