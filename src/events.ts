// The events of an emulator, and how what happens inside becomes one.

import { createEventBus, type EventBus } from './kernel/event-bus.ts'
import type { NodeEvent } from './node/events.ts'
import type { Address, Hash } from './primitives/hex.ts'
import type { FlashblockPayload } from './rpc/flashblocks.ts'
import type { SubscriptionMessage } from './rpc/notify.ts'
import type { Outlet } from './rpc/session.ts'

/** What listeners get. All events that a call causes are delivered before it resolves, in order. */
export interface EmulatorEvents {
  /** The pool took a transaction. */
  pendingTransaction: { readonly transactionHash: Hash; readonly from: Address }
  /** A transaction was replaced in the pool by another with its nonce. */
  replacedTransaction: { readonly transactionHash: Hash; readonly byTransactionHash: Hash }
  /** A partial block closed: these transactions are pre-confirmed. `gasUsed` is the block's so far. */
  partialBlock: {
    readonly blockNumber: number
    readonly index: number
    readonly transactionHashes: readonly Hash[]
    readonly gasUsed: bigint
    readonly atMs: number
  }
  /** A block was sealed and is the head. */
  sealedBlock: {
    readonly number: number
    readonly hash: Hash
    readonly timestamp: number
    readonly transactionHashes: readonly Hash[]
    readonly gasUsed: bigint
    readonly atMs: number
  }
  /** A transaction is no longer in a block, because of a reorganisation or a dropped pre-confirmation. */
  unincludedTransaction: {
    readonly transactionHash: Hash
    readonly reason: 'reorganised' | 'preconfirmationDropped'
    /** Whether it waits in the pool again. */
    readonly isPooled: boolean
  }
  /** Blocks are no longer part of the chain; last first. */
  orphanedBlocks: {
    readonly blocks: readonly { readonly number: number; readonly hash: Hash }[]
    readonly atMs: number
  }
  /** A subscription's message (EIP-1193). */
  message: SubscriptionMessage
  /** A raw partial block, as builders publish it. */
  flashblock: FlashblockPayload
  /** A listener threw. Without a listener of its own it surfaces as an unhandled rejection. */
  listenerError: { readonly error: unknown; readonly event: string }
}

/** Publishes what happened inside, in the words of the public surface. */
export function publishTo(bus: EventBus<EmulatorEvents>, event: NodeEvent): void {
  const hashesOf = (executed: readonly { readonly transaction: { readonly hash: Hash } }[]): Hash[] =>
    executed.map(({ transaction }) => transaction.hash)
  switch (event.type) {
    case 'transactionAccepted': {
      const { hash, sender } = event.transaction
      bus.emit('pendingTransaction', { transactionHash: hash, from: sender })
      break
    }
    case 'transactionReplaced':
      bus.emit('replacedTransaction', {
        transactionHash: event.transaction.hash,
        byTransactionHash: event.by.hash,
      })
      break
    case 'partialClosed': {
      const { chain, nowMs } = event.state
      bus.emit('partialBlock', {
        blockNumber: chain.head.header.number + 1,
        index: event.partial.index,
        transactionHashes: hashesOf(event.partial.executed),
        gasUsed: chain.open?.gasUsed ?? 0n,
        atMs: nowMs,
      })
      break
    }
    case 'blockSealed': {
      const { header, hash, executed } = event.block
      const { number, timestamp, gasUsed } = header
      const transactionHashes = hashesOf(executed)
      bus.emit('sealedBlock', {
        number,
        hash,
        timestamp,
        transactionHashes,
        gasUsed,
        atMs: event.state.nowMs,
      })
      break
    }
    case 'blocksOrphaned':
      bus.emit('orphanedBlocks', {
        blocks: event.blocks.map(({ header, hash }) => ({ number: header.number, hash })),
        atMs: event.atMs,
      })
      break
    case 'transactionUnincluded':
      bus.emit('unincludedTransaction', {
        transactionHash: event.transaction.hash,
        reason: event.reason,
        isPooled: event.isPooled,
      })
      break
    default:
      break
  }
}

/** Where the messages of subscriptions go. */
export function outletOf(bus: EventBus<EmulatorEvents>): Outlet {
  return {
    message: (message) => bus.emit('message', message),
    flashblock: (payload) => bus.emit('flashblock', payload),
    hasFlashblockListeners: () => bus.hasListeners('flashblock'),
  }
}

/** A bus on which a throwing listener is reported and harms nothing. */
export function createBus(): EventBus<EmulatorEvents> {
  const bus: EventBus<EmulatorEvents> = createEventBus((error, event) => {
    if (event !== 'listenerError' && bus.hasListeners('listenerError'))
      bus.emit('listenerError', { error, event })
    else void Promise.reject(error)
  })
  return bus
}
