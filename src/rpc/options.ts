// The options of the JSON-RPC side: how answers look, and their limits.

import type { Flavor } from './flavor/flavor.ts'
import type { PendingIdentity } from './format/present.ts'

/** What a filter with a block hash and a range means: the hash wins (specification part 2), or neither (geth). */
export type LogFilterBlockHash = 'wins' | 'exclusive'

/** Limits of the wire side (specification part 8, and geth's where it states none). */
interface RpcLimits {
  /** Blocks that one log query may span. */
  readonly logBlockRange: number
  /** Requests in a batch. */
  readonly batchLength: number
  /** Bytes of a request body. */
  readonly bodyBytes: number
  /** Longest and default wait of eth_sendRawTransactionSync, in milliseconds of virtual time. */
  readonly syncTimeoutMs: number
}

export interface RpcOptions {
  readonly pendingIdentity: PendingIdentity
  readonly logFilterBlockHash: LogFilterBlockHash
  readonly flavor: Flavor
  /** Whether sending a transaction that fails in the block of its own throws. */
  readonly throwOnTransactionFailures: boolean
  readonly throwOnCallFailures: boolean
  /** The gas limit of a transaction request that names none; `undefined` for what an estimate says. */
  readonly defaultTransactionGasLimit: bigint | undefined
  /** A public endpoint does not offer eth_getBlockReceipts. */
  readonly endpoint: 'open' | 'public'
  /** The chain's name in methods of its own: `base` in `base_transactionStatus`. */
  readonly chainPrefix: string
  readonly limits: RpcLimits
}
