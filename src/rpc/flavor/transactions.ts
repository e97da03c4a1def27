// Flavor of transactions: Hardhat's refusal to queue while it automines.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { requireBlock } from '../../node/lookup.ts'
import type { NodeConfig, NodeState } from '../../node/node-state.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { nextNonce } from '../requests/fill-transaction.ts'

/**
 * Refuses a transaction that cannot be in the next block, in Hardhat's words. Hardhat does so while it automines,
 * because the transaction would block the later ones of its sender.
 */
export function refuseToQueue(config: NodeConfig, state: NodeState, transaction: Transaction): void {
  const { sender, nonce, type, maxFeePerGas: feeCap } = transaction
  const next = nextNonce(config, state, sender)
  if (nonce > next) throw failure('nonceTooHigh', { next, nonce })
  const { rules, environment } = requireBlock(config, state, 'pending')
  const baseFee = environment.baseFeePerGas
  if (!isForkActive(rules, 'london') || feeCap >= baseFee) return
  const refusal = failure('feeCapTooLow', { sender, feeCap, baseFee })
  const name = type < 2 ? 'gasPrice' : 'maxFeePerGas'
  const words = `Transaction ${name} (${feeCap}) is too low for the next block, which has a baseFeePerGas of ${baseFee}`
  throw reworded(refusal, refusal.code, words)
}
