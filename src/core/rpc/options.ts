// Options and limits of the JSON-RPC interface.

import type { GasEstimationMode } from '../execution/call/estimate-gas.ts'
import type { Flavor } from './flavor/flavor.ts'
import type { PendingIdentity } from './format/receipt.ts'

/** For a log filter with block hash and range: the hash wins (specification part 2), or an error (geth). */
export type LogFilterBlockHash = 'wins' | 'exclusive'

/** The limits that requests read, as the emulator's options describe them; `callGas` has a default that depends on the block. */
export interface RpcLimits {
  readonly callGas: number | undefined
  readonly traceBytes: number
  readonly logBlockRange: number
  readonly traceEntries: number
  readonly replayedTransactions: number
  readonly batchLength: number
  readonly batchGas: number
  readonly batchResponseBytes: number
  readonly bodyBytes: number
  readonly syncTimeoutMs: number
}

/** When a transaction has a receipt and a block: once it is pre-confirmed, or once its block is sealed. */
export type ReceiptsAt = 'preconfirmed' | 'sealed'

/** The options that requests read, as the emulator's describe them. */
export interface RpcOptions {
  readonly receipts: ReceiptsAt
  readonly allowedOrigins: '*' | readonly string[]
  readonly allowedHosts: '*' | readonly string[]
  readonly pendingIdentity: PendingIdentity
  readonly logFilterBlockHash: LogFilterBlockHash
  readonly flavor: Flavor
  readonly throwOnTransactionFailures: boolean
  readonly throwOnCallFailures: boolean
  readonly gasEstimationMode: GasEstimationMode
  /** `undefined` for the chain id. */
  readonly networkId: number | undefined
  /** `undefined` to estimate it. */
  readonly defaultTransactionGasLimit: bigint | undefined
  readonly endpoint: 'open' | 'public'
  readonly chainPrefix: string
  readonly limits: RpcLimits
}
