// Recovery of the sender of a transaction, with a fast check of a guessed signer and a cache.

import type * as transactions from '../execution/transaction/transaction.ts'
import type { Transaction } from '../execution/transaction/transaction.ts'
import * as crypto from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import { CURVE_ORDER } from '../primitives/numbers.ts'
import { signingDigest } from './payload.ts'

/** The fields in a transaction's bytes. */
export type SignedFields = Omit<Transaction, 'hash' | 'sender' | 'raw' | 'sidecar' | 'deposit' | 'type'> & {
  readonly type: transactions.SignedType
}

/** An account with its private key. */
export interface KeyHolder {
  readonly address: Address
  readonly privateKey: Uint8Array
}

/** Guesses the signer of a transaction: to verify a known key is much faster than recovery. */
export type SignerGuess = (transaction: SignedFields) => KeyHolder | undefined

/** Recoveries before the first guess: the table for checking guesses costs as much as several recoveries. */
const RECOVERIES_BEFORE_GUESS = 5
let recovered = 0

function findSender(fields: SignedFields, guess: SignerGuess | undefined): Address {
  const { r, s, yParity } = fields
  // validity.ts checks for a low `s`, which depends on the fork.
  if (r === 0n || s === 0n || r >= CURVE_ORDER || s >= CURVE_ORDER) throw failure('invalidSignature')
  const digest = signingDigest(fields)
  const guessed = recovered < RECOVERIES_BEFORE_GUESS ? undefined : guess?.(fields)
  if (guessed !== undefined && crypto.isSignedWith(guessed.privateKey, digest, r, s, yParity))
    return guessed.address
  recovered++
  const key = crypto.recoverPublicKey(digest, r, s, yParity)
  if (key === undefined) throw failure('invalidSignature')
  return crypto.addressOfPublicKey(key)
}

const MAX_CACHED = 10_000
const senders = new Map<Hash, Address>()

/** The sender of a transaction, cached by hash: after a revert, tests send the same bytes again. */
export function senderOf(hash: Hash, fields: SignedFields, guess: SignerGuess | undefined): Address {
  let sender = senders.get(hash)
  if (sender === undefined) {
    sender = findSender(fields, guess)
    if (senders.size >= MAX_CACHED) senders.clear()
    senders.set(hash, sender)
  }
  return sender
}
