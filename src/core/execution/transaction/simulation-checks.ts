// Validation of a simulated transaction, in geth's order (core/state_transition.go). The sender may be a contract. Only
// full checking (`validation: true`) checks the nonce, and fees that are zero.

import { failure } from '../../primitives/errors.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { readAccount } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { gasShortfall } from '../evm/run-message.ts'
import { maximumCost, type Transaction } from './transaction.ts'

/** Whether to check nonces and fees as in a block. */
export type Checking = 'full' | 'lenient'

const MAX_NONCE = 2n ** 64n - 1n

/** True if the transaction names no fee and does not need one. */
export function isFree({ maxFeePerGas, maxPriorityFeePerGas }: Transaction, checking: Checking): boolean {
  return checking === 'lenient' && maxFeePerGas === 0n && maxPriorityFeePerGas === 0n
}

function checkNonce(next: bigint, { sender, nonce }: Transaction): void {
  if (nonce < next) throw failure('simulatedNonceTooLow', { sender, nonce, next })
  if (nonce > next) throw failure('simulatedNonceTooHigh', { sender, nonce, next })
  if (nonce === MAX_NONCE) throw failure('simulatedNonceMax', { sender, nonce })
}

function checkFees({ baseFeePerGas }: BlockEnvironment, transaction: Transaction): void {
  const { sender, maxFeePerGas, maxPriorityFeePerGas } = transaction
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw failure('tipAboveFeeCap', { tip: maxPriorityFeePerGas, feeCap: maxFeePerGas })
  }
  if (maxFeePerGas < baseFeePerGas) {
    throw failure('simulatedFeeCapTooLow', { sender, feeCap: maxFeePerGas, baseFee: baseFeePerGas })
  }
}

/** The same for the blob fee. */
export function isBlobFree({ maxFeePerBlobGas }: Transaction, checking: Checking): boolean {
  return checking === 'lenient' && maxFeePerBlobGas === 0n
}

function checkBlobFee({ blobBaseFee }: BlockEnvironment, { maxFeePerBlobGas }: Transaction): void {
  if (maxFeePerBlobGas < blobBaseFee)
    throw failure('blobFeeTooLow', { feeCap: maxFeePerBlobGas, least: blobBaseFee })
}

function checkGas(instance: EvmInstance, transaction: Transaction): void {
  const shortfall = gasShortfall(instance.rules, transaction)
  if (shortfall !== undefined) {
    throw failure('simulatedGasTooLow', { gas: transaction.gasLimit, least: shortfall.least })
  }
  const { rules, evm } = instance
  const size = transaction.input.length
  const isLimited = transaction.to === undefined && isForkActive(rules, 'shanghai')
  if (!isLimited || evm.allowUnlimitedInitCodeSize) return
  const limit = Number(rules.gas.maxInitCodeSize)
  if (size > limit) {
    throw failure('simulatedInitCodeTooLarge', { size, limit })
  }
}

/** Throws the error if a transaction cannot be the next of a simulated block. */
export function checkTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  transaction: Transaction,
  checking: Checking,
): void {
  const { sender } = transaction
  const { nonce, balance } = readAccount(instance.writer.current, sender)
  if (checking === 'full') checkNonce(nonce, transaction)
  // Even in lenient mode: a creation must increment the nonce, which is already at its limit (EIP-2681).
  if (transaction.to === undefined && nonce === MAX_NONCE) throw failure('nonceMax')
  if (!isFree(transaction, checking)) checkFees(environment, transaction)
  if (transaction.type === 3 && !isBlobFree(transaction, checking)) checkBlobFee(environment, transaction)
  const cost = maximumCost(transaction)
  if (balance < cost) throw failure('simulatedInsufficientFunds', { sender, balance, cost })
  checkGas(instance, transaction)
}
