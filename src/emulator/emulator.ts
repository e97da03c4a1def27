// The emulator: all layers put together. It keeps no state of its own.

import { type CustomErrors, NO_CUSTOM_ERRORS, withErrors } from '../execution/result/custom-errors.ts'
import { advanceClock, advanceToNext, jumpClock } from '../node/clock/clock.ts'
import { reorganise } from '../node/control/reorg.ts'
import { replaceState } from '../node/control/replace-state.ts'
import type { NodeEvent } from '../node/events.ts'
import { Node } from '../node/node.ts'
import type { NodeConfig, NodeState } from '../node/node-state.ts'
import { sealBlockNow } from '../node/production/block-production.ts'
import { loadCrypto } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import type { Predeploy } from '../rollup/predeploys.ts'
import { dispatch } from '../rpc/dispatch.ts'
import { answerBody, answerText, type RpcReply } from '../rpc/envelope.ts'
import { gatherBlocks } from '../rpc/events/filters.ts'
import { abandonAnswers } from '../rpc/events/held-answers.ts'
import { notify } from '../rpc/events/notify.ts'
import { abandonWaiters } from '../rpc/events/receipt-waiters.ts'
import { answerFetch, type WebRequest, type WebResponse } from '../rpc/fetch.ts'
import type { ParamsOf, ResultOf } from '../rpc/method.ts'
import type { METHODS, MethodName } from '../rpc/registry.ts'
import { createSession, type Session } from '../rpc/session.ts'
import { bootstrap } from './bootstrap.ts'
import { argument, refuseCall } from './checks.ts'
import { type AccountControls, accountControls } from './controls/accounts.ts'
import { type ChainControls, chainControls } from './controls/chain.ts'
import { type FaultControls, faultControls } from './controls/faults.ts'
import { type MiningControls, miningControls } from './controls/mining.ts'
import { type ReorgOptions, reorgOptions } from './controls/reorg.ts'
import { type TimeControls, timeControls } from './controls/time.ts'
import type { WalletControls } from './controls/wallet.ts'
import { type Diagnostics, diagnostics } from './diagnostics.ts'
import { createBus, type EmulatorEvents, outletOf, partsOf, publishTo, watchChainId } from './events.ts'
import { type Internals, keepInternals } from './internals.ts'
import { type EmulatorOptions, type ResolvedOptions, resolveOptions } from './options/options.ts'

/** A moment of the chain to come back to; it can be used any number of times. */
export interface Snapshot {
  /** Virtual time in milliseconds when it was taken; the time of the last command before it settled. */
  readonly takenAtMs: number
}

/** A method's request in the shape of EIP-1193. */
export interface RequestArguments<Name extends string = string, Params = unknown> {
  readonly method: Name
  readonly params?: Params
}

/** Any string where hex or a tag is wanted: an object that is held in a variable has its strings widened. */
type Widened<T> = T extends string
  ? T | (string & {})
  : T extends object
    ? { [Key in keyof T]: Widened<T[Key]> }
    : T

/** The parameters of a method that is known by name, and anything for another. */
type ParamsFor<Name extends string> = Name extends MethodName
  ? Readonly<Partial<Widened<ParamsOf<(typeof METHODS)[Name]>>>>
  : unknown
type ResultFor<Name extends string> = Promise<
  Name extends MethodName ? ResultOf<(typeof METHODS)[Name]> : unknown
>

/** Answers JSON-RPC requests; rejects with a `TickchainError` that has a JSON-RPC `code`. */
export interface RequestFunction {
  <Name extends MethodName | (string & {})>(request: RequestArguments<Name, ParamsFor<Name>>): ResultFor<Name>
  <Name extends MethodName | (string & {})>(method: Name, params?: ParamsFor<Name>): ResultFor<Name>
}

/**
 * A chain with its clock. Calls take effect in the order in which they are made, awaited or not.
 */
