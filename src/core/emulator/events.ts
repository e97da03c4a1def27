// Events of an emulator, and their conversion from node events.

import type { ConsoleCall } from '../execution/evm/pooled-evm.ts'
import { type ConsoleLog, readConsoleCall } from '../execution/result/console-log.ts'
import type { ExecutedTransaction } from '../execution/transaction/transaction.ts'
import { replacementEvents } from '../node/control/replace-state.ts'
import type { EventInterest, NodeEvent } from '../node/events.ts'
import { blockBeingBuilt } from '../node/node-state.ts'
import { type Address, type Hash, type Hex, toQuantity } from '../primitives/hex.ts'
import { nearestName } from '../rpc/codecs/codec.ts'
import type { FlashblockPayload } from '../rpc/events/flashblocks.ts'
import { blockInterest } from '../rpc/events/notify.ts'
import type { StalledWait } from '../rpc/events/stalled-waits.ts'
import type { SubscriptionMessage } from '../rpc/events/waits.ts'
import { type ConsoleSource, isWatched, type Outlet, type Session } from '../rpc/session.ts'

/** Where the runtime has one. Only a wait that never ends is printed: who waits hears no event. */
declare const console: undefined | { warn(text: string): void }

/**
 * The events of an emulator and what listeners get. All events that a call causes are delivered before it resolves,
 * in the order that https://github.com/tickchain/tickchain/blob/main/docs/DETERMINISM.md gives.
 * `atMs` is virtual time in milliseconds, `timestamp` seconds since the Unix epoch; both `gasUsed` are those of the block so far.
 */
export interface EmulatorEvents {
  /** The pool accepted a transaction. */
  pendingTransaction: { readonly transactionHash: Hash; readonly from: Address }
  /** A pooled transaction was replaced by another one with its nonce. */
  replacedTransaction: { readonly transactionHash: Hash; readonly byTransactionHash: Hash }
  /**
   * A partial block closed: these transactions are pre-confirmed. `index` counts the partial blocks of the block from 1; on a
   * rollup, 0 has the deposits that the block opens with. The index of a flashblock payload may be another one.
   */
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
  /** A transaction is no longer in a block: after a reorganisation, a dropped pre-confirmation, or a revert. */
  unincludedTransaction: {
    readonly transactionHash: Hash
    readonly reason: 'reorganised' | 'preconfirmationDropped' | 'reverted'
    /** True if it is in the pool again after the command; false if it is in another block. */
    readonly isPooled: boolean
  }
  /** Blocks are no longer part of the chain; last first. */
  orphanedBlocks: {
    readonly blocks: readonly { readonly number: number; readonly hash: Hash }[]
    readonly atMs: number
  }
  /** A contract called console.log, even if its call was reverted. One event per call. */
  consoleLog: ConsoleLog & ConsoleSource
  /** The chain id has changed (EIP-1193), also by a revert. */
  chainChanged: Hex
  /** A subscription's message (EIP-1193). */
  message: SubscriptionMessage
  /**
   * The flashblock payload of a partial block, as builders publish it. A block that begins again has a new payload id,
   * and its first payload is sent twice, so that a follower with the rules of the deployed node takes it.
   */
  flashblock: FlashblockPayload
  /**
   * A client waits for a transaction, and nothing moves the clock: it polls in vain, or its test has timed out (with
   * `chainTest` or `tickchain/vitest-config`). Emitted once for an emulator and its clones; without a listener for this
   * event, `message` is printed as a warning.
   */
  stalledWait: StalledWait
  /** A listener threw. Without a listener for this event, the error surfaces as an unhandled rejection. */
  listenerError: { readonly error: unknown; readonly event: string }
}

type Listener<Payload> = (payload: Payload) => void

interface EventBus<Events extends object> {
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): void
  removeListener<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): void
  hasListeners(name: keyof Events): boolean
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void
  clear(): void
}

/** Listeners are called in the order of registration; what they throw is told after all were called. */
export function createEventBus<Events extends object>(
  onListenerError: (error: unknown, name: keyof Events) => void,
): EventBus<Events> {
  const listeners = new Map<keyof Events, Listener<never>[]>()
  const of = (name: keyof Events): Listener<never>[] => listeners.get(name) ?? []
  return {
    on(name, listener) {
      listeners.set(name, [...of(name), listener as Listener<never>])
    },
    removeListener(name, listener) {
      const index = of(name).indexOf(listener as Listener<never>)
      const others = of(name).filter((_, position) => position !== index)
      if (index !== -1) listeners.set(name, others)
    },
    hasListeners: (name) => (listeners.get(name)?.length ?? 0) > 0,
    emit(name, payload) {
      if (!listeners.has(name)) return
      const thrown: unknown[] = []
      for (const listener of of(name)) {
        try {
          ;(listener as Listener<typeof payload>)(payload)
        } catch (error) {
          thrown.push(error)
        }
      }
      for (const error of thrown) onListenerError(error, name)
    },
    clear: () => listeners.clear(),
  }
}

const NAMES: Readonly<Record<keyof EmulatorEvents, true>> = {
  pendingTransaction: true,
  replacedTransaction: true,
  partialBlock: true,
  sealedBlock: true,
  unincludedTransaction: true,
  orphanedBlocks: true,
  consoleLog: true,
  chainChanged: true,
  message: true,
  flashblock: true,
  stalledWait: true,
  listenerError: true,
}

