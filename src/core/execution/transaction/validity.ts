// Validity of a transaction in a block. And preconditions of execution, whether it can run on a state in a block: one that
// cannot stays in the pool.

import { failure, type TickchainError } from '../../primitives/errors.ts'
import { HALF_CURVE_ORDER, MAX_UINT64 } from '../../primitives/numbers.ts'
import { DEPOSIT_TYPE } from '../../rollup/deposit.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { type Account, delegateOf, isNoCode, readAccount, type WorldState } from '../../state/world-state.ts'
import type * as evms from '../evm/pooled-evm.ts'
import { exceededInitCodeLimit, gasShortfall } from './intrinsic-gas.ts'
import { maximumCostOn } from './rollup-fees.ts'
import type { Transaction, TransactionType } from './transaction.ts'

/** True for an account that EIP-7702 has delegated to a contract. */
export function isDelegated(account: Account): boolean {
  return delegateOf(account.code.bytes) !== undefined
}

/** True for an account that may send transactions (EIP-3607, EIP-7702). */
export function isExternallyOwned(account: Account): boolean {
  return isNoCode(account.code) || isDelegated(account)
}

/** True if the account may send the transaction in any of the forks; an impersonated contract may, too. */
export function maySendInSomeFork(
  sender: Account,
  { isImpersonated }: Pick<Transaction, 'isImpersonated'>,
): boolean {
  return isImpersonated === true || isExternallyOwned(sender)
}

/** The same in one fork: before prague a delegation designator is ordinary code. */
export function maySend(
  rules: Rules,
  account: Account,
  transaction: Pick<Transaction, 'isImpersonated'>,
): boolean {
  if (transaction.isImpersonated === true) return true
  return maySendInSomeFork(account, transaction) && (!isDelegated(account) || isForkActive(rules, 'prague'))
}

/** True for a transaction that is signed for the chain id of the rules, or for any (EIP-155). */
export function isForChain({ chainId }: Pick<Rules, 'chainId'>, transaction: Transaction): boolean {
  return transaction.chainId === undefined || transaction.chainId === BigInt(chainId)
}

type UnmetPrecondition =
  | 'nonceTooLow'
  | 'nonceTooHigh'
  | 'insufficientFunds'
  | 'feeCapTooLow'
  | 'blobFeeCapTooLow'
  | 'senderNotEoa'

/** geth's messages (core/error.go). */
export const PRECONDITION_ERRORS: Readonly<Record<UnmetPrecondition, string>> = {
  nonceTooLow: 'nonce too low',
  nonceTooHigh: 'nonce too high',
  insufficientFunds: 'insufficient funds for gas * price + value',
  feeCapTooLow: 'max fee per gas less than block base fee',
  blobFeeCapTooLow: 'max fee per blob gas less than block blob gas fee',
  senderNotEoa: 'sender not an eoa',
}

/** Why a transaction cannot execute on `state` in a block; `undefined` if it can. */
export function unmetPrecondition(
  rules: Rules,
  state: WorldState,
  environment: BlockEnvironment,
  transaction: Transaction,
): UnmetPrecondition | undefined {
  const sender = readAccount(state, transaction.sender)
  if (transaction.nonce < sender.nonce) return 'nonceTooLow'
  if (transaction.nonce > sender.nonce) return 'nonceTooHigh'
  if (transaction.maxFeePerGas < environment.baseFeePerGas) return 'feeCapTooLow'
  if (transaction.type === 3 && transaction.maxFeePerBlobGas < environment.blobBaseFee)
    return 'blobFeeCapTooLow'
  if (sender.balance < maximumCostOn(rules, state, transaction)) return 'insufficientFunds'
  if (!maySend(rules, sender, transaction)) return 'senderNotEoa'
  return undefined
}

/** Limits that are not part of the fork's rules. */
export interface ValidityLimits {
  /** Bytes of an encoded transaction. */
  readonly transactionBytes: number
  readonly blockGasLimit: bigint
  /** Least tip in wei per gas. */
  readonly minimumTip: bigint
  readonly allowUnlimitedContractSize: boolean
}

/** EIP-7594, from osaka on. */
const MAX_BLOBS_PER_TRANSACTION = 6
/** EIP-4844: the version byte of a hash of a KZG commitment. */
export const BLOB_HASH_VERSION = '0x01'

const FIRST_FORK = { 0: 'chainstart', 1: 'berlin', 2: 'london', 3: 'cancun', 4: 'prague' } as const

