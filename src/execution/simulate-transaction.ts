// A transaction that nobody has signed, executed as one (eth_simulateV1, impersonated contracts). It does not go through runTx, which would
// check what a simulation leaves unchecked; what keeps one from a block is in simulation-checks.ts.

import { Bloom } from '@ethereumjs/vm'
import { hexToBytes } from '../primitives/hex.ts'
import { isForkActive, type Rules } from '../rollup/forks.ts'
import { readAccount, updateAccount, type WorldState } from '../state/world-state.ts'
import type { BlockEnvironment } from './environment.ts'
import type { Machine } from './machine.ts'
import type { BlockProgress, ExecutedTransaction, Log } from './receipt.ts'
import { type MessageResult, runMessage } from './run-message.ts'
import { type Checking, checkTransaction, isBlobFree, isFree } from './simulation-checks.ts'
import { blobGasOf, effectiveGasPrice, type Transaction } from './transaction.ts'
import { runWithTransferLogs } from './transfer-logs.ts'

/** Whether transfers of ether are told among the logs. */
export type TransferLogs = 'traced' | 'untraced'

export interface SimulationMode {
  readonly checking: Checking
  readonly transferLogs: TransferLogs
}

export interface SimulatedTransaction {
  readonly executed: ExecutedTransaction
  readonly result: MessageResult
  /** The logs of the receipt, with transfers of ether where they are traced. */
  readonly logs: readonly Log[]
}

interface Prices {
  readonly gas: bigint
  readonly tip: bigint
  readonly blobs: bigint
}

function pricesOf(environment: BlockEnvironment, transaction: Transaction, checking: Checking): Prices {
  const gas = isFree(transaction, checking) ? 0n : effectiveGasPrice(transaction, environment.baseFeePerGas)
  const blobs = isBlobFree(transaction, checking) ? 0n : blobGasOf(transaction) * environment.blobBaseFee
  return { gas, tip: gas === 0n ? 0n : gas - environment.baseFeePerGas, blobs }
}

/** Takes the gas and the blobs from the sender; the nonce wraps round, as 64 bits do. */
function buyGas(state: WorldState, { sender, gasLimit }: Transaction, prices: Prices): WorldState {
  const { nonce, balance } = readAccount(state, sender)
  return updateAccount(state, sender, {
    nonce: BigInt.asUintN(64, nonce + 1n),
    balance: balance - gasLimit * prices.gas - prices.blobs,
  })
}

/** EIP-161: an account that is touched and empty is not there. */
function withoutEmpty(rules: Rules, state: WorldState, address: Transaction['sender']): WorldState {
  const { nonce, balance, code } = readAccount(state, address)
  const isEmpty = nonce === 0n && balance === 0n && code.bytes.length === 0
  return isEmpty && isForkActive(rules, 'spuriousDragon') ? state.delete(address) : state
}

/** Gives back what was not used, pays the producer, and takes destroyed and empty accounts away. */
function settle(
  rules: Rules,
  state: WorldState,
  { coinbase }: BlockEnvironment,
  { sender, gasLimit }: Transaction,
  prices: Prices,
  { gasUsed, destroyed }: MessageResult,
): WorldState {
  const credit = (before: WorldState, address: Transaction['sender'], amount: bigint): WorldState =>
    updateAccount(before, address, { balance: readAccount(before, address).balance + amount })
  let settled = prices.gas === 0n ? state : credit(state, sender, (gasLimit - gasUsed) * prices.gas)
  if (prices.gas > 0n)
    settled = withoutEmpty(rules, credit(settled, coinbase, gasUsed * prices.tip), coinbase)
  for (const address of destroyed) settled = settled.delete(address)
  return withoutEmpty(rules, settled, sender)
}

function bloomOf(rules: Rules, logs: readonly Log[]): Uint8Array {
  const bloom = new Bloom(undefined, rules.common)
  for (const { address, topics } of logs) {
    for (const value of [address, ...topics]) bloom.add(hexToBytes(value))
  }
  return bloom.bitvector
}

/** Executes a transaction; the writer then holds the state after it. Throws for what keeps it from a block. */
export async function simulateTransaction(
  machine: Machine,
  environment: BlockEnvironment,
  progress: BlockProgress,
  transaction: Transaction,
  { checking, transferLogs }: SimulationMode,
): Promise<SimulatedTransaction> {
  const { rules, writer } = machine
  checkTransaction(machine, environment, transaction, checking)
  const prices = pricesOf(environment, transaction, checking)
  writer.reset(buyGas(writer.current, transaction, prices))
  const message = { ...transaction, from: transaction.sender, gasPrice: prices.gas }
  const run = (): Promise<MessageResult> => runMessage(machine, environment, message)
  const traced = transferLogs === 'traced' ? await runWithTransferLogs(machine, run) : undefined
  const result = traced?.result ?? (await run())
  writer.reset(settle(rules, writer.current, environment, transaction, prices, result))
  const executed: ExecutedTransaction = {
    transaction,
    index: progress.transactionCount,
    firstLogIndex: progress.logCount,
    returnData: result.returnData,
    failure: result.outcome === 'revert' ? 'execution reverted' : result.failure,
    consoleCalls: result.consoleCalls,
    receipt: {
      status: result.outcome === 'success' ? 1 : 0,
      postState: undefined,
      gasUsed: result.gasUsed,
      cumulativeGasUsed: progress.gasUsed + result.gasUsed,
      effectiveGasPrice: prices.gas,
      blobGasUsed: blobGasOf(transaction),
      logs: result.logs,
      logsBloom: bloomOf(rules, result.logs),
      contractAddress: result.contractAddress,
    },
  }
  return { executed, result, logs: traced?.logs ?? result.logs }
}
