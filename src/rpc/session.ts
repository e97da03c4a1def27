// What the wire side of one emulator holds besides the node: how it presents things, and what it has promised to
// tell (filters, subscriptions, receipts that are waited for). None of it is part of the chain's state.

import type { OpenBlock } from '../chain/block.ts'
import type { Node } from '../node/node.ts'
import type { NodeState } from '../node/node-state.ts'
import type { Hash } from '../primitives/hex.ts'
import type { FilterTable } from './filters.ts'
import { createFilterTable } from './filters.ts'
import { createFlashblockStream, type FlashblockPayload, nextPayload } from './flashblocks.ts'
import { type PendingIdentity, present } from './format/present.ts'
import type { LogFilterBlockHash } from './log-query.ts'
import type { ReadContext } from './method.ts'
import type { SubscriptionMessage } from './notify.ts'
import type { ReceiptWaiter } from './receipt-waiters.ts'
import { createSubscriptionTable, type SubscriptionTable } from './subscriptions.ts'

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
  /** A public endpoint does not offer eth_getBlockReceipts. */
  readonly endpoint: 'open' | 'public'
  /** The chain's name in methods of its own: `base` in `base_transactionStatus`. */
  readonly chainPrefix: string
  readonly limits: RpcLimits
}

/** Where messages go. */
export interface Outlet {
  readonly message: (message: SubscriptionMessage) => void
  readonly flashblock: (payload: FlashblockPayload) => void
  /** Whether anybody listens to the stream of raw partial blocks. */
  readonly hasFlashblockListeners: () => boolean
}

export interface Session {
  readonly node: Node
  readonly options: RpcOptions
  /** Whether messages reach who asks: a provider has events, a bare request has not. */
  readonly canPush: boolean
  readonly filters: FilterTable
  readonly subscriptions: SubscriptionTable
  readonly waiters: Set<ReceiptWaiter>
  /** Transactions of the call bundles that were sent, by bundle (EIP-5792). */
  readonly bundles: Map<string, readonly Hash[]>
  readonly emit: (message: SubscriptionMessage) => void
  /** Continues the stream of raw partial blocks, if somebody listens to it. */
  readonly tellFlashblock: (open: OpenBlock) => void
  /** Whether anybody wants to know of partial blocks. */
  readonly isWatchingPartials: () => boolean
}

export function createSession(node: Node, options: RpcOptions, outlet: Outlet): Session {
  const filters = createFilterTable()
  const subscriptions = createSubscriptionTable()
  const stream = createFlashblockStream()
  return {
    node,
    options,
    canPush: true,
    filters,
    subscriptions,
    waiters: new Set(),
    bundles: new Map(),
    emit: outlet.message,
    tellFlashblock(open) {
      if (outlet.hasFlashblockListeners()) outlet.flashblock(nextPayload(stream, open))
    },
    isWatchingPartials: () =>
      outlet.hasFlashblockListeners() || subscriptions.subscriptions.size > 0 || filters.filters.size > 0,
  }
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
