// What the wire side of one emulator holds besides the node: how it presents things, and what it has promised to
// tell (filters, subscriptions, receipts that are waited for). None of it is part of the chain's state.

import type { Node } from '../node/node.ts'
import type { NodeState } from '../node/node-state.ts'
import { type PendingIdentity, present } from './format/present.ts'
import type { ReadContext } from './method.ts'

/** Limits of the wire side (specification part 8, and geth's where it states none). */
export interface RpcLimits {
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
  /** A public endpoint does not offer eth_getBlockReceipts. */
  readonly endpoint: 'open' | 'public'
  /** The chain's name in methods of its own: `base` in `base_transactionStatus`. */
  readonly chainPrefix: string
  readonly limits: RpcLimits
}

export interface Session {
  readonly node: Node
  readonly options: RpcOptions
}

/** What a read works on, in this session. */
export function readContext({ node, options }: Session, state: NodeState): ReadContext {
  return {
    config: node.config,
    state,
    options,
    present: (view) => present(view, options.pendingIdentity),
  }
}
