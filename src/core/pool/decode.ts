// Decoding of transactions: EIP-2718 envelopes of types 0 to 4, blob sidecars included, and the sender; deposits of the
// OP stack only where a block has them.

import type * as transactions from '../execution/transaction/transaction.ts'
import type { BlobSidecar, SignedType, Transaction } from '../execution/transaction/transaction.ts'
import * as crypto from '../primitives/crypto.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import { CURVE_ORDER } from '../primitives/numbers.ts'
import { encodeItems, type Item } from '../primitives/rlp.ts'
import { DEPOSIT_TYPE, type Deposit, decodeDeposit, encodeDeposit } from '../rollup/deposit.ts'
import { asBytes, asInteger, asList, decodeList, expectLength, undecodable } from '../rollup/rlp-fields.ts'
import * as payloads from './payload.ts'
import { signingDigest } from './payload.ts'

/** Legacy `v`: 27 or 28 without chain id, otherwise chain id × 2 + 35 or 36 (EIP-155). */
function fromLegacyV(v: bigint): { chainId: bigint | undefined; yParity: 0 | 1 } {
  if (v === 27n || v === 28n) return { chainId: undefined, yParity: v === 27n ? 0 : 1 }
  if (v < 35n) throw failure('invalidSignature')
  return { chainId: (v - 35n) / 2n, yParity: (v - 35n) % 2n === 0n ? 0 : 1 }
}

function decodeLegacy(raw: Uint8Array): SignedFields {
  const items = decodeList(raw)
  const count = payloads.PAYLOADS[0].length
  expectLength(items, count + 3)
  return {
    ...payloads.decodePayload(0, items),
    ...fromLegacyV(asInteger(items[count], 256)),
    r: asInteger(items[count + 1], 256),
    s: asInteger(items[count + 2], 256),
  }
}

function decodeTyped(type: Exclude<SignedType, 0>, items: Item[]): SignedFields {
  const count = payloads.PAYLOADS[type].length
  expectLength(items, count + 3)
  const yParity = asInteger(items[count], 256)
  if (yParity > 1n) throw failure('invalidSignature')
  const fields = payloads.decodePayload(type, items)
  const [r, s] = [asInteger(items[count + 1], 256), asInteger(items[count + 2], 256)]
  return { yParity: yParity === 0n ? 0 : 1, r, s, ...fields }
}

function asByteStrings(item: Item | undefined): Uint8Array[] {
  return asList(item).map((each) => copy(asBytes(each)))
}

/** A blob transaction's network form: [payload, blobs, commitments, proofs] (EIP-4844), or with a version (EIP-7594). */
function splitSidecar(items: Item[]): { payload: Item[]; sidecar: BlobSidecar | undefined } {
  if (!Array.isArray(items[0])) return { payload: items, sidecar: undefined }
  if (items.length !== 4 && items.length !== 5) throw undecodable('rlp: malformed blob sidecar')
  const version = items.length === 4 ? 0 : 1
  if (version === 1 && asInteger(items[1], 8) !== 1n) throw undecodable('rlp: unknown blob sidecar version')
  const [blobs, commitments, proofs] = items.slice(-3)
  const sidecar: BlobSidecar = {
    version,
    blobs: asByteStrings(blobs),
    commitments: asByteStrings(commitments),
    proofs: asByteStrings(proofs),
  }
  return { payload: items[0], sidecar }
}

interface Envelope {
  readonly fields: SignedFields
  readonly raw: Uint8Array
  readonly sidecar: BlobSidecar | undefined
}

function decodeEnvelope(bytes: Uint8Array): Envelope {
  const first = bytes[0]
  if (first === undefined || bytes.length < 2) throw undecodable('typed transaction too short')
  if (first >= 0xc0) return { fields: decodeLegacy(bytes), raw: bytes, sidecar: undefined }
  if (first === 0 || first > 4) throw failure('transactionTypeNotSupported', { type: first })
  const type = first as Exclude<SignedType, 0>
  const items = decodeList(bytes.subarray(1))
  if (type !== 3) return { fields: decodeTyped(type, items), raw: bytes, sidecar: undefined }
  const { payload, sidecar } = splitSidecar(items)
  const raw = encodeItems(payload, 3)
  return { fields: decodeTyped(3, payload), raw, sidecar }
}

/**
 * Decodes a signed transaction and recovers its sender; throws geth's admission errors. A guess of the signer only
 * makes it faster: a wrong one does not change the sender.
 */
export function decodeTransaction(bytes: Uint8Array, guess?: SignerGuess): Transaction {
  const { fields, raw, sidecar } = decodeEnvelope(bytes)
  const hash = keccak256Hex(raw)
  const sender = senderOf(hash, fields, guess)
  const own = { ...fields, input: copy(fields.input) }
  return sidecar === undefined ? { raw, hash, sender, ...own } : { raw, hash, sender, sidecar, ...own }
}

/** The fields that a deposit never has. Spreads stand last: in Node 20 each property after one takes 2 µs. */
const { gasLimit: _gas, to: _to, value: _value, input: _input, ...NO_DEPOSIT_FIELDS } = payloads.NO_FIELDS

/** A deposit as a transaction; no signature vouches for it. */
export function depositTransaction(deposit: Deposit, raw = encodeDeposit(deposit)): Transaction {
  const { from, to, value, gasLimit, data, sourceHash, mint, isSystem } = deposit
  return {
    type: DEPOSIT_TYPE,
    gasLimit,
    to,
    value,
    input: data,
    yParity: 0,
    r: 0n,
    s: 0n,
    raw,
    hash: keccak256Hex(raw),
    sender: from,
    deposit: { sourceHash, mint, isSystem },
    ...NO_DEPOSIT_FIELDS,
  }
}

/** Decodes a transaction of a block, which may be a deposit. */
export function decodeIncluded(bytes: Uint8Array): Transaction {
  return bytes[0] === DEPOSIT_TYPE
    ? depositTransaction(decodeDeposit(bytes), bytes)
    : decodeTransaction(bytes)
}

/** Decodes a transaction of a block whose sender is known, without a check of its signature. */
export function decodeWithSender(bytes: Uint8Array, sender: Address): Transaction {
  if (bytes[0] === DEPOSIT_TYPE) return depositTransaction(decodeDeposit(bytes), bytes)
  const { fields, raw } = decodeEnvelope(bytes)
  return { ...fields, input: copy(fields.input), raw, hash: keccak256Hex(raw), sender }
}

/** Decodes an unsigned transaction of an impersonated sender. */
export function decodeImpersonated(bytes: Uint8Array, sender: Address): Transaction {
  return { ...decodeWithSender(bytes, sender), isImpersonated: true }
}

function copy(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? EMPTY_BYTES : bytes.slice()
}

type SignedFields = Omit<Transaction, 'hash' | 'sender' | 'raw' | 'sidecar' | 'deposit' | 'type'> & {
  readonly type: transactions.SignedType
}

export interface KeyHolder {
  readonly address: Address
  readonly privateKey: Uint8Array
}

/** Guesses the signer of a transaction: to verify a known key is much faster than recovery. */
type SignerGuess = (transaction: SignedFields) => KeyHolder | undefined

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
function senderOf(hash: Hash, fields: SignedFields, guess: SignerGuess | undefined): Address {
  let sender = senders.get(hash)
  if (sender === undefined) {
    sender = findSender(fields, guess)
    if (senders.size >= MAX_CACHED) senders.clear()
    senders.set(hash, sender)
  }
  return sender
}
