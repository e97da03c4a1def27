// The cloned chain of a run, and a digest of all that its later answers may depend on.

import { blockAt } from '../../../core/chain/chain.ts'
import { dumpOpenBlock } from '../../../core/chain/dump/block.ts'
import type { Emulator } from '../../../core/emulator/api.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import type { NodeState } from '../../../core/node/node-state.ts'
import { dumpRollup } from '../../../core/node/rollup/dump.ts'
import { keccakOfText } from '../../../core/primitives/crypto.ts'
import { bytesToHex, type Hash } from '../../../core/primitives/hex.ts'
import { PersistentMap } from '../../../core/primitives/persistent-map.ts'
import { expectPolls } from '../../../core/rpc/events/stalled-waits.ts'
import { stateRoot } from '../../../core/state/state-tries.ts'
import type { Rollup } from '../../pair/rollup.ts'
import { sum } from '../parts.ts'

/** The subject of an exploration: a chain, or a layer 1 with its layers 2, of which the adversary acts on the first. */
export type Explorable = Emulator | Rollup

export type StageLayer = ReturnType<typeof layerOf>

export interface Stage {
  readonly chain: Explorable
  /** The chain of the application: of a pair, the first layer 2. */
  readonly layer2: StageLayer
  readonly layers: readonly StageLayer[]
  readonly rollup: Rollup | undefined
  /** The heads when exploring began; what is below is not replaced. */
  readonly floors: { readonly layer1: number; readonly layer2: number }
}

/** A layer; a sole one has no name. */
function layerOf(call: string, name: '' | 'L1' | 'L2', emulator: Emulator) {
  const { session } = internalsOf(call, emulator)
  // The adversary moves the clock.
  expectPolls(session.node)
  return { name, emulator, session }
}

export function isRollup(chain: Explorable): chain is Rollup {
  return typeof chain === 'object' && chain !== null && 'l2' in chain
}

export function stateOf({ session }: StageLayer): NodeState {
  return session.node.state
}

/** A chain to explore. Throws `invalidCall` for anything but an emulator or a pair, `disposed`. */
export async function openStage(call: string, chain: Explorable): Promise<Stage> {
  const stage = stageOf(call, chain)
  for (const { session } of stage.layers) await session.node.read(() => undefined)
  return stage
}

/** Throws `invalidCall`. */
export function stageOf(call: string, chain: Explorable, floors?: Stage['floors']): Stage {
  const rollup = isRollup(chain) ? chain : undefined
  const layer2 = layerOf(call, rollup === undefined ? '' : 'L2', rollup?.l2 ?? (chain as Emulator))
  const layers = rollup === undefined ? [layer2] : [layerOf(call, 'L1', rollup.l1), layer2]
  const headOf = (layer: StageLayer): number => stateOf(layer).chain.head.header.number
  const heads = { layer1: headOf(layers[0] as StageLayer), layer2: headOf(layer2) }
  return { chain, layer2, layers, rollup, floors: floors ?? heads }
}

export function cloneStage({ chain, floors }: Stage): Stage {
  return stageOf('clone', chain.clone(), floors)
}

/** Lets time pass up to the next partial block or block; without blocks on the clock, seals one. */
export async function wait({ chain, layer2 }: Stage, until: 'partial' | 'block'): Promise<void> {
  const { settings } = stateOf(layer2)
  // A stopped sequencer of a pair seals nothing either.
  if (!settings.sealsOnTime && !isRollup(chain)) await layer2.emulator.seal()
  else if (until === 'partial') await chain.next()
  else await chain.advance(settings.blockTimeMs)
}

/** Microtasks in a row after which code that goes on by itself has asked the chain, or has ended. */
const QUIET_MICROTASKS = 64

/** The most rounds in which an application asks the chain while the clock stands still. */
const MOST_ROUNDS = 2000

export type Activity = ReturnType<typeof watchActivity>

/** The number of requests and waits of the chain that only end when the clock moves. */
export function countWaiting({ layers }: Stage): number {
  return sum(layers, ({ session: { heldAnswers, inclusionWaits } }) => heldAnswers.size + inclusionWaits.size)
}

async function passMicrotasks({ layers }: Stage): Promise<void> {
  for (let turn = 0; turn < QUIET_MICROTASKS; turn++) await undefined
  for (const { session } of layers) await session.node.read(() => undefined)
}

