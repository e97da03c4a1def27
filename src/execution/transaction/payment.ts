// What a transaction pays: its gas before it runs, and the settlement when it has run.

import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { credit, readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { MessageResult } from '../evm/run-message.ts'
import { blobGasOf, effectiveGasPrice, type Transaction } from './transaction.ts'

export interface Prices {
  /** Wei per gas, of which the producer of the block gets the tip. */
  readonly gas: bigint
  /** `undefined` where the producer is not even paid nothing: being paid touches an account (EIP-161). */
  readonly tip: bigint | undefined
  /** Wei for all blobs. */
  readonly blobs: bigint
}

/** What a transaction pays in a block. */
export function pricesOf(environment: BlockEnvironment, transaction: Transaction): Prices {
  const { baseFeePerGas, blobBaseFee } = environment
  const gas = effectiveGasPrice(transaction, baseFeePerGas)
  return { gas, tip: gas - baseFeePerGas, blobs: blobGasOf(transaction) * blobBaseFee }
}

/** Takes the gas and the blobs from the sender; the nonce wraps round, as 64 bits do. */
export function buyGas(state: WorldState, { sender, gasLimit }: Transaction, prices: Prices): WorldState {
  const { nonce, balance } = readAccount(state, sender)
  return updateAccount(state, sender, {
    nonce: BigInt.asUintN(64, nonce + 1n),
    balance: balance - gasLimit * prices.gas - prices.blobs,
  })
}

/** EIP-161: an account that is touched and empty is not there. */
export function withoutEmpty(rules: Rules, state: WorldState, address: Transaction['sender']): WorldState {
  const { nonce, balance, code } = readAccount(state, address)
  const isEmpty = nonce === 0n && balance === 0n && code.bytes.length === 0
  return isEmpty && isForkActive(rules, 'spuriousDragon') ? state.delete(address) : state
}

/** Gives back what was not used, pays the producer, and takes destroyed and empty accounts away. */
export function settle(
  rules: Rules,
  state: WorldState,
  { coinbase }: BlockEnvironment,
  { sender, gasLimit }: Transaction,
  { gas, tip }: Prices,
  { gasUsed, destroyed }: Pick<MessageResult, 'gasUsed' | 'destroyed'>,
): WorldState {
  let settled = gas === 0n ? state : credit(state, sender, (gasLimit - gasUsed) * gas)
  if (tip !== undefined) settled = withoutEmpty(rules, credit(settled, coinbase, gasUsed * tip), coinbase)
  for (const address of destroyed) settled = settled.delete(address)
  return withoutEmpty(rules, settled, sender)
}
