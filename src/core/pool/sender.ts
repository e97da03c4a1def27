// Recovery of a transaction's sender, with a fast check of a guessed signer and a cache.

import type { SignedType, Transaction } from '../execution/transaction/transaction.ts'
import { addressOfPublicKey, isSignedWith, keccak256, recoverPublicKey } from '../primitives/crypto.ts'
import { itemEnd, payloadStart } from '../primitives/decode-rlp.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, bigIntToBytes, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import { keccakInput, keccakOfInput } from '../primitives/keccak.ts'
import { CURVE_ORDER } from '../primitives/numbers.ts'
import { MAX_LIST_PREFIX, putListPrefix, putString } from '../primitives/rlp.ts'
import { PAYLOADS } from './payload.ts'

/** The fields in a transaction's bytes. */
export type SignedFields = Omit<Transaction, 'hash' | 'sender' | 'raw' | 'sidecar' | 'deposit' | 'type'> & {
  readonly type: SignedType
}

/** An account with its private key. */
export interface KeyHolder {
  readonly address: Address
  readonly privateKey: Uint8Array
}

/** Guesses the signer of a transaction: to verify a known key is much faster than recovery. */
export type SignerGuess = (transaction: SignedFields) => KeyHolder | undefined

/** The most bytes that EIP-155 puts in place of the signature: the chain id and two zeros. */
const MAX_SUFFIX_BYTES = 35

/**
 * The digest that the sender signs: the hash of the payload without its signature. The decoder accepts canonical RLP
 * only, so the encoded fields can be copied.
 */
function signingDigest(raw: Uint8Array, { type, chainId }: SignedFields): Uint8Array {
  const first = payloadStart(raw, type === 0 ? 0 : 1)
  let last = first
  for (let field = 0; field < PAYLOADS[type].length; field++) last = itemEnd(raw, last)
  const start = 1 + MAX_LIST_PREFIX
  const maxEnd = start + last - first + MAX_SUFFIX_BYTES
  const input = keccakInput()
  const fits = maxEnd <= input.length
  const target = fits ? input : new Uint8Array(maxEnd)
  target.set(raw.subarray(first, last), start)
  let end = start + last - first
  if (type === 0 && chainId !== undefined) {
    for (const item of [bigIntToBytes(chainId), EMPTY_BYTES, EMPTY_BYTES]) end = putString(target, end, item)
  }
  let begin = putListPrefix(target, start, end)
  if (type !== 0) target[--begin] = type
  return fits ? keccakOfInput(begin, end) : keccak256(target.subarray(begin, end))
}

/** Recoveries before the first guess: the table for checking guesses costs as much as several recoveries. */
const RECOVERIES_BEFORE_GUESS = 5
let recovered = 0

function findSender(raw: Uint8Array, fields: SignedFields, guess: SignerGuess | undefined): Address {
  const { r, s, yParity } = fields
  // validity.ts checks for a low `s`, which depends on the fork.
  if (r === 0n || s === 0n || r >= CURVE_ORDER || s >= CURVE_ORDER) throw failure('invalidSignature')
  const digest = signingDigest(raw, fields)
  const guessed = recovered < RECOVERIES_BEFORE_GUESS ? undefined : guess?.(fields)
  if (guessed !== undefined && isSignedWith(guessed.privateKey, digest, r, s, yParity)) return guessed.address
  recovered++
  const key = recoverPublicKey(digest, r, s, yParity)
  if (key === undefined) throw failure('invalidSignature')
  return addressOfPublicKey(key)
}

const MAX_CACHED = 10_000
const senders = new Map<Hash, Address>()

/** The sender of a transaction, cached by hash: after a revert, tests send the same bytes again. */
export function senderOf(
  hash: Hash,
  raw: Uint8Array,
  fields: SignedFields,
  guess: SignerGuess | undefined,
): Address {
  let sender = senders.get(hash)
  if (sender === undefined) {
    sender = findSender(raw, fields, guess)
    if (senders.size >= MAX_CACHED) senders.clear()
    senders.set(hash, sender)
  }
  return sender
}
