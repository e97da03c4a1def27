// The JSON-RPC side of one emulator: filters, subscriptions, waiting requests, and how it presents the chain. Commands
// change it in their effects; a revert leaves it as it is.

import type { OpenBlock } from '../chain/block/block.ts'
import type { FaultAnswer } from '../node/faults/fault.ts'
import type { Node } from '../node/node.ts'
import type { NodeState } from '../node/node-state.ts'
import type { TickchainError } from '../primitives/errors.ts'
import type { Hash, Hex } from '../primitives/hex.ts'
import type { FilterTable } from './events/filters.ts'
import { endJob, type FlashblockPayload, type FlashblockStream, nextPayloads } from './events/flashblocks.ts'
import { type PollWatch, type StalledWait, watchPolls } from './events/stalled-waits.ts'
import type { Receiver, SubscriptionTable } from './events/subscriptions.ts'
import type { HeldAnswer, InclusionWait } from './events/waits.ts'
import { presentAs } from './format/present.ts'
import type { RpcOptions } from './options.ts'
import type { ConsoleOutlet, FailedCall, KnownContracts, ReadContext } from './read-context.ts'

/** An HTTP failure that replaces the JSON-RPC answer. */
export type HttpFailure = Extract<FaultAnswer, { readonly kind: 'http' }>

/** The listeners of the session's messages. */
export interface Outlet {
  readonly message: Receiver
  readonly flashblock: (payload: FlashblockPayload) => void
  readonly consoleLogs: ConsoleOutlet
  readonly stalledWait: (stalled: StalledWait) => void
  /** True if the stream of flashblock payloads has listeners. */
  readonly hasFlashblockListeners: () => boolean
}

/** The module that reads requests as Hardhat does. */
export type HardhatDecoding = typeof import('./flavor/hardhat-decoding.ts')

export interface Session {
  readonly node: Node
  readonly options: RpcOptions
  /** Only in the flavor hardhat. */
  readonly hardhat: HardhatDecoding | undefined
  /** True if subscriptions are possible: a provider has events, a bare request has none. */
  readonly canPush: boolean
  readonly filters: FilterTable
  readonly subscriptions: SubscriptionTable
  readonly inclusionWaits: Set<InclusionWait>
  /** Answers delayed by a fault. */
  readonly heldAnswers: Set<HeldAnswer>
  /** Only over HTTP: takes a failure that replaces the whole response. */
  readonly tellHttpFailure?: (failure: HttpFailure) => void
  /** Only of a connection: is told of each subscription of a request before its messages. */
  readonly tellSubscribed?: (id: Hex) => void
  /** The transactions of each call bundle (EIP-5792). */
  readonly bundles: Map<string, readonly Hash[]>
  /** Takes the messages of the session's own subscriptions. */
  readonly emit: Receiver
  readonly tellConsole: ConsoleOutlet
  /** Looks whether a client waits in vain. */
  readonly notePoll: PollWatch
  /** The contracts and names that a test has made known; `registerAbi`, `addContracts` and `label` change it at once. */
  readonly known: KnownContracts
  /** The last calls and estimates that failed, oldest first. */
  readonly failedCalls: (FailedCall & { readonly error: TickchainError })[]
  /** Continues the stream of flashblock payloads, if it has listeners. */
  readonly tellFlashblock: (open: OpenBlock) => void
  /** Notes on that stream that the head has this number. */
  readonly endFlashblocks: (headNumber: number) => void
  /** True if there are subscriptions or filters. Block filters do not count: `gatherBlocks` fills them. */
  readonly isWatched: () => boolean
  readonly hasFlashblockListeners: () => boolean
}

export function createSession(
  node: Node,
  options: RpcOptions,
  hardhat: HardhatDecoding | undefined,
  outlet: Outlet,
  known: KnownContracts,
): Session {
  const filters: FilterTable = { filters: new Map(), lastId: 0 }
  const subscriptions: SubscriptionTable = { subscriptions: new Map(), idsOf: new Map(), lastId: 0 }
  const stream: FlashblockStream = { last: undefined, isOver: false }
  return {
    node,
    options,
    hardhat,
    canPush: true,
    filters,
    subscriptions,
    inclusionWaits: new Set(),
    heldAnswers: new Set(),
    bundles: new Map(),
    emit: outlet.message,
    tellConsole: outlet.consoleLogs,
    notePoll: watchPolls(node, outlet.stalledWait),
    known,
    failedCalls: [],
    tellFlashblock(open) {
      if (!outlet.hasFlashblockListeners()) return
      for (const payload of nextPayloads(stream, open)) outlet.flashblock(payload)
    },
    endFlashblocks: (headNumber) => endJob(stream, headNumber),
    isWatched: () =>
      subscriptions.subscriptions.size > 0 ||
      (filters.filters.size > 0 &&
        Array.from(filters.filters.values()).some(({ kind }) => kind !== 'blocks')),
    hasFlashblockListeners: outlet.hasFlashblockListeners,
  }
}

/** The context of a read in this session. */
export function readContext({ node, options, tellConsole, known }: Session, state: NodeState): ReadContext {
  return {
    config: node.config,
    state,
    options,
    present: (view) => presentAs(options, view),
    tellConsole: state.isRehearsed === true ? () => {} : tellConsole,
    known,
  }
}

/** A view of a node with members of its own, such as another way to take turns. */
export function nodeWith(node: Node, own: Partial<Pick<Node, 'config' | 'execute' | 'read'>>): Node {
  return new Proxy(node, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