/** Events of ethers' providers, and what a chain has instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['block', 'sealedBlock'],
  ['pending', 'pendingTransaction'],
])

/** The event that a misspelt name is meant to be; `undefined` for a name of an event, and for any other. */
export function misspeltEvent(name: unknown): string | undefined {
  if (typeof name !== 'string' || Object.hasOwn(NAMES, name)) return undefined
  const nearest = nearestName(name, [...Object.keys(NAMES), ...INSTEAD.keys()])
  return INSTEAD.get(nearest ?? '') ?? nearest
}

function emitConsoleLogs(
  bus: EventBus<EmulatorEvents>,
  calls: readonly ConsoleCall[],
  source: ConsoleSource,
): void {
  if (!bus.hasListeners('consoleLog')) return
  for (const call of calls) bus.emit('consoleLog', { ...readConsoleCall(call), ...source })
}

function hashesOf(executed: readonly ExecutedTransaction[]): Hash[] {
  return executed.map(({ transaction }) => transaction.hash)
}

export function publishTo(bus: EventBus<EmulatorEvents>, event: NodeEvent): void {
  switch (event.type) {
    case 'transactionAccepted': {
      const { hash: transactionHash, sender: from } = event.transaction
      bus.emit('pendingTransaction', { transactionHash, from })
      break
    }
    case 'transactionReplaced': {
      const { transaction, by } = event
      const hashes = { transactionHash: transaction.hash, byTransactionHash: by.hash }
      bus.emit('replacedTransaction', hashes)
      break
    }
    case 'consoleLogged': {
      const { executed, blockNumber } = event
      for (const { transaction, consoleCalls } of executed) {
        const source = { origin: 'transaction', transactionHash: transaction.hash, blockNumber } as const
        emitConsoleLogs(bus, consoleCalls, source)
      }
      return
    }
    case 'partialBlock':
      if (!bus.hasListeners('partialBlock')) return
      bus.emit('partialBlock', {
        blockNumber: event.state.chain.head.header.number + 1,
        index: event.partial.index,
        transactionHashes: hashesOf(event.partial.executed),
        gasUsed: blockBeingBuilt(event.state)?.gasUsed ?? 0n,
        atMs: event.state.nowMs,
      })
      break
    case 'blockSealed': {
      if (!bus.hasListeners('sealedBlock')) return
      const { header, hash, executed } = event.block
      const { number, timestamp, gasUsed } = header
      const own = { transactionHashes: hashesOf(executed), gasUsed, atMs: event.state.nowMs }
      bus.emit('sealedBlock', { number, hash, timestamp, ...own })
      break
    }
    case 'blocksOrphaned': {
      // Without listeners, the blocks of runs need not be hashed.
      if (!bus.hasListeners('orphanedBlocks')) return
      const blocks = Array.from(event.blocks, ({ header, hash }) => ({ number: header.number, hash }))
      bus.emit('orphanedBlocks', { blocks, atMs: event.atMs })
      break
    }
    case 'transactionUnincluded': {
      const { transaction, reason, isPooled } = event
      bus.emit('unincludedTransaction', { transactionHash: transaction.hash, reason, isPooled })
    }
  }
}

export function watchChainId(bus: EventBus<EmulatorEvents>, chainId: number): (event: NodeEvent) => void {
  let lastChainId = chainId
  return (event) => {
    if (event.type !== 'committed' || event.state.settings.chainId === lastChainId) return
    lastChainId = event.state.settings.chainId
    bus.emit('chainChanged', toQuantity(lastChainId))
  }
}

function interestOf(session: Session, bus: EventBus<EmulatorEvents>): EventInterest {
  const heard = blockInterest(session)
  if (heard === 'partials' || bus.hasListeners('partialBlock') || bus.hasListeners('flashblock'))
    return 'partials'
  return heard === 'blocks' || bus.hasListeners('sealedBlock') ? 'blocks' : 'nobody'
}

/** Expands an event that may stand for a million blocks, only as far as it has listeners. */
export function expandEvent(session: Session, bus: EventBus<EmulatorEvents>, event: NodeEvent) {
  if (event.type === 'emptyBlocksAdvanced') return event.events(() => interestOf(session, bus))
  if (event.type !== 'stateReplaced') return []
  const names = ['orphanedBlocks', 'unincludedTransaction', 'sealedBlock'] as const
  const isHeard = isWatched(session) || names.some((name) => bus.hasListeners(name))
  return isHeard ? replacementEvents(event.from, event.to, interestOf(session, bus)) : []
}

export function outletOf(bus: EventBus<EmulatorEvents>): Outlet {
  return {
    message: (message) => bus.emit('message', message),
    flashblock: (payload) => bus.emit('flashblock', payload),
    consoleLogs: (calls, source) => emitConsoleLogs(bus, calls, source),
    stalledWait(stalled) {
      if (bus.hasListeners('stalledWait')) bus.emit('stalledWait', stalled)
      else if (typeof console !== 'undefined') console.warn(`tickchain: ${stalled.message}`)
    },
    hasFlashblockListeners: () => bus.hasListeners('flashblock'),
  }
}

export function reportListener(bus: EventBus<EmulatorEvents>, error: unknown, event: string): void {
  if (event !== 'listenerError' && bus.hasListeners('listenerError'))
    bus.emit('listenerError', { error, event })
  else void Promise.reject(error)
}

export function createBus(): EventBus<EmulatorEvents> {
  const bus: EventBus<EmulatorEvents> = createEventBus((error, event) => reportListener(bus, error, event))
  return bus
}