/** Watches the application of a run; before it is made, so that its clients take the watched functions. */
export function watchActivity(stage: Stage) {
  let running = 0
  let changes = 0
  let isStopped = false
  /** Listeners that were added since the first of the present actions began, and not removed. */
  const listeners = new Set<unknown>()
  let tell = (): void => {}
  const change = (by: number): void => {
    running += by
    changes++
    tell()
  }
  /** Counts something that has begun, and resolves as it does. */
  const track = <Value>(promise: Promise<Value>): Promise<Value> => {
    change(1)
    const end = (): void => change(-1)
    promise.then(end, end)
    return isStopped ? new Promise(() => {}) : promise
  }
  for (const { emulator } of stage.layers) {
    for (const name of ['request', 'handle', 'fetch'] as const) {
      const call = emulator[name] as (...args: never[]) => Promise<unknown>
      Object.assign(emulator, { [name]: (...args: never[]) => track(call(...args)) })
    }
    const { on, removeListener } = emulator
    Object.assign(emulator, {
      on(event: string, listener: (payload: never) => void) {
        on.call(emulator, event, listener)
        listeners.add(listener)
        return emulator
      },
      removeListener(event: string, listener: (payload: never) => void) {
        removeListener.call(emulator, event, listener)
        listeners.delete(listener)
        return emulator
      },
    })
  }
  return {
    track,
    beginAction: (): void => listeners.clear(),
    /** True if something may wait for an event of a chain, which only comes when the clock moves. */
    awaitsEvent: (): boolean => running > 0 && listeners.size > 0,
    /** Ends a run that does not end by itself: from now on no request is answered. */
    stop(): void {
      isStopped = true
    },
    /** Resolves when all is at rest; to false if the application asks on and on. */
    async rest(): Promise<boolean> {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const before = changes
        const changed = new Promise<void>((resolve) => {
          tell = resolve
        })
        await passMicrotasks(stage)
        if (changes !== before) continue
        if (running === 0 || countWaiting(stage) + listeners.size > 0) return true
        await changed
      }
      return false
    },
  }
}

/** Numbers functions and other values without contents: equal only if they are the same. */
export type Identities = ReturnType<typeof createIdentities>

export function createIdentities() {
  const numbers = new Map<object, number>()
  return (value: object): number => {
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return number
  }
}

/** A replacer of JSON for the values in a state. */
function plain(identities: Identities) {
  return (_: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`
    if (typeof value === 'function') return identities(value)
    if (value instanceof Uint8Array) return bytesToHex(value)
    if (value instanceof Set || value instanceof Map) return [...value]
    // Its order depends on how it came about.
    if (value instanceof PersistentMap) return [...value.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
    return value
  }
}

/** The sealed blocks that may differ, with their states, which edits change. */
function blocksOf({ chain }: NodeState, floor: number): string[] {
  const { number } = chain.head.header
  const numbers = Array.from({ length: Math.max(0, number - floor) }, (_, index) => floor + 1 + index)
  const above = numbers.flatMap((each) => blockAt(chain, each) ?? [])
  return [chain.head.hash, ...above.map(({ hash, committed }) => `${hash}:${stateRoot(committed)}`)]
}

function partsOf(state: NodeState, floor: number, identities: Identities): unknown {
  const { chain, pool, settings, rollup, prevRandaoSource } = state
  const { nowMs, openedAtMs, partialsClosed, shiftedMs, nextTimestamp, controls } = state
  const waiting = [...pool.byHash.values()].sort((a, b) => a.arrival - b.arrival)
  const open = chain.open ?? rollup?.opening
  return {
    clock: [nowMs, openedAtMs, partialsClosed, shiftedMs, nextTimestamp],
    blocks: blocksOf(state, floor),
    root: stateRoot(chain.head.committed),
    open: open === undefined ? undefined : dumpOpenBlock(open),
    edits: open?.edits === undefined ? undefined : identities(open.edits),
    pool: waiting.map(({ transaction, cost }) => [transaction.hash, cost]),
    replaced: [...pool.replaced.entries()].map(([hash]) => hash).sort(),
    prevRandao: prevRandaoSource.prevRandao,
    settings,
    controls,
    rollup: rollup === undefined ? undefined : [dumpRollup(rollup), rollup.isOpeningTold],
  }
}

/** The snapshots that a test has taken. */
function recordsOf({ layers }: Stage, identities: Identities): Promise<unknown[]> {
  return Promise.all(
    layers.map(({ session }) =>
      session.node.read((_, { snapshots, lastSnapshotNumber, resetCount }) => [
        ...[lastSnapshotNumber, resetCount],
        ...[...snapshots.entries()].map(([number, state]) => [number, identities(state)]),
      ]),
    ),
  )
}

export async function digestOf(stage: Stage, identities: Identities): Promise<Hash> {
  const { layers, floors } = stage
  const parts = layers.map((layer, index) => {
    const isLayer1 = index === 0 && layers.length > 1
    return partsOf(stateOf(layer), isLayer1 ? floors.layer1 : floors.layer2, identities)
  })
  const roles = layers.map(({ emulator }) => internalsOf('explore', emulator).roles?.())
  const all = [parts, roles, await recordsOf(stage, identities)]
  return keccakOfText(JSON.stringify(all, plain(identities)))
}
