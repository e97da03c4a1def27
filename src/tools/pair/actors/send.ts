// Transactions of the batcher and the proposer on the layer 1.

import type { Transaction, TransactionFields } from '../../../core/execution/transaction/transaction.ts'
import {
  currentOpenBlock,
  type NodeConfig,
  type NodeState,
  pendingWorld,
} from '../../../core/node/node-state.ts'
import { submitTransaction } from '../../../core/node/production/submit.ts'
import { leastRaised } from '../../../core/pool/admit.ts'
import { impersonatedTransaction, signTransaction } from '../../../core/pool/encode.ts'
import { NO_FIELDS } from '../../../core/pool/payload.ts'
import { pooledAt, queueOf } from '../../../core/pool/pool.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import type { Sender } from '../pair-state.ts'
import type { PairSteps } from '../pair-steps.ts'

export interface Order {
  readonly to: Address
  readonly input: Uint8Array
  readonly value?: bigint
  readonly gasLimit: bigint
}

const TIP = 1_000_000_000n

/** Per cent by which op-batcher raises the fees of a transaction that it sends again. */
const LEAST_BUMP_PERCENT = 10

/** The fee cap of a transaction: the base fee may double. */
function capOf(config: NodeConfig, state: NodeState, tip: bigint): bigint {
  return 2n * currentOpenBlock(config, state).environment.baseFeePerGas + tip
}

/** The nonce after those of the sender's transactions in blocks and in the pool. */
function nextNonce(state: NodeState, sender: Address): bigint {
  let { nonce } = readAccount(pendingWorld(state), sender)
  while (pooledAt(state.pool, sender, nonce) !== undefined) nonce++
  return nonce
}

function fieldsOf(config: NodeConfig, state: NodeState, sender: Address, order: Order): TransactionFields {
  return {
    ...NO_FIELDS,
    type: 2,
    chainId: BigInt(state.settings.chainId),
    nonce: nextNonce(state, sender),
    gasLimit: order.gasLimit,
    maxFeePerGas: capOf(config, state, TIP),
    maxPriorityFeePerGas: TIP,
    to: order.to,
    value: order.value ?? 0n,
    input: order.input,
  }
}

/** Signs and submits a transaction; returns whether the pool has taken it. An account without a key is impersonated. */
async function submit(
  steps: PairSteps,
  { address, privateKey }: Sender,
  fields: TransactionFields,
): Promise<boolean> {
  const transaction =
    privateKey === undefined
      ? impersonatedTransaction(fields, address)
      : signTransaction(fields, address, privateKey)
  try {
    steps.add('l1', await submitTransaction(steps.config.l1, steps.pair.l1, transaction))
  } catch (error) {
    if (error instanceof TickchainError) return false
    throw error
  }
  return true
}

/**
 * Sends a transaction; returns whether the pool has taken it. It may be full, or refuse the fee, in a test of just that:
 * the sender then tries again at its next turn.
 */
export async function send(steps: PairSteps, sender: Sender, order: Order): Promise<boolean> {
  return submit(steps, sender, fieldsOf(steps.config.l1, steps.pair.l1, sender.address, order))
}

/** A transaction with fees that the layer 1 takes in place of those that it has. */
function raised(config: NodeConfig, state: NodeState, transaction: Transaction): TransactionFields {
  const percent = Math.max(LEAST_BUMP_PERCENT, config.poolLimits.replacementBumpPercent)
  const maxPriorityFeePerGas = leastRaised(transaction.maxPriorityFeePerGas, percent)
  const [least, cap] = [
    leastRaised(transaction.maxFeePerGas, percent),
    capOf(config, state, maxPriorityFeePerGas),
  ]
  return { ...transaction, maxPriorityFeePerGas, maxFeePerGas: cap > least ? cap : least }
}

/** Replaces the sender's transactions that wait with a fee cap below the base fee. */
export async function raiseFees(steps: PairSteps, sender: Sender): Promise<void> {
  const { l1 } = steps.config
  for (const { transaction } of queueOf(steps.pair.l1.pool, sender.address).transactions) {
    const state = steps.pair.l1
    if (transaction.maxFeePerGas >= currentOpenBlock(l1, state).environment.baseFeePerGas) continue
    if (!(await submit(steps, sender, raised(l1, state, transaction)))) return
  }
}

/** The gas of a call that only carries data: its price of EIP-2028, or the floor of EIP-7623. */
export function gasOfData(data: Uint8Array): bigint {
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros++
  const others = data.length - zeros
  return BigInt(21_000 + Math.max(4 * zeros + 16 * others, 10 * (zeros + 4 * others)))
}
