// Fees of an ordinary transaction on a rollup besides its gas, and the vaults that earn them.

import type { Address } from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { StackRules } from '../../rollup/stack.ts'
import { credit, type WorldState } from '../../state/world-state.ts'
import { blobGasOf, maximumCost, type Transaction } from './transaction.ts'

/** The fees of a transaction besides gas, in wei. */
export interface RollupFees {
  /** The L1 data fee. */
  readonly l1: bigint
  /** The operator fee for so much gas. */
  readonly operator: (gas: bigint) => bigint
}

/** Calls have no bytes that the layer 1 would carry. */
export const FREE_OF_ROLLUP_FEES: RollupFees = { l1: 0n, operator: () => 0n }

/** The fees of a transaction that runs on this state; `undefined` on other chains, and of a deposit. */
export function rollupFeesOf(
  rules: Rules,
  state: WorldState,
  transaction: Transaction,
): RollupFees | undefined {
  if (rules.rollup === undefined || transaction.deposit !== undefined) return undefined
  const { stack } = rules.rollup
  const parameters = stack.feesFromState(rules, state)
  return {
    l1: stack.l1Cost(rules, parameters, transaction.raw).fee,
    operator: (gas) => stack.operatorFee(rules, parameters, gas),
  }
}

/** Both fees at their most, which the sender must have before the transaction runs. */
export function chargedUpFront({ l1, operator }: RollupFees, gasLimit: bigint): bigint {
  return l1 + operator(gasLimit)
}

/** The most wei that a transaction can cost its sender on a chain in this state. */
export function maximumCostOn(rules: Rules, state: WorldState, transaction: Transaction): bigint {
  const cost = maximumCost(transaction)
  const fees = rollupFeesOf(rules, state, transaction)
  return fees === undefined ? cost : cost + chargedUpFront(fees, transaction.gasLimit)
}

/**
 * The share of a transaction in the blob gas of its block: its blobs, or from jovian on the footprint of its data on the
 * layer 1.
 */
export function blobGasIn(rules: Rules, state: WorldState, transaction: Transaction): bigint {
  if (rules.rollup === undefined) return blobGasOf(transaction)
  if (transaction.deposit !== undefined) return 0n
  const { stack } = rules.rollup
  return stack.daFootprint(rules, stack.feesFromState(rules, state), transaction.raw)
}

/** The accounts that the transactions of a block pay. */
export function paidAccounts({ rollup }: Rules, { coinbase }: BlockEnvironment): readonly Address[] {
  if (rollup === undefined) return [coinbase]
  const { baseFees, l1Fees, operatorFees } = rollup.stack.vaults
  return [coinbase, baseFees, l1Fees, operatorFees]
}

function earn(state: WorldState, vault: Address, amount: bigint): WorldState {
  return amount === 0n ? state : credit(state, vault, amount)
}

/** Pays the vaults for a transaction that used so much gas, at this base fee. */
export function payVaults(
  { stack: { vaults } }: StackRules,
  before: WorldState,
  { l1, operator }: RollupFees,
  baseFeePerGas: bigint,
  gasUsed: bigint,
): WorldState {
  const state = earn(earn(before, vaults.baseFees, baseFeePerGas * gasUsed), vaults.l1Fees, l1)
  return earn(state, vaults.operatorFees, operator(gasUsed))
}
