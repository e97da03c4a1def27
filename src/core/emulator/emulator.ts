// The emulator: all layers assembled. It keeps no state of its own.

import { NO_CUSTOM_ERRORS, withErrors } from '../execution/result/console-log.ts'
import { advanceClock, advanceToNext, jumpClock } from '../node/clock/clock.ts'
import { replaceState } from '../node/control/replace-state.ts'
import type { NodeEvent } from '../node/events.ts'
import { Node } from '../node/node.ts'
import { type NodeState, scheduleIn } from '../node/node-state.ts'
import { sealBlockNow } from '../node/production/block-production.ts'
import { withOpening } from '../node/rollup/opening.ts'
import { loadCrypto } from '../primitives/crypto.ts'
import { failure, readArgument, TickchainError } from '../primitives/errors.ts'
import { load } from '../primitives/loading.ts'
import { isSubscriptionKind } from '../rpc/codecs/filter.ts'
import { dispatch } from '../rpc/dispatch.ts'
import { answerBody, answerText, membersOf, openConnection } from '../rpc/envelope.ts'
import { gatherBlocks } from '../rpc/events/filters.ts'
import { notify } from '../rpc/events/notify.ts'
import { abandonWaits } from '../rpc/events/waits.ts'
import { answerFetch, isHandshakeAllowed } from '../rpc/fetch.ts'
import { createSession, type HardhatDecoding, type KnownContracts, type Session } from '../rpc/session.ts'
import { withMissesLoaded } from '../state/overlay-map.ts'
import type { Emulator, RequestFunction, Snapshot } from './api.ts'
import { bootstrap } from './bootstrap.ts'
import { refuseCall } from './checks.ts'
import { accountControls } from './controls/accounts.ts'
import { chainControls } from './controls/chain.ts'
import { controlsOf } from './controls/define.ts'
import { faultControls } from './controls/faults.ts'
import { forkControls, forkInfo } from './controls/fork.ts'
import { miningControls } from './controls/mining.ts'
import { rollupControls } from './controls/rollup.ts'
import { subscriptionControls } from './controls/subscriptions.ts'
import { timeControls } from './controls/time.ts'
import { walletControls } from './controls/wallet.ts'
import { creationDefaults } from './creation.ts'
import * as emulatorEvents from './events.ts'
import { reportListener } from './events.ts'
import { FOREIGN_CALLS_REFUSED } from './foreign-calls.ts'
import type { RealLayer1 } from './found-rollup.ts'
import { type Internals, internalsOf, keepInternals } from './internals.ts'
import { customErrors as abiErrors } from './options/accounts.ts'
import { type EmulatorOptions, type ResolvedOptions, resolveOptions } from './options/options.ts'
import { diagnostics, traceControls } from './tracing.ts'

/** The states of snapshot handles. The configuration is shared by an emulator and its clones, and by no other. */
const snapshots = new WeakMap<Snapshot, { readonly config: unknown; readonly state: Promise<NodeState> }>()

function wireOf(
  session: Session,
  bus: ReturnType<typeof emulatorEvents.createBus>,
): Pick<Emulator, 'request' | 'handle' | 'fetch' | 'connect' | 'acceptsHandshake'> {
  // handle and fetch have no connection to push messages over.
  const endpoint: Session = { ...session, canPush: false }
  return {
    request: (async (first: unknown, second?: unknown) => {
      if (typeof first === 'string') return dispatch(session, first, second)
      const { method, params } = membersOf(first)
      return dispatch(session, method, params)
    }) as RequestFunction,
    handle: (async (body: unknown) =>
      typeof body === 'string'
        ? answerText(endpoint, body)
        : answerBody(endpoint, body)) as Emulator['handle'],
    fetch: (input, init) => answerFetch(endpoint, input, init),
    acceptsHandshake(request) {
      return readArgument('acceptsHandshake', 'a request with headers', () => {
        const headers: unknown = request?.headers
        if (typeof headers !== 'object' || headers === null)
          refuseCall('acceptsHandshake', 'a request with headers', request)
        return isHandshakeAllowed(session.options, request.headers)
      })
    },
    connect(send) {
      if (typeof send !== 'function') refuseCall('connect', 'a function', send)
      return openConnection(session, (text) => {
        try {
          send(text)
        } catch (error) {
          reportListener(bus, error, 'message')
        }
      })
    },
  }
}

