// Preconditions of execution: whether a transaction can run on a state in a block. One that cannot stays in the pool.

import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { type Account, delegateOf, isNoCode, readAccount, type WorldState } from '../../state/world-state.ts'
import { maximumCostOn } from './rollup-fees.ts'
import type { Transaction } from './transaction.ts'

/** True for an account that EIP-7702 has delegated to a contract. */
export function isDelegated(account: Account): boolean {
  return delegateOf(account.code.bytes) !== undefined
}

/** True for an account that may send transactions (EIP-3607, EIP-7702). */
export function isExternallyOwned(account: Account): boolean {
  return isNoCode(account.code) || isDelegated(account)
}

/** True if the account may send the transaction in any of the forks; an impersonated contract may, too. */
export function maySendInSomeFork(
  sender: Account,
  { isImpersonated }: Pick<Transaction, 'isImpersonated'>,
): boolean {
  return isImpersonated === true || isExternallyOwned(sender)
}

/** The same in one fork: before prague a delegation designator is ordinary code. */
export function maySend(rules: Rules, account: Account, transaction: Pick<Transaction, 'isImpersonated'>) {
  if (transaction.isImpersonated === true) return true
  return maySendInSomeFork(account, transaction) && (!isDelegated(account) || isForkActive(rules, 'prague'))
}

/** True for a transaction that is signed for the chain id of the rules, or for any (EIP-155). */
export function isForChain({ chainId }: Pick<Rules, 'chainId'>, transaction: Transaction): boolean {
  return transaction.chainId === undefined || transaction.chainId === BigInt(chainId)
}

type UnmetPrecondition =
  | 'nonceTooLow'
  | 'nonceTooHigh'
  | 'insufficientFunds'
  | 'feeCapTooLow'
  | 'blobFeeCapTooLow'
  | 'senderNotEoa'

/** geth's messages (core/error.go). */
export const PRECONDITION_ERRORS: Readonly<Record<UnmetPrecondition, string>> = {
  nonceTooLow: 'nonce too low',
  nonceTooHigh: 'nonce too high',
  insufficientFunds: 'insufficient funds for gas * price + value',
  feeCapTooLow: 'max fee per gas less than block base fee',
  blobFeeCapTooLow: 'max fee per blob gas less than block blob gas fee',
  senderNotEoa: 'sender not an eoa',
}

/** Why a transaction cannot execute on `state` in a block; `undefined` if it can. */
export function unmetPrecondition(
  rules: Rules,
  state: WorldState,
  environment: BlockEnvironment,
  transaction: Transaction,
): UnmetPrecondition | undefined {
  const sender = readAccount(state, transaction.sender)
  if (transaction.nonce < sender.nonce) return 'nonceTooLow'
  if (transaction.nonce > sender.nonce) return 'nonceTooHigh'
  if (transaction.maxFeePerGas < environment.baseFeePerGas) return 'feeCapTooLow'
  if (transaction.type === 3 && transaction.maxFeePerBlobGas < environment.blobBaseFee)
    return 'blobFeeCapTooLow'
  if (sender.balance < maximumCostOn(rules, state, transaction)) return 'insufficientFunds'
  if (!maySend(rules, sender, transaction)) return 'senderNotEoa'
  return undefined
}
