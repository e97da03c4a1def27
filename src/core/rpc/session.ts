// The JSON-RPC side of one emulator, with its options. Commands change it in their effects; a revert does not.

import type { BlockView } from '../chain/chain.ts'
import type { GasEstimationMode } from '../execution/call/estimate-gas.ts'
import type { PlacedCall } from '../execution/call/run-call.ts'
import type { ConsoleCall } from '../execution/evm/pooled-evm.ts'
import type { CustomErrors } from '../execution/result/console-log.ts'
import type { FaultAnswer } from '../node/control/controls.ts'
import { type BlockSelector, requireBlock } from '../node/lookup.ts'
import type { Node } from '../node/node.ts'
import type { NodeState } from '../node/node-state.ts'
import { TickchainError } from '../primitives/errors.ts'
import type { Address, Hash, Hex } from '../primitives/hex.ts'
import type { WorldState } from '../state/world-state.ts'
import type { CallTrace } from './call-trace.ts'
import type { FilterTable } from './events/filters.ts'
import type { FlashblockPayload, FlashblockStream } from './events/flashblocks.ts'
import { type StalledWait, type WaitWatch, watchWaits } from './events/stalled-waits.ts'
import type * as waits from './events/waits.ts'
import type { Flavor } from './flavor/flavor.ts'
import { type PendingIdentity, type PresentedBlock, presentAs } from './format/receipt.ts'

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

/** The execution in which a contract called console.log. */
export interface ConsoleSource {
  /** A transaction in a block, eth_call, a gas estimate, or eth_simulateV1. */
  readonly origin: 'transaction' | 'call' | 'estimate' | 'simulation'
  /** Only for a transaction in a block. */
  readonly transactionHash: Hash | undefined
  /** The value of NUMBER in that execution. */
  readonly blockNumber: number
}

export type ConsoleOutlet = (calls: readonly ConsoleCall[], source: ConsoleSource) => void

export interface ReadContext {
  readonly state: NodeState
  readonly options: RpcOptions
  /** The number and hash that a block shows, by the option `pendingIdentity`. */
  readonly present: (view: BlockView) => PresentedBlock
  readonly tellConsole: ConsoleOutlet
  /** Read when it is needed: a project's contracts may be read only then. */
  readonly known: Readonly<KnownContracts>
}

interface NamedAbi {
  readonly name: string
  readonly abi: readonly object[]
}

/** Native contracts, which are recognised by their addresses. */
export interface KnownNatives {
  readonly at: (address: Address) => NamedAbi | undefined
  readonly all: readonly NamedAbi[]
}

/** Contracts and accounts that a test has made known. They are no part of the chain: a revert does not undo it. */
export interface KnownContracts {
  customErrors: CustomErrors
  /** Compiled contracts, in the form of the explainer; `undefined` as long as there are none. */
  contracts: object | undefined
  readonly natives?: KnownNatives | undefined
  labels: ReadonlyMap<Address, string>
  readonly explainer: () => Explainer | Promise<Explainer>
}

export interface Explainer {
  /** Adds the contracts of a source and their custom errors. Throws `invalidContracts`; nothing has changed then. */
  addContracts(known: KnownContracts, source: unknown): void
  /** The trace of a transaction in a sealed block or in the block being built. Throws `transactionNotFound`. */
  traceOfTransaction(context: ReadContext, hash: Hash, hasSteps?: boolean): Promise<CallTrace>
  traceOfCall(context: ReadContext, call: PlacedCall, hasSteps?: boolean): Promise<CallTrace>
  /** The error of a call, with a Solidity stack trace if it is one of the execution. */
  explainCall(context: ReadContext, call: PlacedCall, error: unknown): Promise<unknown>
  explainTransaction(context: ReadContext, hash: Hash, error: TickchainError): Promise<TickchainError>
  /** The error of a refused option, with what was meant by a name of another emulator. */
  explainOption(error: TickchainError): TickchainError
  describeAccount(context: ReadContext, address: Address): RpcAccountDescription
  describeStorage(context: ReadContext, state: WorldState, address: Address): RpcSlot[]
}

export interface RpcAccountDescription {
  readonly address: Address
  readonly name: string | null
  readonly contract: string | null
}