function listenersOf(
  bus: ReturnType<typeof emulatorEvents.createBus>,
  emulator: () => Emulator,
): Pick<Emulator, 'on' | 'removeListener'> {
  return {
    on(event: string, listener: (payload: never) => void) {
      if (typeof listener !== 'function') refuseCall('on', 'a function', listener)
      if (isSubscriptionKind(event)) refuseCall('on', `an event, and for ${event} chain.subscribe`, event)
      const meant = emulatorEvents.misspeltEvent(event)
      if (meant !== undefined) refuseCall('on', `an event, such as ${meant}`, event)
      // Other unknown events are allowed: provider interfaces have more than this emulator emits.
      bus.on(event as never, listener as never)
      return emulator()
    },
    removeListener(event, listener) {
      bus.removeListener(event as never, listener as never)
      return emulator()
    },
  }
}

type Present = Pick<Emulator, 'settings' | 'now' | 'fork'>

/** Shared getters: V8 keeps those of a literal until a full garbage collection, and with them every clone. */
const PRESENT: PropertyDescriptorMap = Object.getOwnPropertyDescriptors<Present>({
  get settings() {
    const { session, predeploys } = internalsOf('settings', this)
    const { state } = session.node
    const { chainId, blockTimeMs, partialBlockTimeMs } = state.settings
    const settings = { chainId, blockTimeMs, partialBlockTimeMs, predeploys }
    if (state.rollup === undefined) return settings
    const { stack, l1ChainId } = state.rollup.config
    return { ...settings, rollup: { stack, l1ChainId } }
  },
  get now() {
    return internalsOf('now', this).session.node.state.nowMs
  },
  get fork() {
    return forkInfo(internalsOf('fork', this).session.node.state.chain.fork)
  },
})

/** The functions that run commands. One table: a clone gets all of them at once. */
const CONTROLS = {
  ...accountControls,
  ...walletControls,
  ...chainControls,
  ...timeControls,
  ...miningControls,
  ...rollupControls,
  ...faultControls,
}

