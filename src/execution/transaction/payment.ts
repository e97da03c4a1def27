// Payment of a transaction: gas bought before it runs, refund and tip after.

import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { credit, readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { MessageResult } from '../evm/run-message.ts'
import { blobGasOf, effectiveGasPrice, type Transaction } from './transaction.ts'

export interface Prices {
  /** Wei per gas, base fee and tip. */
  readonly gas: bigint
  /** `undefined` if the coinbase is not credited at all; a credit of zero would touch its account (EIP-161). */
  readonly tip: bigint | undefined
  /** Wei for all blobs. */
  readonly blobs: bigint
}

/** The prices of a transaction in a block. */
export function pricesOf(environment: BlockEnvironment, transaction: Transaction): Prices {
  const { baseFeePerGas, blobBaseFee } = environment
  const gas = effectiveGasPrice(transaction, baseFeePerGas)
  return { gas, tip: gas - baseFeePerGas, blobs: blobGasOf(transaction) * blobBaseFee }
}

/** Charges the sender for gas and blobs and increments its nonce, modulo 2^64. */
export function buyGas(state: WorldState, { sender, gasLimit }: Transaction, prices: Prices): WorldState {
  const { nonce, balance } = readAccount(state, sender)
  return updateAccount(state, sender, {
    nonce: BigInt.asUintN(64, nonce + 1n),
    balance: balance - gasLimit * prices.gas - prices.blobs,
  })
}

/** Deletes an account if it is empty (EIP-161). */
export function withoutEmpty(rules: Rules, state: WorldState, address: Transaction['sender']): WorldState {
  const { nonce, balance, code } = readAccount(state, address)
  const isEmpty = nonce === 0n && balance === 0n && code.bytes.length === 0
  return isEmpty && isForkActive(rules, 'spuriousDragon') ? state.delete(address) : state
}

/** Returns unused gas, pays the coinbase, and deletes destroyed and empty accounts. */
export function settle(
  rules: Rules,
  state: WorldState,
  { coinbase }: BlockEnvironment,
  { sender, gasLimit }: Pick<Transaction, 'sender' | 'gasLimit'>,
  { gas, tip }: Pick<Prices, 'gas' | 'tip'>,
  { gasUsed, destroyed }: Pick<MessageResult, 'gasUsed' | 'destroyed'>,
): WorldState {
  let settled = gas === 0n ? state : credit(state, sender, (gasLimit - gasUsed) * gas)
  if (tip !== undefined) settled = withoutEmpty(rules, credit(settled, coinbase, gasUsed * tip), coinbase)
  for (const address of destroyed) settled = settled.delete(address)
  return withoutEmpty(rules, settled, sender)
}