export interface Emulator
  extends AccountControls,
    ChainControls,
    Diagnostics,
    FaultControls,
    MiningControls,
    TimeControls,
    WalletControls {
  /** JSON-RPC, as EIP-1193 has it: `request({ method, params })`, or `request(method, params)`. */
  readonly request: RequestFunction
  /** JSON-RPC 2.0 envelopes: one request or a batch, text in and text out, or an object in and an object out. */
  readonly handle: {
    (body: string): Promise<string>
    (body: unknown): Promise<RpcReply>
  }
  /**
   * What the HTTP endpoint would answer, without a socket: a web-standard Request, or the arguments of the
   * platform's `fetch`, which it can stand in for.
   */
  readonly fetch: (input: WebRequest | string | object, init?: object) => Promise<WebResponse>
  /** What clients need to know in advance. */
  readonly settings: {
    readonly chainId: number
    readonly blockTimeMs: number
    readonly partialBlockTimeMs: number
    readonly predeploys: readonly Predeploy[]
  }
  /** Virtual time in milliseconds since the Unix epoch. */
  readonly now: number
  /**
   * Lets `ms` of virtual time pass: every partial block and seal that falls due is performed, in order.
   *
   * @throws TickchainError `invalidCall`, `timeOutOfRange` or `tooManySteps`; nothing has changed then
   */
  advance(ms: number): Promise<void>
  /**
   * Lands `ms` later, sealing at most one block. It has the time of the landing, unless it holds pre-confirmed
   * transactions, which have seen its time already. Throws as `advance` does.
   */
  jump(ms: number): Promise<void>
  /** Goes to the next step that is due and performs it. */
  next(): Promise<void>
  /** Seals the block being built, with all that still fits into it; the clock follows to its timestamp. */
  seal(): Promise<void>
  /**
   * Replaces the last `depth` blocks. Logs of theirs are told as removed, their transactions return to the pool
   * in their order, and as many new blocks are sealed in their place, empty unless `blocks` says otherwise.
   *
   * @throws TickchainError `invalidCall`, `reorgTooDeep`, `unknownTransaction` or `replacementNotExecutable`;
   * nothing has changed then
   */
  reorg(options: ReorgOptions): Promise<void>
  /** A handle to the chain as it is: clock, blocks, pool and all. Costs nothing, however large the chain. */
  snapshot(): Snapshot
  /**
   * Goes back to a snapshot of this emulator or of one it was cloned from; or on to it, if it is of later. Whoever
   * listens is told: logs of the blocks that are gone are removed, blocks that come back are sealed anew.
   *
   * @throws TickchainError `unknownSnapshot`
   */
  revert(snapshot: Snapshot): Promise<void>
  /** An independent emulator that starts as this one is. Costs nothing, however large the chain. */
  clone(): Emulator
  /**
   * Calls `listener` whenever the event happens, before the call that caused it resolves. EIP-1193's `connect`,
   * `disconnect` and `accountsChanged` may be listened to and never happen: an emulator is connected from its
   * creation on, with the same accounts.
   */
  on<Name extends keyof EmulatorEvents>(event: Name, listener: (payload: EmulatorEvents[Name]) => void): this
  on(event: string, listener: (payload: never) => void): this
  /** Undoes one `on` with the same listener. */
  removeListener(event: string, listener: (payload: never) => void): this
  /** Ends the emulator: listeners are dropped, and every later call is refused with `disposed`. */
  dispose(): void
}

/** The states of snapshot handles. The configuration is shared by an emulator and its clones, and by no other. */
const snapshots = new WeakMap<Snapshot, { readonly config: unknown; readonly state: Promise<NodeState> }>()

type AnyListener = (payload: never) => void

/** The entries for JSON-RPC. */
function wireOf(session: Session): Pick<Emulator, 'request' | 'handle' | 'fetch'> {
  // handle and fetch have no connection to push messages over.
  const endpoint: Session = { ...session, canPush: false }
  return {
    request: (async (first: unknown, second?: unknown) => {
      if (typeof first === 'string') return dispatch(session, first, second)
      if (typeof first !== 'object' || first === null) {
        throw failure('invalidRequest', { reason: 'expected an object with method and params' })
      }
      const { method, params } = first as RequestArguments
      return dispatch(session, method, params)
    }) as RequestFunction,
    handle: (async (body: unknown) =>
      typeof body === 'string'
        ? answerText(endpoint, body)
        : answerBody(endpoint, body)) as Emulator['handle'],
    fetch: (input, init) => answerFetch(endpoint, input, init),
  }
}

/** The members that belong to no group of controls. */
type OwnMembers = Pick<
  Emulator,
  | 'settings'
  | 'now'
  | 'advance'
  | 'jump'
  | 'next'
  | 'seal'
  | 'reorg'
  | 'snapshot'
  | 'revert'
  | 'clone'
  | 'on'
  | 'removeListener'
  | 'dispose'