function makeEmulator(
  options: Pick<ResolvedOptions, 'rpc' | 'predeploys'>,
  known: KnownContracts,
  hardhat: HardhatDecoding | undefined,
  makeNode: (publish: (event: NodeEvent) => void) => Node,
): Emulator {
  const bus = emulatorEvents.createBus()
  const watchers: Internals['watchers'] = new Set([(event) => gatherBlocks(session.filters, event)])
  const endings: Internals['endings'] = new Set()
  const tell = (event: NodeEvent): void => {
    notify(session, event)
    emulatorEvents.publishTo(bus, event)
  }
  const node = makeNode((event) => {
    for (const watch of watchers) watch(event)
    tell(event)
    tellChainId(event)
    for (const part of emulatorEvents.expandEvent(session, bus, event)) tell(part)
  })
  const tellChainId = emulatorEvents.watchChainId(bus, node.state.settings.chainId)
  const session = createSession(node, options.rpc, hardhat, emulatorEvents.outletOf(bus), known)
  const own = {
    advance: (ms) => node.execute((state, _, commit) => advanceClock(state, ms, commit)),
    jump: (ms) => node.execute((state) => jumpClock(state, ms)),
    next: () => node.execute(advanceToNext),
    seal: () => node.execute(sealBlockNow),
    snapshot() {
      const snapshot: Snapshot = Object.freeze({ takenAtMs: node.state.nowMs })
      const state = node.read((current) => current)
      // If the emulator is disposed of, revert() reports it.
      state.catch(() => undefined)
      snapshots.set(snapshot, { config: node.config, state })
      return snapshot
    },
    async revert(snapshot) {
      const saved = snapshots.get(snapshot)
      if (typeof snapshot !== 'object' || snapshot === null)
        refuseCall('revert', 'what chain.snapshot() has returned, not an id of evm_snapshot', snapshot)
      if (saved === undefined || saved.config !== node.config) throw failure('unknownSnapshot')
      await node.execute(async (state) => replaceState(state, await saved.state))
    },
    clone: () => makeEmulator(options, { ...session.known }, hardhat, (publish) => node.clone(publish)),
    dispose() {
      node.dispose()
      for (const waits of [session.inclusionWaits, session.heldAnswers]) abandonWaits(waits)
      bus.clear()
      for (const end of endings) end()
    },
  } satisfies Partial<Emulator>
  // Object.assign, because spreads of a hundred functions take eight times as long, for every clone.
  const present: Present = Object.create(FOREIGN_CALLS_REFUSED, PRESENT)
  const functions = Object.assign(present, own, controlsOf(session, CONTROLS), forkControls(node))
  const subscribing = subscriptionControls(session, (error) => reportListener(bus, error, 'message'))
  const observed = Object.assign(functions, diagnostics(session), traceControls(session), subscribing)
  const listening = listenersOf(bus, () => emulator)
  const emulator: Emulator = Object.assign(observed, listening, wireOf(session, bus))
  keepInternals(emulator, { session, predeploys: options.predeploys, watchers, endings })
  return emulator
}

export async function withOptionsExplained<Value>(
  resolve: () => Value | Promise<Value>,
  explainer: KnownContracts['explainer'],
): Promise<Value> {
  try {
    return await resolve()
  } catch (error) {
    const isOfOption = error instanceof TickchainError && error.kind === 'invalidOption'
    throw isOfOption ? (await explainer()).explainOption(error) : error
  }
}

/**
 * Creates an emulator.
 *
 * @param explainer loads the tools that read compiled contracts
 * @param layer1 of a rollup over a real layer 1, which tells it its L1 blocks
 */
export async function assembleEmulator(
  options: EmulatorOptions,
  explainer: KnownContracts['explainer'],
  layer1?: RealLayer1,
): Promise<Emulator> {
  const resolved = await withOptionsExplained(() => resolveOptions(options), explainer)
  await loadCrypto()
  let state = await bootstrap(resolved, layer1)
  if (resolved.state !== undefined) {
    const { loadState } = await import('../node/control/dump.ts')
    state = (await loadState(state, resolved.state)).state
  }
  try {
    state = await withMissesLoaded(() => withOpening(state))
  } catch (error) {
    // On a fork it is read ahead: what is refused is asked for again by what needs it.
    const isRefused = error instanceof TickchainError && error.kind === 'upstreamFailed'
    if (state.chain.fork === undefined || !isRefused) throw error
  }
  const defaults = creationDefaults()
  // A chain has native contracts, if it has them now or later.
  const hasNatives = scheduleIn(state).activations.some(({ rollup }) => rollup?.changes.natives)
  const natives = hasNatives ? (await load(import('../rollup/base/natives.ts'))).KNOWN_NATIVES : undefined
  if (defaults !== undefined) state.config.probes.add(defaults.probe)
  const own = abiErrors.decode(natives?.all ?? [], 'natives')
  const errors = [...own, ...(defaults?.customErrors.values() ?? []), ...resolved.customErrors]
  const customErrors = withErrors(NO_CUSTOM_ERRORS, errors)
  const known = { customErrors, contracts: defaults?.contracts, natives, labels: new Map(), explainer }
  const hardhat =
    resolved.rpc.flavor === 'hardhat' ? await load(import('../rpc/flavor/hardhat-requests.ts')) : undefined
  return makeEmulator(resolved, known, hardhat, (publish) => new Node(state, publish))
}
