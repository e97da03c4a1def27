// Execution of one transaction on an EVM instance; the preconditions of validity.ts are checked before. It does not use
// runTx of @ethereumjs/vm; a test compares the two: docs/decisions/0013-transactions-run-without-runtx.md.

import { createAddress } from '../../primitives/crypto.ts'
import { bytesToHex, EMPTY_BYTES, hexToBytes } from '../../primitives/hex.ts'
import type { DepositFields } from '../../rollup/deposit.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { credit, readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import { runTransfer } from '../evm/evm-pool.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import type { MessageFields } from '../evm/run-message.ts'
import * as messageRuns from '../evm/run-message.ts'
import { exceededInitCodeLimit, gasShortfall, intrinsicGas } from './intrinsic-gas.ts'
import { buyGas, pricesOf, settlementOf } from './payment.ts'
import { blobGasIn, rollupFeesOf } from './rollup-fees.ts'
import * as transactions from './transaction.ts'

/** Field by field: a spread would cost as much as a transfer. */
export function messageOf(transaction: transactions.Transaction, gasPrice: bigint): MessageFields {
  const { sender: from, to, value, input, gasLimit } = transaction
  const { accessList, authorizationList, blobVersionedHashes } = transaction
  return { from, to, value, input, gasLimit, gasPrice, accessList, authorizationList, blobVersionedHashes }
}

export function toExecuted(
  progress: transactions.BlockProgress,
  transaction: transactions.Transaction,
  gasPrice: bigint,
  result: messageRuns.MessageResult,
  blobGasUsed: bigint,
  deposit?: transactions.Receipt['deposit'],
): transactions.ExecutedTransaction {
  const receipt: { -readonly [Field in keyof transactions.Receipt]: transactions.Receipt[Field] } = {
    status: result.outcome === 'success' ? 1 : 0,
    postState: undefined,
    gasUsed: result.gasUsed,
    cumulativeGasUsed: progress.gasUsed + result.gasUsed,
    effectiveGasPrice: gasPrice,
    blobGasUsed,
    logs: result.logs,
    logsBloom: transactions.bloomOf(result.logs),
    contractAddress: result.contractAddress,
  }
  if (deposit !== undefined) receipt.deposit = deposit
  return {
    transaction,
    index: progress.transactionCount,
    firstLogIndex: progress.logCount,
    returnData: result.returnData,
    failure: result.outcome === 'revert' ? 'execution reverted' : result.failure,
    consoleCalls: result.consoleCalls,
    receipt,
  }
}

/** More than a deposit takes that writes to every slot. */
const ENOUGH_GAS = 500_000n

/** The result of `runMessage` for such a deposit; `undefined` for any other message, and for one that is observed. */
function runAttributes(
  instance: EvmInstance,
  { coinbase }: BlockEnvironment,
  message: MessageFields,
  settle: messageRuns.Settlement,
): messageRuns.MessageResult | undefined {
  const { evm, rules, writer, observed, gasWatch } = instance
  const { from, to, value, input, gasLimit } = message
  const stack = rules.rollup?.stack
  if (from !== stack?.attributes.sender || to === undefined) return undefined
  // The reference interpreter, which has no such watch, executes everything.
  if (observed.current !== undefined || gasWatch === undefined) return undefined
  if (value > 0n || gasLimit < ENOUGH_GAS || !isForkActive(rules, 'cancun')) return undefined
  const effect = stack.effectOfDeposit(writer.current, to, input)
  if (effect === undefined) return undefined
  const { implementation, storage, gas, refund } = effect
  // The coinbase and the sender are warm, so a call to them costs less; a precompile hides the code at its address.
  if (implementation === coinbase || implementation === from) return undefined
  if (evm.precompiles.has(implementation.slice(2))) return undefined
  const execResult = { returnValue: EMPTY_BYTES, executionGasUsed: BigInt(gas), gasRefund: BigInt(refund) }
  const unmetered = { rules, console: instance.console, meter: undefined }
  const result = messageRuns.resultOfMessage(
    unmetered,
    message,
    { execResult },
    intrinsicGas(rules, message),
    0n,
  )
  const { nonce, balance, code } = readAccount(writer.current, to)
  const written = writer.current.set(to, { nonce, balance, code, storage })
  writer.reset(settle(written, result))
  return result
}

const UNPAID = { gas: 0n, tip: undefined, rollup: undefined }

type DepositTransaction = transactions.Transaction & { readonly deposit: DepositFields }

/** True if a transaction is a deposit. */
export function isDeposit(transaction: transactions.Transaction): transaction is DepositTransaction {
  return transaction.deposit !== undefined
}

const SHORTFALLS = {
  intrinsicGasTooLow: 'intrinsic gas too low',
  floorGasTooLow: 'insufficient gas for floor data gas cost',
} as const