>

function makeEmulator(
  options: Pick<ResolvedOptions, 'rpc' | 'predeploys'>,
  customErrors: CustomErrors,
  makeNode: (publish: (event: NodeEvent) => void) => Node,
): Emulator {
  const bus = createBus()
  const watchers: Internals['watchers'] = new Set([(event) => gatherBlocks(session.filters, event)])
  const tell = (event: NodeEvent): void => {
    notify(session, event)
    publishTo(bus, event)
  }
  const node = makeNode((event) => {
    for (const watch of watchers) watch(event)
    tell(event)
    tellChainId(event)
    for (const part of partsOf(session, bus, event)) tell(part)
  })
  const { config } = node
  const tellChainId = watchChainId(bus, node.state.settings.chainId)
  const session = createSession(node, options.rpc, outletOf(bus), customErrors)
  const own: OwnMembers = {
    get settings() {
      const { chainId, blockTimeMs, partialBlockTimeMs } = node.state.settings
      return { chainId, blockTimeMs, partialBlockTimeMs, predeploys: options.predeploys }
    },
    get now() {
      return node.state.nowMs
    },
    advance: (ms) => node.execute((state) => advanceClock(config, state, ms)),
    jump: (ms) => node.execute((state) => jumpClock(config, state, ms)),
    next: () => node.execute((state) => advanceToNext(config, state)),
    seal: () => node.execute((state) => sealBlockNow(config, state)),
    reorg: (options) =>
      node.execute((state) => reorganise(config, state, argument('reorg', 'options', options, reorgOptions))),
    snapshot() {
      const snapshot: Snapshot = Object.freeze({ takenAtMs: node.state.nowMs })
      const state = node.read((current) => current)
      // If the emulator is disposed of, revert() reports it.
      state.catch(() => undefined)
      snapshots.set(snapshot, { config, state })
      return snapshot
    },
    async revert(snapshot) {
      const saved = snapshots.get(snapshot)
      if (saved === undefined || saved.config !== config) throw failure('unknownSnapshot')
      await node.execute(async (state) => replaceState(state, await saved.state))
    },
    clone: () => makeEmulator(options, session.abis.customErrors, (publish) => node.clone(publish)),
    on(event: string, listener: AnyListener) {
      if (typeof listener !== 'function') refuseCall('on', 'a function', listener)
      // Unknown events are allowed: provider interfaces have more than this emulator emits.
      bus.on(event as never, listener as never)
      return emulator
    },
    removeListener(event, listener) {
      bus.removeListener(event as never, listener as never)
      return emulator
    },
    dispose() {
      node.dispose()
      abandonWaiters(session.waiters)
      abandonAnswers(session.heldAnswers)
      bus.clear()
    },
  }
  // Object.assign, as spreads of a hundred functions take eight times as long and every clone pays for them.
  const controlled = Object.assign(own, accountControls(node), chainControls(node), timeControls(node))
  const observed = Object.assign(
    controlled,
    miningControls(node),
    faultControls(session),
    diagnostics(session),
  )
  const emulator: Emulator = Object.assign(observed, wireOf(session))
  keepInternals(emulator, { session, watchers })
  return emulator
}

async function loadDump(config: NodeConfig, created: NodeState, bytes: Uint8Array): Promise<NodeState> {
  const { loadState } = await import('../node/control/dump.ts')
  return loadState(config, created, bytes).state
}

/**
 * Makes a chain. No options is a good chain: interval production on a virtual clock that starts on
 * 2024-01-01, ten funded accounts, prague rules.
 *
 * @throws TickchainError `invalidOption`, naming the option and what was expected; `undecodableState`
 * @example
 * const chain = await createEmulator()
 * const [from, to] = await chain.request({ method: 'eth_accounts' })
 * await chain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
 * await chain.advance(200) // pre-confirmed
 * await chain.advance(1800) // sealed
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const resolved = resolveOptions(options)
  await loadCrypto()
  const { config, state: created } = await bootstrap(resolved)
  const state = resolved.state === undefined ? created : await loadDump(config, created, resolved.state)
  const customErrors = withErrors(NO_CUSTOM_ERRORS, resolved.customErrors)
  return makeEmulator(resolved, customErrors, (publish) => new Node(config, state, publish))
}
