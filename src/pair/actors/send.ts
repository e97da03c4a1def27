// Transactions of the batcher and the proposer on the layer 1.

import type { TransactionFields } from '../../execution/transaction/transaction.ts'
import { currentOpenBlock, type NodeConfig, type NodeState, pendingWorld } from '../../node/node-state.ts'
import { submitTransaction } from '../../node/production/submit.ts'
import { signTransaction } from '../../pool/encode.ts'
import { pooledAt } from '../../pool/pool.ts'
import { TickchainError } from '../../primitives/errors.ts'
import type { Address } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import type { Sender } from '../pair-state.ts'
import type { PairSteps } from '../pair-steps.ts'

export interface Order {
  readonly to: Address
  readonly input: Uint8Array
  readonly value?: bigint
  readonly gasLimit: bigint
}

const TIP = 1_000_000_000n

/** The nonce after those of the sender's transactions in blocks and in the pool. */
function nextNonce(state: NodeState, sender: Address): bigint {
  let { nonce } = readAccount(pendingWorld(state), sender)
  while (pooledAt(state.pool, sender, nonce) !== undefined) nonce++
  return nonce
}

function fieldsOf(config: NodeConfig, state: NodeState, sender: Address, order: Order): TransactionFields {
  const { baseFeePerGas } = currentOpenBlock(config, state).environment
  return {
    type: 2,
    chainId: BigInt(state.settings.chainId),
    nonce: nextNonce(state, sender),
    gasLimit: order.gasLimit,
    maxFeePerGas: 2n * baseFeePerGas + TIP,
    maxPriorityFeePerGas: TIP,
    to: order.to,
    value: order.value ?? 0n,
    input: order.input,
    accessList: [],
    authorizationList: [],
    maxFeePerBlobGas: 0n,
    blobVersionedHashes: [],
  }
}

/**
 * Sends a transaction; returns whether the pool has taken it. It may be full, or refuse the fee, in a test of just that:
 * the sender then tries again at its next turn.
 */
export async function send(
  steps: PairSteps,
  { address, privateKey }: Sender,
  order: Order,
): Promise<boolean> {
  const { l1 } = steps.pair
  const fields = fieldsOf(steps.config.l1, l1, address, order)
  const transaction = signTransaction(fields, address, privateKey)
  try {
    steps.add('l1', await submitTransaction(steps.config.l1, l1, transaction))
  } catch (error) {
    if (error instanceof TickchainError) return false
    throw error
  }
  return true
}

/** The gas of a call that only carries data: its price of EIP-2028, or the floor of EIP-7623. */
export function gasOfData(data: Uint8Array): bigint {
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros++
  const others = data.length - zeros
  return BigInt(21_000 + Math.max(4 * zeros + 16 * others, 10 * (zeros + 4 * others)))
}
