// Validation and execution of an unsigned transaction for eth_simulateV1. The order of checks is that of geth
// (core/state_transition.go). The sender may be a contract. Only full checking (`validation: true`) checks the nonce, and
// fees that are zero.

import { failure } from '../../primitives/errors.ts'
import { type Address, type Hash, hexToBytes, toWord } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { readAccount } from '../../state/world-state.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { type MessageResult, runMessage } from '../evm/run-message.ts'
import { observe } from '../trace/observe.ts'
import type { FrameKind, Observer } from '../trace/observer.ts'
import { exceededInitCodeLimit, gasShortfall } from './intrinsic-gas.ts'
import { buyGas, type Prices, pricesOf, settlementOf } from './payment.ts'
import { FREE_OF_ROLLUP_FEES } from './rollup-fees.ts'
import { messageOf, toExecuted } from './run-transaction.ts'
import type { Transaction } from './transaction.ts'
import * as transactions from './transaction.ts'

const ETHER: Address = `0x${'ee'.repeat(20)}`
/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** True if the logs include ether transfers (`traceTransfers`). */
export type TransferLogs = 'traced' | 'untraced'

interface SimulatedLog extends transactions.Log {
  /** Among all logs of the transaction, also of calls that failed, as in geth (internal/ethapi/logtracer.go). */
  readonly index: number
}

export interface SimulatedLogs {
  /** In the order of their execution, without those of calls that failed. */
  readonly logs: readonly SimulatedLog[]
  /** The number of indices that they take. */
  readonly logCount: number
}

function topicOf(address: Address): Hash {
  return `0x${address.slice(2).padStart(64, '0')}`
}

function transferLog(from: Address, to: Address, value: bigint): transactions.Log {
  return { address: ETHER, topics: [TRANSFER, topicOf(from), topicOf(to)], data: hexToBytes(toWord(value)) }
}

/** Frames whose value goes to another account. */
const PAYING: ReadonlySet<FrameKind> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

export async function runWithLogs(
  instance: EvmInstance,
  transferLogs: TransferLogs,
  run: () => Promise<MessageResult>,
): Promise<SimulatedLogs & { readonly result: MessageResult }> {
  /** The logs of each open frame, because a failed frame's logs are dropped. */
  const frames: SimulatedLog[][] = [[]]
  let logCount = 0
  const add = (log: transactions.Log): void => {
    frames.at(-1)?.push({ ...log, index: logCount++ })
  }
  const observer: Observer = {
    enter({ kind, from, to, value }) {
      frames.push([])
      if (transferLogs === 'traced' && value > 0n && PAYING.has(kind)) add(transferLog(from, to, value))
    },
    exit({ error }) {
      const logs = frames.pop() ?? []
      if (error === undefined) frames.at(-1)?.push(...logs)
    },
    log: add,
  }
  const result = await observe(instance, observer, run)
  return { result, logs: frames[0] ?? [], logCount }
}

/** Full checking checks nonces and fees as in a block. */
type Checking = 'full' | 'lenient'

/** True if the transaction names no fee and does not need one. */
function isFree({ maxFeePerGas, maxPriorityFeePerGas }: Transaction, checking: Checking): boolean {
  return checking === 'lenient' && maxFeePerGas === 0n && maxPriorityFeePerGas === 0n
}

function checkNonce(next: bigint, { sender, nonce }: Transaction): void {
  if (nonce < next) throw failure('simulatedNonceTooLow', { sender, nonce, next })
  if (nonce > next) throw failure('simulatedNonceTooHigh', { sender, nonce, next })
  if (nonce === MAX_UINT64) throw failure('simulatedNonceMax', { sender, nonce })
}

function checkFees({ baseFeePerGas }: BlockEnvironment, transaction: Transaction): void {
  const { sender, maxFeePerGas, maxPriorityFeePerGas } = transaction
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw failure('tipAboveFeeCap', { tip: maxPriorityFeePerGas, feeCap: maxFeePerGas })
  if (maxFeePerGas < baseFeePerGas)
    throw failure('simulatedFeeCapTooLow', { sender, feeCap: maxFeePerGas, baseFee: baseFeePerGas })
}

/** The same for the blob fee. */
function isBlobFree({ maxFeePerBlobGas }: Transaction, checking: Checking): boolean {
  return checking === 'lenient' && maxFeePerBlobGas === 0n
}

function checkGas(instance: EvmInstance, transaction: Transaction): void {
  const shortfall = gasShortfall(instance.rules, transaction)
  if (shortfall !== undefined)
    throw failure('simulatedGasTooLow', { gas: transaction.gasLimit, least: shortfall.least })
  const limit = exceededInitCodeLimit(instance.rules, transaction, instance.evm.allowUnlimitedInitCodeSize)
  if (limit !== undefined)
    throw failure('simulatedInitCodeTooLarge', { size: transaction.input.length, limit })
}

/** Throws the error if a transaction cannot be the next of a simulated block. */
function checkTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  transaction: Transaction,
  checking: Checking,
): void {
  const { sender } = transaction
  const { nonce, balance } = readAccount(instance.writer.current, sender)
  if (checking === 'full') checkNonce(nonce, transaction)
  // Even in lenient mode: a creation must increment the nonce, which is already at its limit (EIP-2681).
  if (transaction.to === undefined && nonce === MAX_UINT64) throw failure('nonceMax')
  if (!isFree(transaction, checking)) checkFees(environment, transaction)
  const { type, maxFeePerBlobGas: feeCap } = transaction
  if (type === 3 && !isBlobFree(transaction, checking) && feeCap < environment.blobBaseFee)
    throw failure('blobFeeTooLow', { feeCap, least: environment.blobBaseFee })
  const cost = transactions.maximumCost(transaction)
  if (balance < cost) throw failure('simulatedInsufficientFunds', { sender, balance, cost })
  checkGas(instance, transaction)
}

export interface SimulationMode {
  readonly checking: Checking
  readonly transferLogs: TransferLogs
}

export interface SimulatedTransaction extends SimulatedLogs {
  readonly executed: transactions.ExecutedTransaction
  readonly result: MessageResult
}

/** The prices of a transaction: zero if it names no fee and fees are not checked. As in op-geth, none has rollup fees. */
function pricesUnder(
  { rules }: EvmInstance,
  environment: BlockEnvironment,
  transaction: Transaction,
  checking: Checking,
): Prices {
  const named = pricesOf(environment, transaction, rules.rollup && FREE_OF_ROLLUP_FEES)
  const gas = isFree(transaction, checking) ? 0n : named.gas
  const blobs = isBlobFree(transaction, checking) ? 0n : named.blobs
  if (gas === 0n) return { gas, tip: undefined, blobs, rollup: undefined }
  return { ...named, blobs }
}

/** Executes a transaction; the writer then holds the state after it. Throws if it is invalid. */
export async function simulateTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  progress: transactions.BlockProgress,
  transaction: Transaction,
  { checking, transferLogs }: SimulationMode,
): Promise<SimulatedTransaction> {
  const { rules, writer } = instance
  checkTransaction(instance, environment, transaction, checking)
  const prices = pricesUnder(instance, environment, transaction, checking)
  writer.reset(buyGas(writer.current, transaction, prices))
  const message = messageOf(transaction, prices.gas)
  const settlement = settlementOf(rules, environment, transaction, prices)
  const run = async () => runMessage(instance, environment, message, settlement)
  const told = await runWithLogs(instance, transferLogs, run)
  const blobGas = transactions.blobGasOf(transaction)
  return { ...told, executed: toExecuted(progress, transaction, prices.gas, told.result, blobGas) }
}
