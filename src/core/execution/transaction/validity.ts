// Stateless validation of a transaction under the rules of a block, for the pool, imported blocks and the engine's
// builds. The order of the checks is geth's (core/txpool/validation.go).

import { failure, TickchainError } from '../../primitives/errors.ts'
import { HALF_CURVE_ORDER } from '../../primitives/numbers.ts'
import { DEPOSIT_TYPE } from '../../rollup/op/deposit.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { floorGas, intrinsicGas } from './intrinsic-gas.ts'
import type { Transaction, TransactionType } from './transaction.ts'

/** Limits that are not part of the fork's rules. */
export interface ValidityLimits {
  /** Bytes of an encoded transaction. */
  readonly transactionBytes: number
  readonly blockGasLimit: bigint
  /** Least tip in wei per gas. */
  readonly minimumTip: bigint
  readonly allowUnlimitedContractSize: boolean
}

const MAX_NONCE = 2n ** 64n - 1n
/** EIP-3860, from shanghai on. */
export const MAX_INIT_CODE_BYTES = 49_152
/** EIP-7594, from osaka on. */
const MAX_BLOBS_PER_TRANSACTION = 6
/** EIP-4844: the version byte of a hash of a KZG commitment. */
export const BLOB_HASH_VERSION = '0x01'

const FIRST_FORK = { 0: 'chainstart', 1: 'berlin', 2: 'london', 3: 'cancun', 4: 'prague' } as const

/** A rollup's layer 1 has its blobs, and deposits are not checked here: they cannot be refused. */
function isSupported(rules: Rules, type: TransactionType): boolean {
  if (type === DEPOSIT_TYPE || (type === 3 && rules.op !== undefined)) return false
  return isForkActive(rules, FIRST_FORK[type])
}

function checkSize(rules: Rules, limits: ValidityLimits, { type, raw, to, input }: Transaction): void {
  if (!isSupported(rules, type))
    throw failure('transactionTypeNotSupported', { type, hardfork: rules.hardfork })
  const limit = limits.transactionBytes
  if (raw.length > limit) throw failure('oversizedData', { size: raw.length, limit })
  const isLimited = !limits.allowUnlimitedContractSize && isForkActive(rules, 'shanghai')
  if (isLimited && to === undefined && input.length > MAX_INIT_CODE_BYTES) {
    throw failure('initCodeTooLarge', { size: input.length, limit: MAX_INIT_CODE_BYTES })
  }
}

function checkSignature(rules: Rules, { type, chainId, s }: Transaction): void {
  if (chainId !== undefined && chainId !== BigInt(rules.chainId)) {
    throw failure('wrongChainId', { given: chainId, expected: rules.chainId, type })
  }
  const isTooEarly = type === 0 && chainId !== undefined && !isForkActive(rules, 'spuriousDragon')
  const isMalleable = s > HALF_CURVE_ORDER && isForkActive(rules, 'homestead')
  if (isTooEarly || isMalleable) throw failure('invalidSignature')
}

function checkGas(rules: Rules, transaction: Transaction): void {
  const { gasLimit: gas } = transaction
  const intrinsic = intrinsicGas(rules, transaction)
  if (gas < intrinsic) throw failure('intrinsicGasTooLow', { gas, least: intrinsic })
  const floor = floorGas(rules, transaction.input)
  if (gas < floor) throw failure('floorGasTooLow', { gas, least: floor })
}

function checkBlobHashes(rules: Rules, { blobVersionedHashes: hashes }: Transaction): void {
  if (hashes.length === 0) throw failure('blobless')
  const { max } = rules.blobs
  const most = isForkActive(rules, 'osaka') ? Math.min(max, MAX_BLOBS_PER_TRANSACTION) : max
  if (hashes.length > most) throw failure('tooManyBlobs', { count: hashes.length, most })
  const wrong = hashes.findIndex((hash) => !hash.startsWith(BLOB_HASH_VERSION))
  if (wrong !== -1) throw failure('invalidBlobHash', { index: wrong })
}

/** Throws the error if a transaction is invalid under these rules and limits. */
export function checkValidity(rules: Rules, limits: ValidityLimits, transaction: Transaction): void {
  const { gasLimit: gas, maxFeePerGas: feeCap, maxPriorityFeePerGas: tip, nonce, type } = transaction
  checkSize(rules, limits, transaction)
  const cap = rules.transactionGasCap
  if (cap !== undefined && gas > cap) throw failure('exceedsTransactionGasCap', { cap, gas })
  if (gas > limits.blockGasLimit) throw failure('exceedsBlockGasLimit', { gas, limit: limits.blockGasLimit })
  if (tip > feeCap) throw failure('tipAboveFeeCap', { tip, feeCap })
  checkSignature(rules, transaction)
  if (nonce === MAX_NONCE) throw failure('nonceMax')
  checkGas(rules, transaction)
  if (tip < limits.minimumTip) throw failure('tipTooLow', { tip, least: limits.minimumTip })
  if (type === 4 && transaction.authorizationList.length === 0) throw failure('emptyAuthorizationList')
  if (type === 3) checkBlobHashes(rules, transaction)
}

/** The error message if a transaction is invalid in a block; a fork may have activated since it was pooled. */
export function validationError(
  { rules, evm }: EvmInstance,
  { gasLimit }: BlockEnvironment,
  transaction: Transaction,
): string | undefined {
  const limits: ValidityLimits = {
    transactionBytes: Number.POSITIVE_INFINITY,
    blockGasLimit: gasLimit,
    minimumTip: 0n,
    allowUnlimitedContractSize: evm.allowUnlimitedInitCodeSize,
  }
  try {
    checkValidity(rules, limits, transaction)
    return undefined
  } catch (error) {
    if (error instanceof TickchainError) return error.message
    throw error
  }
}
