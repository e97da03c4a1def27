// Functions of the emulator for subscriptions of one listener.

import type { Hash } from '../../primitives/hex.ts'
import { type LogFilterWire, subscriptionDetail, subscriptionKind } from '../../rpc/codecs/filter.ts'
import { endSubscriptions, type Receiver } from '../../rpc/events/waits.ts'
import type { RpcBlock, RpcHeader } from '../../rpc/format/block.ts'
import type { RpcLog, RpcReceipt } from '../../rpc/format/receipt.ts'
import type { RpcTransaction } from '../../rpc/format/transaction.ts'
import { outcomeWith } from '../../rpc/method.ts'
import { METHODS } from '../../rpc/registry.ts'
import type { Session } from '../../rpc/session.ts'
import { argument, optionalArgument, refuseCall } from '../checks.ts'

/** Messages of a subscription by its kind, in the shapes of JSON-RPC. */
export interface SubscriptionResults {
  /** A sealed block. */
  newHeads: RpcHeader
  /** A log of a sealed block; with `removed: true` if its block is no longer part of the chain. */
  logs: RpcLog
  /** A log of a pre-confirmed transaction. */
  pendingLogs: RpcLog
  /** A transaction that the pool has accepted; with the filter `true`, in full. */
  newPendingTransactions: Hash | RpcTransaction
  /** The receipts of the wanted transactions of a sealed block. */
  transactionReceipts: readonly RpcReceipt[]
  /** The block being built, after each partial block. */
  newFlashblocks: RpcBlock
  /** A pre-confirmed transaction; in full with the filter `true`, or with one of logs. */
  newFlashblockTransactions: Hash | RpcTransaction
  /** Once: `false`. */
  syncing: boolean
}

/** Filter of a subscription: a filter of logs, hashes of transactions, or `true` for full transactions. */
export type SubscriptionFilter = (LogFilterWire & { readonly transactionHashes?: readonly Hash[] }) | boolean

/** Ends a subscription; resolves when its listener is called no more. */
export type EndSubscription = () => Promise<void>

/** Listens to what `eth_subscribe` offers. */
export interface SubscriptionControls {
  /**
   * Calls the listener with every result of a subscription, before the call that causes it resolves. Faults do not apply.
   *
   * @param kind As `eth_subscribe` takes it.
   * @param filter Which of them, as the second parameter of `eth_subscribe`; `undefined` for all.
   * @param listener Gets the result. If it throws, a `listenerError` is emitted and nothing else is affected.
   * @throws TickchainError `invalidCall`
   * @see `eth_subscribe`
   * @example
   * const numbers = []
   * const end = await chain.subscribe('newHeads', undefined, ({ number }) => numbers.push(number))
   * await chain.advance(4000)
   * numbers // => ['0x1', '0x2']
   * await end()
   */
  subscribe<Kind extends keyof SubscriptionResults>(
    kind: Kind,
    filter: SubscriptionFilter | undefined,
    listener: (result: SubscriptionResults[Kind]) => void,
  ): Promise<EndSubscription>
}

/** The controls of a session's subscriptions; `report` is told what a listener throws. */
export function subscriptionControls(
  session: Session,
  report: (error: unknown) => void,
): SubscriptionControls {
  return {
    async subscribe(kind, filter, listener) {
      const asked = argument('subscribe', 'kind', kind, subscriptionKind)
      const detail = optionalArgument('subscribe', 'filter', filter, subscriptionDetail, undefined)
      if (typeof listener !== 'function') refuseCall('subscribe', 'a function as listener', listener)
      const emit: Receiver = ({ data }) => {
        try {
          listener(data.result as never)
        } catch (error) {
          report(error)
        }
      }
      await METHODS.eth_subscribe.handle({ ...session, emit }, asked, detail)
      return () =>
        session.node.execute((state) =>
          outcomeWith(state, undefined, () => endSubscriptions(session.subscriptions, emit)),
        )
    },
  }
}
