// What the wire side of one emulator holds besides the node: how it presents things, and what it has promised to
// tell (filters, subscriptions, receipts that are waited for). None of it is part of the chain's state.

import type { OpenBlock } from '../chain/block/block.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import type { FaultAnswer } from '../node/faults/fault.ts'
import type { Node } from '../node/node.ts'
import type { NodeState } from '../node/node-state.ts'
import type { Hash } from '../primitives/hex.ts'
import type { FilterTable } from './events/filters.ts'
import { createFilterTable } from './events/filters.ts'
import { createFlashblockStream, type FlashblockPayload, nextPayload } from './events/flashblocks.ts'
import type { HeldAnswer } from './events/held-answers.ts'
import type { ReceiptWaiter } from './events/receipt-waiters.ts'
import type { SubscriptionMessage } from './events/subscriptions.ts'
import { createSubscriptionTable, type SubscriptionTable } from './events/subscriptions.ts'
import { present } from './format/present.ts'
import type { RpcOptions } from './options.ts'
import type { ConsoleOutlet, ReadContext } from './read-context.ts'

/** What an HTTP request is answered with in place of JSON-RPC. */
export type HttpFailure = Extract<FaultAnswer, { readonly kind: 'http' }>

/** Where messages go. */
export interface Outlet {
  readonly message: (message: SubscriptionMessage) => void
  readonly flashblock: (payload: FlashblockPayload) => void
  readonly consoleLogs: ConsoleOutlet
  /** Whether anybody listens to the stream of flashblock payloads. */
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
  /** Answers that a fault delays. */
  readonly heldAnswers: Set<HeldAnswer>
  /** Where requests come over HTTP: takes a failure that is the whole response's. */
  readonly tellHttpFailure?: (failure: HttpFailure) => void
  /** Transactions of the call bundles that were sent, by bundle (EIP-5792). */
  readonly bundles: Map<string, readonly Hash[]>
  readonly emit: (message: SubscriptionMessage) => void
  readonly tellConsole: ConsoleOutlet
  /** The custom errors of the ABIs that were registered so far. */
  readonly abis: { customErrors: CustomErrors }
  /** Continues the stream of flashblock payloads, if somebody listens to it. */
  readonly tellFlashblock: (open: OpenBlock) => void
  /** Whether anybody has subscribed or filters; not for blocks, which `gatherBlocks` looks after. */
  readonly isWatched: () => boolean
  /** Whether anybody listens to the stream of flashblock payloads. */
  readonly hasFlashblockListeners: () => boolean
}

export function createSession(
  node: Node,
  options: RpcOptions,
  outlet: Outlet,
  customErrors: CustomErrors,
): Session {
  const filters = createFilterTable()
  const subscriptions = createSubscriptionTable()
  const stream = createFlashblockStream()
  const isWatched = (): boolean =>
    subscriptions.subscriptions.size > 0 ||
    Array.from(filters.filters.values()).some(({ kind }) => kind !== 'blocks')
  return {
    node,
    options,
    canPush: true,
    filters,
    subscriptions,
    waiters: new Set(),
    heldAnswers: new Set(),
    bundles: new Map(),
    emit: outlet.message,
    tellConsole: outlet.consoleLogs,
    abis: { customErrors },
    tellFlashblock(open) {
      if (outlet.hasFlashblockListeners()) outlet.flashblock(nextPayload(stream, open))
    },
    isWatched,
    hasFlashblockListeners: outlet.hasFlashblockListeners,
  }
}

/** What a read works on, in this session. */
export function readContext({ node, options, tellConsole, abis }: Session, state: NodeState): ReadContext {
  return {
    config: node.config,
    state,
    options,
    present: (view) => present(view, options.pendingIdentity),
    tellConsole,
    customErrors: abis.customErrors,
  }
}
