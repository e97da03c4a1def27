// Admission to the pool: geth's checks in geth's order. Accounts are read from the pre-confirmed state, so the nonce of
// a transaction in a partial block counts as used.

import { maximumCostOn } from '../execution/transaction/rollup-fees.ts'
import type { BlobSidecar, Transaction } from '../execution/transaction/transaction.ts'
import { BLOB_HASH_VERSION, checkValidity, isDelegated, maySend } from '../execution/transaction/validity.ts'
import { sha256 } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { bytesToHex, type Hash } from '../primitives/hex.ts'
import { MINIMUM_BLOB_BASE_FEE } from '../rollup/blobs.ts'
import { isForkActive, type Rules } from '../rollup/rules.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import { countPending, insertTransaction, type Pool, pooledAt, queueOf } from './pool.ts'

const BLOB_BYTES = 131_072
/** Commitments and proofs are compressed points of BLS12-381. */
const POINT_BYTES = 48
/** EIP-7594: cells of an extended blob, each with a proof. */
const CELLS_PER_BLOB = 128

function refuse(reason: string): never {
  throw failure('invalidSidecar', { reason })
}

function expectCount(what: string, count: number, expected: number): void {
  if (count !== expected) refuse(`invalid number of ${count} ${what} compared to ${expected} blob hashes`)
}

function expectSize(what: string, items: readonly Uint8Array[], size: number): void {
  for (const [index, { length }] of items.entries()) {
    if (length !== size) refuse(`${what} ${index}: expected ${size} bytes, got ${length}`)
  }
}

function checkHashes({ commitments }: BlobSidecar, hashes: readonly Hash[]): void {
  for (const [index, commitment] of commitments.entries()) {
    const computed: Hash = `${BLOB_HASH_VERSION}${bytesToHex(sha256(commitment)).slice(4)}`
    if (computed !== hashes[index])
      refuse(`blob ${index}: computed hash ${computed} mismatches transaction one ${hashes[index]}`)
  }
}

function checkSidecar(rules: Rules, sidecar: BlobSidecar, hashes: readonly Hash[]): void {
  const { version, blobs, commitments, proofs } = sidecar
  // geth's RPC accepts version 0 after osaka and computes the cell proofs itself.
  if (version === 1 && !isForkActive(rules, 'osaka')) refuse('unexpected sidecar version, want: 0, got: 1')
  expectCount('blobs', blobs.length, hashes.length)
  expectCount('blob commitments', commitments.length, hashes.length)
  const proofCount = hashes.length * (version === 1 ? CELLS_PER_BLOB : 1)
  if (proofs.length !== proofCount)
    refuse(`invalid number of ${proofs.length} blob proofs expected ${proofCount}`)
  expectSize('blob', blobs, BLOB_BYTES)
  expectSize('blob commitment', commitments, POINT_BYTES)
  expectSize('blob proof', proofs, POINT_BYTES)
  checkHashes(sidecar, hashes)
}

/** Checks the blob fee cap, and the sidecar against the versioned hashes. */
export function checkBlobs(rules: Rules, transaction: Transaction): void {
  const { maxFeePerBlobGas: feeCap, blobVersionedHashes: hashes, sidecar } = transaction
  const least = MINIMUM_BLOB_BASE_FEE
  if (feeCap < least) throw failure('blobFeeTooLow', { feeCap, least })
  if (sidecar === undefined) throw failure('missingSidecar')
  checkSidecar(rules, sidecar, hashes)
}

/** Blob transactions in the pool; layer 2 chains refuse them. */
export type BlobPolicy = 'refused' | 'accepted'

/** The pool's limits; the defaults are geth's. */
export interface PoolLimits {
  readonly transactionBytes: number
  readonly poolTransactions: number
  /** Per cent by which a replacement must raise both fee cap and tip. */
  readonly replacementBumpPercent: number
  readonly minimumTip: bigint
  /** Most wei that a transaction may pay in fees; zero for no limit. */
  readonly transactionFee: bigint
  readonly allowUnprotectedTransactions: boolean
  readonly blobTransactions: BlobPolicy
}

export interface AdmissionContext {
  readonly rules: Rules
  readonly limits: PoolLimits
  readonly blockGasLimit: bigint
  readonly allowUnlimitedContractSize: boolean
  /** The pre-confirmed state. */
  readonly state: WorldState
}

export interface Admission {
  readonly pool: Pool
  /** The pooled transaction that it replaced. */
  readonly replaced: Transaction | undefined
}