/** A rollup's layer 1 has its blobs, and deposits are not checked here: they cannot be refused. */
function isSupported(rules: Rules, type: TransactionType): boolean {
  if (type === DEPOSIT_TYPE || (type === 3 && rules.rollup !== undefined)) return false
  return isForkActive(rules, FIRST_FORK[type])
}

function sizeProblem(
  rules: Rules,
  limits: ValidityLimits,
  transaction: Transaction,
): TickchainError | undefined {
  const { type, raw } = transaction
  if (!isSupported(rules, type))
    return failure('transactionTypeNotSupported', { type, hardfork: rules.hardfork })
  const limit = limits.transactionBytes
  if (raw.length > limit) return failure('oversizedData', { size: raw.length, limit })
  const most = exceededInitCodeLimit(rules, transaction, limits.allowUnlimitedContractSize)
  if (most === undefined) return undefined
  return failure('initCodeTooLarge', { size: transaction.input.length, limit: most })
}

function signatureProblem(rules: Rules, { type, chainId, s }: Transaction): TickchainError | undefined {
  if (chainId !== undefined && chainId !== BigInt(rules.chainId))
    return failure('wrongChainId', { given: chainId, expected: rules.chainId, type })
  const isTooEarly = type === 0 && chainId !== undefined && !isForkActive(rules, 'spuriousDragon')
  const isMalleable = s > HALF_CURVE_ORDER && isForkActive(rules, 'homestead')
  return isTooEarly || isMalleable ? failure('invalidSignature') : undefined
}

function blobProblem(rules: Rules, { blobVersionedHashes: hashes }: Transaction): TickchainError | undefined {
  if (hashes.length === 0) return failure('blobless')
  const { max } = rules.blobs
  const most = isForkActive(rules, 'osaka') ? Math.min(max, MAX_BLOBS_PER_TRANSACTION) : max
  if (hashes.length > most) return failure('tooManyBlobs', { count: hashes.length, most })
  const wrong = hashes.findIndex((hash) => !hash.startsWith(BLOB_HASH_VERSION))
  return wrong === -1 ? undefined : failure('invalidBlobHash', { index: wrong })
}

/** Why a transaction is invalid under these rules and limits; `undefined` if it is valid. */
function invalidityOf(
  rules: Rules,
  limits: ValidityLimits,
  transaction: Transaction,
): TickchainError | undefined {
  const { gasLimit: gas, maxFeePerGas: feeCap, maxPriorityFeePerGas: tip, nonce, type } = transaction
  const size = sizeProblem(rules, limits, transaction)
  if (size !== undefined) return size
  const cap = rules.transactionGasCap
  if (cap !== undefined && gas > cap) return failure('exceedsTransactionGasCap', { cap, gas })
  const limit = limits.blockGasLimit
  if (gas > limit) return failure('exceedsBlockGasLimit', { gas, limit })
  if (tip > feeCap) return failure('tipAboveFeeCap', { tip, feeCap })
  const signature = signatureProblem(rules, transaction)
  if (signature !== undefined) return signature
  if (nonce === MAX_UINT64) return failure('nonceMax')
  const shortfall = gasShortfall(rules, transaction)
  if (shortfall !== undefined) return failure(shortfall.kind, { gas, least: shortfall.least })
  const least = limits.minimumTip
  if (tip < least) return failure('tipTooLow', { tip, least })
  if (type === 4 && transaction.authorizationList.length === 0) return failure('emptyAuthorizationList')
  return type === 3 ? blobProblem(rules, transaction) : undefined
}

/** Throws the error if a transaction is invalid under these rules and limits. */
export function checkValidity(rules: Rules, limits: ValidityLimits, transaction: Transaction): void {
  const invalidity = invalidityOf(rules, limits, transaction)
  if (invalidity !== undefined) throw invalidity
}

/** Why a transaction is invalid in a block; a fork may have activated since it was pooled. */
export function invalidityIn(
  { rules, evm }: evms.EvmInstance,
  { gasLimit }: BlockEnvironment,
  transaction: Transaction,
): string | undefined {
  const limits: ValidityLimits = {
    transactionBytes: Number.POSITIVE_INFINITY,
    blockGasLimit: gasLimit,
    minimumTip: 0n,
    allowUnlimitedContractSize: evm.allowUnlimitedInitCodeSize,
  }
  return invalidityOf(rules, limits, transaction)?.message
}
