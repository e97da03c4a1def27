// Whether the pool takes a transaction: geth's checks in geth's order, in the specification's words where it
// has some. The account is read as pre-confirmed, so a nonce that is in a partial block is too low.

import { isDelegated, isExternallyOwned } from '../execution/executable.ts'
import { floorGas, intrinsicGas } from '../execution/intrinsic-gas.ts'
import { maximumCost, type Transaction } from '../execution/transaction.ts'
import { failure } from '../primitives/errors.ts'
import { isForkActive, type Rules } from '../rollup/forks.ts'
import type { Account } from '../state/account.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import { checkBlobs } from './blobs.ts'
import { countPending, insertTransaction, type Pool, pooledAt, queueOf } from './pool.ts'

/** Whether type 3 may enter: a layer 2 has no blobs of its own. */
export type BlobPolicy = 'refused' | 'accepted'

/** The pool's limits; the defaults are geth's. */
export interface PoolLimits {
  /** Bytes of an encoded transaction. */
  readonly transactionBytes: number
  /** Transactions in the pool. */
  readonly poolTransactions: number
  /** Per cent by which a replacement must raise both fee cap and tip. */
  readonly replacementBumpPercent: number
  /** Least tip in wei per gas. */
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
  /** The transaction whose place it took. */
  readonly replaced: Transaction | undefined
}

const MAX_NONCE = 2n ** 64n - 1n
/** EIP-7825, from osaka on. */
const TRANSACTION_GAS_CAP = 16_777_216n
/** EIP-3860, from shanghai on. */
const MAX_INIT_CODE_BYTES = 49_152

/** What geth's RPC asks before its pool does. */
function checkSubmission({ limits }: AdmissionContext, transaction: Transaction): void {
  const { chainId, maxFeePerGas, gasLimit } = transaction
  const fee = maxFeePerGas * gasLimit
  if (limits.transactionFee > 0n && fee > limits.transactionFee) {
    throw failure('feeAboveLimit', { fee, limit: limits.transactionFee })
  }
  if (chainId === undefined && !limits.allowUnprotectedTransactions) throw failure('notReplayProtected')
}

function checkSize(context: AdmissionContext, transaction: Transaction): void {
  const { rules, limits } = context
  const { type, raw, input } = transaction
  const needs = { 0: 'byzantium', 1: 'berlin', 2: 'london', 3: 'cancun', 4: 'prague' } as const
  const isRefused = type === 3 && limits.blobTransactions === 'refused'
  if (isRefused || !isForkActive(rules, needs[type])) throw failure('transactionTypeNotSupported')
  const limit = limits.transactionBytes
  if (raw.length > limit) throw failure('oversizedData', { size: raw.length, limit })
  const isLimited = !context.allowUnlimitedContractSize && isForkActive(rules, 'shanghai')
  if (isLimited && transaction.to === undefined && input.length > MAX_INIT_CODE_BYTES) {
    throw failure('initCodeTooLarge', { size: input.length, limit: MAX_INIT_CODE_BYTES })
  }
}

function checkGasAndFees({ rules, limits, blockGasLimit }: AdmissionContext, transaction: Transaction): void {
  const { gasLimit: gas, maxFeePerGas: feeCap, maxPriorityFeePerGas: tip, chainId } = transaction
  if (isForkActive(rules, 'osaka') && gas > TRANSACTION_GAS_CAP) {
    throw failure('exceedsTransactionGasCap', { cap: TRANSACTION_GAS_CAP, gas })
  }
  if (gas > blockGasLimit) throw failure('exceedsBlockGasLimit')
  if (tip > feeCap) throw failure('tipAboveFeeCap', { tip, feeCap })
  if (chainId !== undefined && chainId !== BigInt(rules.chainId)) {
    throw failure('wrongChainId', { given: chainId, expected: rules.chainId })
  }
  if (transaction.nonce === MAX_NONCE) throw failure('nonceMax')
  const intrinsic = intrinsicGas(rules, transaction)
  if (gas < intrinsic) throw failure('intrinsicGasTooLow', { gas, least: intrinsic })
  const floor = floorGas(rules, transaction.input)
  if (gas < floor) throw failure('floorGasTooLow', { gas, least: floor })
  if (tip < limits.minimumTip) throw failure('tipTooLow', { tip, least: limits.minimumTip })
  if (transaction.type === 4 && transaction.authorizationList.length === 0) {
    throw failure('emptyAuthorizationList')
  }
  if (transaction.type === 3) checkBlobs(rules, transaction)
}

