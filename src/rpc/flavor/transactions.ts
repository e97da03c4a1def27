// Flavor of calls and transactions: Hardhat's default caller, unfunded calls, and refusal to queue.

import type { CallMessage } from '../../execution/call/run-call.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { heldAccounts } from '../../node/control/wallet.ts'
import { requireBlock } from '../../node/lookup.ts'
import type { NodeConfig, NodeState } from '../../node/node-state.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import type { ReadContext } from '../read-context.ts'
import { nextNonce } from '../requests/fill-transaction.ts'

/** Adds the caller to a call that names none: in hardhat the first account. */
export function withCaller({ options, state }: ReadContext, request: TransactionRequest): TransactionRequest {
  const [first] = heldAccounts(state)
  const isNamed = request.from !== undefined || first === undefined
  return options.flavor !== 'hardhat' || isNamed ? request : { ...request, from: first }
}

/** The state that a call runs on. In hardhat a call without a fee may send more than its caller has. */
export function stateForCall({ options }: ReadContext, state: WorldState, message: CallMessage): WorldState {
  const { from, value, feeCap } = message
  const isFunded = options.flavor !== 'hardhat' || feeCap > 0n || readAccount(state, from).balance >= value
  return isFunded ? state : updateAccount(state, from, { balance: value })
}

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
  const least = state.controls.leastGasPrice
  if (!isForkActive(rules, 'london') && feeCap < least) {
    const refusal = failure('tipTooLow', { tip: feeCap, least })
    const words = `Transaction gas price is ${feeCap}, which is below the minimum of ${least}`
    throw reworded(refusal, refusal.code, words)
  }
  if (!isForkActive(rules, 'london') || feeCap >= baseFee) return
  const refusal = failure('feeCapTooLow', { sender, feeCap, baseFee })
  const name = type < 2 ? 'gasPrice' : 'maxFeePerGas'
  const words = `Transaction ${name} (${feeCap}) is too low for the next block, which has a baseFeePerGas of ${baseFee}`
  throw reworded(refusal, refusal.code, words)
}