export interface RpcSlot {
  readonly slot: Hash
  readonly value: Hash
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

export interface FailedCall {
  readonly context: ReadContext
  readonly call: PlacedCall
}

/** By the error that told of it. */
const FAILED = new WeakMap<object, FailedCall>()

export function failedCallOf(error: object): FailedCall | undefined {
  return FAILED.get(error)
}

/** Lets an error that replaces another one tell of the same call. */
export function inheritFailedCall(from: object, to: object): FailedCall | undefined {
  const failed = FAILED.get(from)
  if (failed !== undefined) FAILED.set(to, failed)
  return failed
}

/** Runs a call; its failure is kept, and gets a Solidity stack trace if contracts are known. */
export async function withExplainedFailure<Result>(
  context: ReadContext,
  call: PlacedCall,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    FAILED.set(error, { context, call })
    if (context.known.contracts === undefined) throw error
    throw await (await context.known.explainer()).explainCall(context, call, error)
  }
}

export type HttpFailure = Extract<FaultAnswer, { readonly kind: 'http' }>

export interface Outlet {
  readonly message: waits.Receiver
  readonly flashblock: (payload: FlashblockPayload) => void
  readonly consoleLogs: ConsoleOutlet
  readonly stalledWait: (stalled: StalledWait) => void
  readonly hasFlashblockListeners: () => boolean
}

export type HardhatDecoding = typeof import('./flavor/hardhat-requests.ts')

export interface Session {
  readonly node: Node
  readonly options: RpcOptions
  readonly hardhat: HardhatDecoding | undefined
  /** True if subscriptions are possible: a provider has events, a bare request has none. */
  readonly canPush: boolean
  readonly filters: FilterTable
  readonly subscriptions: waits.SubscriptionTable
  readonly inclusionWaits: Set<waits.InclusionWait>
  readonly heldAnswers: Set<waits.HeldAnswer>
  /** Only over HTTP: takes a failure that replaces the whole response. */
  readonly tellHttpFailure?: (failure: HttpFailure) => void
  /** Only of a connection: is told of each subscription of a request before its messages. */
  readonly tellSubscribed?: (id: Hex) => void
  /** The transactions of each call bundle (EIP-5792). */
  readonly bundles: Map<string, readonly Hash[]>
  readonly emit: waits.Receiver
  readonly tellConsole: ConsoleOutlet
  readonly stalledWaits: WaitWatch
  /** The contracts and names that a test has made known; `registerAbi`, `addContracts` and `label` change it at once. */
  readonly known: KnownContracts
  /** The last calls and estimates that failed, oldest first. */
  readonly failedCalls: (FailedCall & { readonly error: TickchainError })[]
  readonly stream: FlashblockStream
  readonly outlet: Outlet
}

export function createSession(
  node: Node,
  options: RpcOptions,
  hardhat: HardhatDecoding | undefined,
  outlet: Outlet,
  known: KnownContracts,
): Session {
  return {
    node,
    options,
    hardhat,
    canPush: true,
    filters: { filters: new Map(), lastId: 0 },
    subscriptions: { subscriptions: new Map(), idsOf: new Map(), lastId: 0 },
    known,
    outlet,
    inclusionWaits: new Set(),
    heldAnswers: new Set(),
    bundles: new Map(),
    emit: outlet.message,
    tellConsole: outlet.consoleLogs,
    stalledWaits: watchWaits(node, outlet.stalledWait),
    failedCalls: [],
    stream: { last: undefined, isOver: false },
  }
}

/** True if there are subscriptions or filters. Block filters do not count: `gatherBlocks` fills them. */
export function isWatched({ subscriptions, filters }: Session): boolean {
  if (subscriptions.subscriptions.size > 0) return true
  return filters.filters.size > 0 && [...filters.filters.values()].some(({ kind }) => kind !== 'blocks')
}

export function readContext({ options, tellConsole, known }: Session, state: NodeState): ReadContext {
  return {
    state,
    options,
    present: (view) => presentAs(options, view),
    tellConsole: state.isRehearsed === true ? () => {} : tellConsole,
    known,
  }
}

export function viewIn({ state }: ReadContext, selector: BlockSelector): BlockView {
  return requireBlock(state, selector)
}

export function tellCall(
  { tellConsole }: ReadContext,
  origin: ConsoleSource['origin'],
  calls: readonly ConsoleCall[],
  { number: blockNumber }: { readonly number: number },
): void {
  tellConsole(calls, { origin, transactionHash: undefined, blockNumber })
}

/** A view of a node with members of its own, such as another way to take turns. */
export function nodeWith(node: Node, own: Partial<Pick<Node, 'execute' | 'read'>>): Node {
  return new Proxy(node, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
