// Payment of a transaction: gas bought before it runs, refund and tip after; on a rollup, the fees besides its gas, and the
// vaults that earn them.

import type { Address } from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { StackRules } from '../../rollup/stack.ts'
import { credit, isNoCode, readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { Settlement } from '../evm/run-message.ts'
import { blobGasOf, effectiveGasPrice, maximumCost, type Transaction } from './transaction.ts'

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
function chargedUpFront({ l1, operator }: RollupFees, gasLimit: bigint): bigint {
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
function payVaults(
  { stack: { vaults } }: StackRules,
  before: WorldState,
  { l1, operator }: RollupFees,
  baseFeePerGas: bigint,
  gasUsed: bigint,
): WorldState {
  const state = earn(earn(before, vaults.baseFees, baseFeePerGas * gasUsed), vaults.l1Fees, l1)
  return earn(state, vaults.operatorFees, operator(gasUsed))
}

export interface Prices {
  /** Wei per gas, base fee and tip. */
  readonly gas: bigint
  /** `undefined` if the coinbase is not credited at all; a credit of zero would touch its account (EIP-161). */
  readonly tip: bigint | undefined
  /** Wei for all blobs. */
  readonly blobs: bigint
  /** Only on a chain of the OP stack. */
  readonly rollup: RollupFees | undefined
}

export function pricesOf(
  environment: BlockEnvironment,
  transaction: Transaction,
  rollup: RollupFees | undefined,
): Prices {
  const { baseFeePerGas, blobBaseFee } = environment
  const gas = effectiveGasPrice(transaction, baseFeePerGas)
  return { gas, tip: gas - baseFeePerGas, blobs: blobGasOf(transaction) * blobBaseFee, rollup }
}

/** Charges the sender for gas, blobs and rollup fees and increments its nonce, modulo 2^64. */
export function buyGas(
  state: WorldState,
  { sender, gasLimit }: Transaction,
  { gas, blobs, rollup }: Prices,
): WorldState {
  const { nonce, balance } = readAccount(state, sender)
  const left = balance - gasLimit * gas - blobs
  return updateAccount(state, sender, {
    nonce: BigInt.asUintN(64, nonce + 1n),
    balance: rollup === undefined ? left : left - chargedUpFront(rollup, gasLimit),
  })
}

/** Deletes an account if it is empty (EIP-161). */
export function withoutEmpty(rules: Rules, state: WorldState, address: Transaction['sender']): WorldState {
  const { nonce, balance, code } = readAccount(state, address)
  const isEmpty = nonce === 0n && balance === 0n && isNoCode(code)
  return isEmpty && isForkActive(rules, 'spuriousDragon') ? state.delete(address) : state
}

/** Returns unused gas, pays the coinbase and the vaults, and deletes destroyed and empty accounts. */
export function settlementOf(
  rules: Rules,
  { coinbase, baseFeePerGas }: BlockEnvironment,
  { sender, gasLimit }: Pick<Transaction, 'sender' | 'gasLimit'>,
  { gas, tip, rollup }: Pick<Prices, 'gas' | 'tip' | 'rollup'>,
): Settlement {
  return (state, { gasUsed, destroyed }) => {
    // The operator fee is paid for gas, too.
    const operator = rollup === undefined ? 0n : rollup.operator(gasLimit) - rollup.operator(gasUsed)
    const change = (gasLimit - gasUsed) * gas + operator
    let settled = gas === 0n && change === 0n ? state : credit(state, sender, change)
    if (rollup !== undefined && rules.rollup !== undefined)
      settled = payVaults(rules.rollup, settled, rollup, baseFeePerGas, gasUsed)
    if (tip !== undefined) settled = withoutEmpty(rules, credit(settled, coinbase, gasUsed * tip), coinbase)
    for (const address of destroyed) settled = settled.delete(address)
    return withoutEmpty(rules, settled, sender)
  }
}
