// Deposit transactions (type 0x7e): their encoding, and the hashes that make them unique (OP stack specification,
// deposits).

import { keccakOfText, keccakOfWords } from '../primitives/crypto.ts'
import { type Address, EMPTY_BYTES, type Hash, toWord } from '../primitives/hex.ts'
import { encodeItems } from '../primitives/rlp.ts'
import * as rlpFields from './rlp-fields.ts'

/** EIP-2718 type of deposit transactions. */
export const DEPOSIT_TYPE = 0x7e

/** The fields of a deposit transaction that others do not have. */
export interface DepositFields {
  /** Hash that makes the deposit unique; see `userSourceHash` and its siblings. */
  readonly sourceHash: Hash
  /** Wei that come into being on the layer 2; they stay if the deposit fails. Zero for none. */
  readonly mint: bigint
  /** Before regolith: takes no gas from the block. */
  readonly isSystem: boolean
}

export interface Deposit extends DepositFields {
  readonly from: Address
  /** Absent for a contract creation. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly gasLimit: bigint
  readonly data: Uint8Array
}

const FIELD_COUNT = 8

/** The EIP-2718 encoding; its keccak-256 is the transaction's hash. */
export function encodeDeposit(deposit: Deposit): Uint8Array {
  const { sourceHash, from, to, mint, value, gasLimit, isSystem, data } = deposit
  return encodeItems(
    [sourceHash, from, to ?? EMPTY_BYTES, mint, value, gasLimit, isSystem ? 1 : 0, data],
    DEPOSIT_TYPE,
  )
}

/** Decodes what `encodeDeposit` returns; throws `undecodableTransaction`. */
export function decodeDeposit(bytes: Uint8Array): Deposit {
  if (bytes.length < 2) throw rlpFields.undecodable('typed transaction too short')
  if (bytes[0] !== DEPOSIT_TYPE) throw rlpFields.undecodable('not a deposit transaction')
  const items = rlpFields.decodeList(bytes.subarray(1))
  rlpFields.expectLength(items, FIELD_COUNT)
  const [sourceHash, from, to, mint, value, gasLimit, isSystem, data] = items
  return {
    sourceHash: rlpFields.asHash(sourceHash),
    from: rlpFields.asAddress(from),
    to: rlpFields.asRecipient(to),
    mint: rlpFields.asInteger(mint, 256),
    value: rlpFields.asInteger(value, 256),
    gasLimit: rlpFields.asInteger(gasLimit, 64),
    isSystem: rlpFields.asBoolean(isSystem),
    data: rlpFields.asBytes(data).slice(),
  }
}

/** Kinds of deposits, so that their source hashes never meet. */
const USER_DOMAIN = 0
const L1_INFO_DOMAIN = 1
const UPGRADE_DOMAIN = 2
const TIME_DOMAIN = 3

function sourceHashIn(domain: number, id: Hash): Hash {
  return keccakOfWords(toWord(domain), id)
}

export function userSourceHash(l1BlockHash: Hash, logIndex: number): Hash {
  return sourceHashIn(USER_DOMAIN, keccakOfWords(l1BlockHash, toWord(logIndex)))
}

export function l1InfoSourceHash(l1BlockHash: Hash, sequenceNumber: number): Hash {
  return sourceHashIn(L1_INFO_DOMAIN, keccakOfWords(l1BlockHash, toWord(sequenceNumber)))
}

/** Source hash of the deposit that tells the milliseconds of a block's time, by the block's number (denim). */
export function timeSourceHash(number: number): Hash {
  return sourceHashIn(TIME_DOMAIN, keccakOfWords(toWord(number)))
}

/** Source hash of a transaction that a fork brings, by its intent, such as `Ecotone: L1 Block Deployment`. */
export function upgradeSourceHash(intent: string): Hash {
  return sourceHashIn(UPGRADE_DOMAIN, keccakOfText(intent))
}
