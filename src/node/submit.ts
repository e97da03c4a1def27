// How a transaction enters: the pool takes it, and in `auto` production a block is sealed for it at once.

import type { Transaction } from '../execution/transaction.ts'
import { type AdmissionContext, admitTransaction } from '../pool/admit.ts'

import { Steps, type Transition } from './events.ts'
import { type NodeConfig, type NodeState, nextRules } from './node-state.ts'
import { sealEachTransaction } from './production.ts'

/** What admission is judged by: the pre-confirmed state. */
export function admissionContext(config: NodeConfig, state: NodeState): AdmissionContext {
  const { chain, settings } = state
  return {
    rules: chain.open?.rules ?? nextRules(config, state),
    limits: config.poolLimits,
    blockGasLimit: chain.open?.environment.gasLimit ?? settings.blockGasLimit,
    allowUnlimitedContractSize: config.machines.allowUnlimitedContractSize,
    state: chain.open?.state ?? chain.head.committed.state,
  }
}

export async function submitTransaction(
  config: NodeConfig,
  state: NodeState,
  transaction: Transaction,
): Promise<Transition<Transaction>> {
  const { pool, replaced } = admitTransaction(admissionContext(config, state), state.pool, transaction)
  const steps = new Steps({ ...state, pool })
  if (replaced !== undefined) {
    steps.events.push({ type: 'transactionReplaced', transaction: replaced, by: transaction })
  }
  steps.events.push({ type: 'transactionAccepted', transaction })
  if (state.settings.production === 'auto') steps.add(await sealEachTransaction(config, steps.state))
  return steps.finish(transaction)
}