/** Why a deposit cannot begin, in op-geth's words (core/state_transition.go); `undefined` if it can. */
function obstacleTo(
  { rules, evm, writer }: EvmInstance,
  transaction: DepositTransaction,
): string | undefined {
  const { sender, input, gasLimit, value, deposit } = transaction
  if (deposit.isSystem && rules.rollup?.changes.metersDeposits)
    return `system tx not supported: address ${sender}`
  const shortfall = gasShortfall(rules, transaction)
  if (shortfall !== undefined)
    return `${SHORTFALLS[shortfall.kind]}: have ${gasLimit}, want ${shortfall.least}`
  if (readAccount(writer.current, sender).balance < value)
    return `insufficient funds for transfer: address ${sender}`
  const limit = exceededInitCodeLimit(rules, transaction, evm.allowUnlimitedInitCodeSize)
  if (limit === undefined) return undefined
  return `max initcode size exceeded: code size ${input.length} limit ${limit}`
}

/** Tells observers of a deposit that cannot begin, as of a message that fails at once. */
function tellRefused(
  { observed }: EvmInstance,
  { sender: from, to, value, input }: transactions.Transaction,
  created: ReturnType<typeof createdBy>,
  error: string,
): void {
  const observer = observed.current?.observer
  if (observer === undefined) return
  const kind = to === undefined ? 'CREATE' : 'CALL'
  const target = to ?? created ?? from
  observer.enter?.({ kind, depth: 0, from, to: target, value, input, gas: 0, isPrecompile: false })
  observer.exit?.({ output: EMPTY_BYTES, gasUsed: 0, error })
}

/** The contract that a creation makes. */
function createdBy({ sender, to }: transactions.Transaction, nonce: bigint) {
  return to === undefined ? bytesToHex(createAddress(hexToBytes(sender), nonce)) : undefined
}

/** Before regolith a deposit takes all its gas from the block, and a system transaction none. */
function gasTaken(rules: Rules, { gasLimit, deposit }: DepositTransaction, gasUsed: bigint): bigint {
  if (rules.rollup?.changes.metersDeposits) return gasUsed
  return deposit.isSystem ? 0n : gasLimit
}

async function runMinted(
  instance: EvmInstance,
  environment: BlockEnvironment,
  transaction: DepositTransaction,
  nonce: bigint,
): Promise<messageRuns.MessageResult> {
  const { rules } = instance
  const obstacle = obstacleTo(instance, transaction)
  if (obstacle === undefined) {
    const message = messageOf(transaction, 0n)
    const settlement = settlementOf(rules, environment, transaction, UNPAID)
    return (
      runAttributes(instance, environment, message, settlement) ??
      runTransfer(instance, message, settlement) ??
      (await messageRuns.runMessage(instance, environment, message, settlement))
    )
  }
  const contractAddress = createdBy(transaction, nonce)
  const failure = `failed deposit: ${obstacle}`
  tellRefused(instance, transaction, contractAddress, failure)
  const { gasLimit } = transaction
  return {
    outcome: 'failure',
    returnData: EMPTY_BYTES,
    failure,
    contractAddress,
    gasUsed: gasLimit,
    peakGas: gasLimit,
    gasRefund: 0n,
    logs: [],
    destroyed: [],
    consoleCalls: [],
  }
}

/** The mint and the nonce stay, whatever becomes of the deposit. */
function begin(state: WorldState, { sender, deposit }: DepositTransaction, nonce: bigint): WorldState {
  const minted = deposit.mint === 0n ? state : credit(state, sender, deposit.mint)
  return updateAccount(minted, sender, { nonce: BigInt.asUintN(64, nonce + 1n) })
}

/** Executes a deposit; the instance's writer then holds the state after it. */
export async function runDeposit(
  instance: EvmInstance,
  environment: BlockEnvironment,
  progress: transactions.BlockProgress,
  transaction: DepositTransaction,
): Promise<transactions.ExecutedTransaction> {
  const { rules, writer } = instance
  const { nonce } = readAccount(writer.current, transaction.sender)
  writer.reset(begin(writer.current, transaction, nonce))
  const result = await runMinted(instance, environment, transaction, nonce)
  const gasUsed = gasTaken(rules, transaction, result.gasUsed)
  const changes = rules.rollup?.changes
  const told = changes?.metersDeposits ? { nonce, version: changes.depositReceiptVersion } : undefined
  const taken = gasUsed === result.gasUsed ? result : { ...result, gasUsed }
  return toExecuted(progress, transaction, 0n, taken, 0n, told)
}

/** Executes a transaction whose preconditions hold; the instance's writer then holds the state after it. */
export async function runTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  progress: transactions.BlockProgress,
  transaction: transactions.Transaction,
): Promise<transactions.ExecutedTransaction> {
  if (isDeposit(transaction)) return runDeposit(instance, environment, progress, transaction)
  const { rules, writer } = instance
  const rollup = rollupFeesOf(rules, writer.current, transaction)
  const prices = pricesOf(environment, transaction, rollup)
  const blobGasUsed = blobGasIn(rules, writer.current, transaction)
  writer.reset(buyGas(writer.current, transaction, prices))
  const message = messageOf(transaction, prices.gas)
  const settlement = settlementOf(rules, environment, transaction, prices)
  const result =
    runTransfer(instance, message, settlement) ??
    (await messageRuns.runMessage(instance, environment, message, settlement))
  return toExecuted(progress, transaction, prices.gas, result, blobGasUsed)
}