/** An account with code sends nothing (EIP-3607), but for one that has delegated (EIP-7702, from prague on). */
function maySend(rules: Rules, account: Account): boolean {
  return isExternallyOwned(account) && (!isDelegated(account) || isForkActive(rules, 'prague'))
}

function checkSender({ rules, state }: AdmissionContext, pool: Pool, transaction: Transaction): void {
  const { sender, nonce } = transaction
  const account = readAccount(state, sender)
  if (nonce < account.nonce) throw failure('nonceTooLow', { next: account.nonce, nonce })
  if (!maySend(rules, account)) throw failure('senderNotEoa', { sender })
  const queue = queueOf(pool, sender)
  const replaced = pooledAt(pool, sender, nonce)?.transaction
  const cost = maximumCost(transaction)
  const queuedCost = queue.maximumCost - (replaced === undefined ? 0n : maximumCost(replaced))
  if (account.balance < cost + queuedCost) {
    throw failure('insufficientFunds', { balance: account.balance, cost, queuedCost })
  }
  if (isDelegated(account) && replaced === undefined) {
    // One at a time: whoever calls the delegate can spend the balance that others would rely on.
    if (countPending(queue, account.nonce) > 0) throw failure('delegatedInFlight')
    if (nonce > account.nonce) throw failure('delegatedNonceGap')
  }
}

/** A replacement must raise fee cap and tip, and between blob transactions the blob fee cap, each by the percentage and by something. */
function isRaised(before: bigint, after: bigint, percent: number): boolean {
  return after > before && after * 100n >= before * BigInt(100 + percent)
}

function checkReplacement({ limits }: AdmissionContext, old: Transaction, transaction: Transaction): void {
  const percent = limits.replacementBumpPercent
  const feeCapIsRaised = isRaised(old.maxFeePerGas, transaction.maxFeePerGas, percent)
  const tipIsRaised = isRaised(old.maxPriorityFeePerGas, transaction.maxPriorityFeePerGas, percent)
  const blobFeeIsRaised =
    old.type !== 3 ||
    transaction.type !== 3 ||
    isRaised(old.maxFeePerBlobGas, transaction.maxFeePerBlobGas, percent)
  if (!feeCapIsRaised || !tipIsRaised || !blobFeeIsRaised) throw failure('replacementUnderpriced')
}

/** Checks what a transaction says by itself, whatever the state of its sender. */
export function checkTransaction(context: AdmissionContext, transaction: Transaction): void {
  checkSubmission(context, transaction)
  checkSize(context, transaction)
  checkGasAndFees(context, transaction)
}

/** Puts a transaction into the pool, or throws why not. */
export function admitTransaction(context: AdmissionContext, pool: Pool, transaction: Transaction): Admission {
  // What is known has passed the other checks before.
  if (pool.byHash.has(transaction.hash)) throw failure('alreadyKnown')
  checkTransaction(context, transaction)
  checkSender(context, pool, transaction)
  const replaced = pooledAt(pool, transaction.sender, transaction.nonce)?.transaction
  if (replaced !== undefined) checkReplacement(context, replaced, transaction)
  else if (pool.byHash.size >= context.limits.poolTransactions) throw failure('poolFull')
  return { pool: insertTransaction(pool, transaction), replaced }
}
