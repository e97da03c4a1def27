// Flavor of transactions: Hardhat's refusal to queue while it automines.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { checkValidity, type ValidityLimits } from '../../execution/transaction/validity.ts'
import { requireBlock } from '../../node/lookup.ts'
import type { NodeConfig, NodeState } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { nextNonce } from '../requests/fill-transaction.ts'

/** No limit but those of the fork. */
const FORK_LIMITS: ValidityLimits = {
  transactionBytes: Number.POSITIVE_INFINITY,
  blockGasLimit: MAX_UINT64,
  minimumTip: 0n,
  allowUnlimitedContractSize: true,
}

/**
 * Refuses a transaction that cannot be in the next block. Hardhat does so while it automines, because the transaction
 * would block the later ones of its sender; it looks at the transaction itself first, and at the pool's limits last.
 */
export function refuseToQueue(config: NodeConfig, state: NodeState, transaction: Transaction): void {
  const { sender, nonce, type, gasLimit, maxFeePerGas: feeCap } = transaction
  const { rules, environment } = requireBlock(config, state, 'pending')
  const cap = rules.transactionGasCap ?? gasLimit
  checkValidity(rules, FORK_LIMITS, { ...transaction, gasLimit: gasLimit < cap ? gasLimit : cap })
  const next = nextNonce(config, state, sender)
  if (nonce > next) throw failure('nonceTooHigh', { next, nonce })
  if (nonce < next) throw failure('nonceTooLow', { next, nonce, isMinedAtOnce: true })
  const baseFee = environment.baseFeePerGas
  const least = state.controls.leastGasPrice
  if (!isForkActive(rules, 'london') && feeCap < least) throw failure('tipTooLow', { tip: feeCap, least })
  if (!isForkActive(rules, 'london') || feeCap >= baseFee) return
  throw failure('feeCapTooLow', { sender, feeCap, baseFee, type })
}