/** Checks of geth's RPC, before those of its pool. */
function checkSubmission({ limits }: AdmissionContext, transaction: Transaction): void {
  const { chainId, maxFeePerGas, gasLimit } = transaction
  const fee = maxFeePerGas * gasLimit
  if (limits.transactionFee > 0n && fee > limits.transactionFee)
    throw failure('feeAboveLimit', { fee, limit: limits.transactionFee })
  if (chainId === undefined && !limits.allowUnprotectedTransactions) throw failure('notReplayProtected')
}

/** Refuses forks before byzantium, whose blocks cannot be built, and blobs where the policy does. */
function checkPolicy({ rules, limits }: AdmissionContext, { type }: Transaction): void {
  const isRefused = type === 3 && limits.blobTransactions === 'refused'
  if (isRefused || !isForkActive(rules, 'byzantium'))
    throw failure('transactionTypeNotSupported', { type, hardfork: rules.hardfork })
}

function checkSender(
  { rules, state }: AdmissionContext,
  pool: Pool,
  transaction: Transaction,
  cost: bigint,
): void {
  const { sender, nonce } = transaction
  const account = readAccount(state, sender)
  if (nonce < account.nonce) throw failure('nonceTooLow', { next: account.nonce, nonce })
  if (!maySend(rules, account, transaction)) throw failure('senderNotEoa', { sender })
  const queue = queueOf(pool, sender)
  const replaced = pooledAt(pool, sender, nonce)
  const queuedCost = queue.maximumCost - (replaced?.cost ?? 0n)
  if (account.balance < cost + queuedCost)
    throw failure('insufficientFunds', { balance: account.balance, cost, queuedCost })
  if (isDelegated(account) && replaced === undefined) {
    // One pending transaction per delegated account, as in geth: calls of its code can spend the balance for others.
    if (countPending(queue, account.nonce) > 0) throw failure('delegatedInFlight')
    if (nonce > account.nonce) throw failure('delegatedNonceGap')
  }
}

/** The least fee of a replacement: raised by the percentage, rounded up, and by at least 1 wei. Holds for each fee. */
export function leastRaised(before: bigint, percent: number): bigint {
  const raised = (before * BigInt(100 + percent) + 99n) / 100n
  return raised > before ? raised : before + 1n
}

function checkReplacement({ limits }: AdmissionContext, old: Transaction, transaction: Transaction): void {
  const haveBlobs = old.type === 3 && transaction.type === 3
  const fees = [
    'maxFeePerGas',
    'maxPriorityFeePerGas',
    ...(haveBlobs ? (['maxFeePerBlobGas'] as const) : []),
  ] as const
  for (const fee of fees) {
    const least = leastRaised(old[fee], limits.replacementBumpPercent)
    if (transaction[fee] < least) throw failure('replacementUnderpriced', { nonce: old.nonce, fee, least })
  }
}

/** Checks a transaction without the state of its sender. */
export function checkTransaction(context: AdmissionContext, transaction: Transaction): void {
  const { rules, limits, blockGasLimit, allowUnlimitedContractSize } = context
  checkSubmission(context, transaction)
  checkPolicy(context, transaction)
  checkValidity(rules, { ...limits, blockGasLimit, allowUnlimitedContractSize }, transaction)
  if (transaction.type === 3) checkBlobs(rules, transaction)
}

/** Adds a transaction to the pool; throws the admission error. */
export function admitTransaction(context: AdmissionContext, pool: Pool, transaction: Transaction): Admission {
  // First, because a pooled transaction has passed the other checks.
  if (pool.byHash.has(transaction.hash)) throw failure('alreadyKnown', { hash: transaction.hash })
  checkTransaction(context, transaction)
  const cost = maximumCostOn(context.rules, context.state, transaction)
  checkSender(context, pool, transaction, cost)
  const replaced = pooledAt(pool, transaction.sender, transaction.nonce)?.transaction
  if (replaced !== undefined) checkReplacement(context, replaced, transaction)
  else if (pool.byHash.size >= context.limits.poolTransactions) throw failure('poolFull')
  return { pool: insertTransaction(pool, transaction, cost), replaced }
}

/** Adds transactions that were admitted once, and return; they are not checked again. */
export function readmit(
  { rules, state }: Pick<AdmissionContext, 'rules' | 'state'>,
  pool: Pool,
  transactions: readonly Transaction[],
): Pool {
  return transactions.reduce(
    (longer, transaction) => insertTransaction(longer, transaction, maximumCostOn(rules, state, transaction)),
    pool,
  )
}
