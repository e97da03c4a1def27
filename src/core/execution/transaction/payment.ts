// Payment of a transaction: gas bought before it runs, refund and tip after.

import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { credit, isNoCode, readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { Settlement } from '../evm/run-message.ts'
import { chargedUpFront, payVaults, type RollupFees } from './rollup-fees.ts'
import { blobGasOf, effectiveGasPrice, type Transaction } from './transaction.ts'

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
