// Options and limits of the JSON-RPC interface.

import type { GasEstimationMode } from '../execution/call/estimate-gas.ts'
import type { Flavor } from './flavor/flavor.ts'
import type { PendingIdentity } from './format/present.ts'

/** For a log filter with block hash and range: the hash wins (specification part 2), or an error (geth). */
export type LogFilterBlockHash = 'wins' | 'exclusive'

/** Limits of the specification, part 8; geth's where it has none. */
export interface RpcLimits {
  /** Maximum gas of a call; `undefined` for the default, which depends on the block gas limit. */
  readonly callGas: number | undefined
  /** Maximum number of bytes that the traces of one request hold. */
  readonly traceBytes: number
  /** Maximum number of blocks in a log query. */
  readonly logBlockRange: number
  /** Maximum number of entries in a decoded trace. */
  readonly traceEntries: number
  /** Maximum number of transactions that a search of traces executes again. */
  readonly replayedTransactions: number
  /** Maximum number of requests in a batch. */
  readonly batchLength: number
  /** Maximum gas that the requests of a batch use together, as far as it is known before each begins. */
  readonly batchGas: number
  /** The same for bytes of their results. */
  readonly batchResponseBytes: number
  /** Maximum bytes of a request body. */
  readonly bodyBytes: number
  /** Maximum and default timeout of eth_sendRawTransactionSync, in milliseconds of virtual time. */
  readonly syncTimeoutMs: number
}

/** When a transaction has a receipt and a block: once it is pre-confirmed, or once its block is sealed. */
export type ReceiptsAt = 'preconfirmed' | 'sealed'

export interface RpcOptions {
  readonly receipts: ReceiptsAt
  /** The origins whose pages may send requests over HTTP and read the answers (CORS). */
  readonly allowedOrigins: '*' | readonly string[]
  /** The names by which requests may reach the endpoint, besides IP addresses. */
  readonly allowedHosts: '*' | readonly string[]
  readonly pendingIdentity: PendingIdentity
  readonly logFilterBlockHash: LogFilterBlockHash
  readonly flavor: Flavor
  /** True if sending throws if the transaction is automined and fails. */
  readonly throwOnTransactionFailures: boolean
  readonly throwOnCallFailures: boolean
  readonly gasEstimationMode: GasEstimationMode
  /** `undefined` for the chain id. */
  readonly networkId: number | undefined
  /** The gas limit of a transaction request without one; `undefined` to estimate it. */
  readonly defaultTransactionGasLimit: bigint | undefined
  /** A public endpoint refuses eth_getBlockReceipts. */
  readonly endpoint: 'open' | 'public'
  /** The prefix of the chain's own methods: `base` in `base_transactionStatus`. */
  readonly chainPrefix: string
  readonly limits: RpcLimits
}
