// Who has signed a transaction.

import type { Transaction } from '../execution/transaction/transaction.ts'
import { addressOfPublicKey, isSignedWith, keccak256, recoverPublicKey } from '../primitives/crypto.ts'
import { itemEnd, payloadStart } from '../primitives/decode-rlp.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, bigIntToBytes, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import { keccakOfRoom, keccakRoom } from '../primitives/keccak.ts'
import { CURVE_ORDER } from '../primitives/numbers.ts'
import { LIST_PREFIX_ROOM, putListPrefix, putString } from '../primitives/rlp.ts'

/** What the bytes of a transaction say. */
export type SignedFields = Omit<Transaction, 'hash' | 'sender' | 'raw' | 'sidecar'>

/** An account and the private key that signs for it. */
export interface KeyHolder {
  readonly address: Address
  readonly privateKey: Uint8Array
}

/** Names who has probably signed a transaction, as that is found out much faster of a key that is known. */
export type SignerGuess = (transaction: SignedFields) => KeyHolder | undefined

/** How many fields a payload has before its signature. */
export const FIELD_COUNT: Record<Transaction['type'], number> = { 0: 6, 1: 8, 2: 9, 3: 11, 4: 10 }

/** What EIP-155 adds in the place of the signature: the chain's id, and two zeros. */
const LONGEST_ADDITION = 35

/**
 * The hash that a sender signs: of the same payload without the signature. Only canonical bytes are decoded, so the
 * fields before it are taken as they are.
 */
function signingDigest(raw: Uint8Array, { type, chainId }: SignedFields): Uint8Array {
  const first = payloadStart(raw, type === 0 ? 0 : 1)
  let last = first
  for (let field = 0; field < FIELD_COUNT[type]; field++) last = itemEnd(raw, last)
  const start = 1 + LIST_PREFIX_ROOM
  const most = start + last - first + LONGEST_ADDITION
  const room = keccakRoom()
  const isRoomy = most <= room.length
  const target = isRoomy ? room : new Uint8Array(most)
  target.set(raw.subarray(first, last), start)
  let end = start + last - first
  if (type === 0 && chainId !== undefined) {
    for (const item of [bigIntToBytes(chainId), EMPTY_BYTES, EMPTY_BYTES]) end = putString(target, end, item)
  }
  let begin = putListPrefix(target, start, end)
  if (type !== 0) target[--begin] = type
  return isRoomy ? keccakOfRoom(begin, end) : keccak256(target.subarray(begin, end))
}

/** To make the table that tells whether a known key has signed takes as long as to recover some. */
const RECOVERED_FIRST = 10
let recovered = 0

function findSender(raw: Uint8Array, fields: SignedFields, guess: SignerGuess | undefined): Address {
  const { r, s, yParity } = fields
  // Which half of the order `s` is in depends on the fork (validity.ts).
  if (r === 0n || s === 0n || r >= CURVE_ORDER || s >= CURVE_ORDER) throw failure('invalidSignature')
  const digest = signingDigest(raw, fields)
  const guessed = recovered < RECOVERED_FIRST ? undefined : guess?.(fields)
  if (guessed !== undefined && isSignedWith(guessed.privateKey, digest, r, s, yParity)) return guessed.address
  recovered++
  const key = recoverPublicKey(digest, r, s, yParity)
  if (key === undefined) throw failure('invalidSignature')
  return addressOfPublicKey(key)
}

const SENDERS_REMEMBERED = 10_000
const senders = new Map<Hash, Address>()

/** The sender of the bytes with a hash, remembered: after a revert a test sends the same bytes again. */
export function senderOf(
  hash: Hash,
  raw: Uint8Array,
  fields: SignedFields,
  guess: SignerGuess | undefined,
): Address {
  let sender = senders.get(hash)
  if (sender === undefined) {
    sender = findSender(raw, fields, guess)
    if (senders.size >= SENDERS_REMEMBERED) senders.clear()
    senders.set(hash, sender)
  }
  return sender
}
