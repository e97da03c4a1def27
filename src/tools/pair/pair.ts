// The nodes of a pair as one: every command of one of them is followed by what it means for the others.

import { momentOf } from '../../core/chain/block/block.ts'
import { blockAt } from '../../core/chain/chain.ts'
import { checkDuration, jumpClock, moveClock } from '../../core/node/clock/clock.ts'
import { replaceState } from '../../core/node/control/replace-state.ts'
import type { NodeEvent, Outcome } from '../../core/node/events.ts'
import { type Follow, type Joint, Node, proveRoots } from '../../core/node/node.ts'
import type { NodeState } from '../../core/node/node-state.ts'
import { withOpening } from '../../core/node/rollup/opening.ts'
import { failure } from '../../core/primitives/errors.ts'
import { withMissesLoaded } from '../../core/state/overlay-map.ts'
import { jumpAll, jumpTo, nextStepAt, runTo } from './clock.ts'
import type { ChainState, Derived, PairConfig, PairState } from './pair-state.ts'
import { type Layer, PairSteps } from './pair-steps.ts'
import { withOriginFree } from './relay.ts'

/** Holds the pair's state in the states of all its nodes, so that a snapshot of one is a snapshot of all. */
interface PairJoint {
  pair: PairState
}

function pairOf(state: NodeState): PairState {
  return (state.joint as PairJoint).pair
}

/** Puts a pair's state into the states of its nodes. */
function joined({ l1, chains }: PairState): PairState {
  const joint: Partial<PairJoint> = {}
  joint.pair = {
    l1: { ...l1, joint },
    chains: chains.map((chain) => ({ ...chain, l2: { ...chain.l2, joint } })),
  }
  return joint.pair
}

/** The nodes of a pair: the layer 1, and the layers 2 in their order. */
export interface PairNodes {
  readonly l1: Node
  readonly chains: readonly Node[]
}

export interface Pair {
  readonly config: PairConfig
  readonly nodes: PairNodes
  /** Runs a command on all layers; time may pass. */
  execute(command: (steps: PairSteps, commit: () => Promise<void>) => Promise<void>): Promise<void>
}

function nodeOf({ l1, chains }: PairNodes, layer: Layer): Node {
  return layer === 'l1' ? l1 : (chains[layer] as Node)
}

function statesOf({ l1, chains }: PairState): ReadonlyMap<Layer, NodeState> {
  return new Map<Layer, NodeState>([['l1', l1], ...chains.map(({ l2 }, index) => [index, l2] as const)])
}

function toJoint(nodes: PairNodes, pair: PairState, events: readonly (readonly [Layer, NodeEvent])[]): Joint {
  return {
    states: [...statesOf(pair)].map(([layer, state]) => [nodeOf(nodes, layer), state]),
    events: events.map(([layer, event]) => [nodeOf(nodes, layer), event]),
  }
}

/** The steps as they stand, to commit: each state with its opening, and on forks with the roots that are proven. */
async function completed(steps: PairSteps): Promise<PairState> {
  const { l1 } = steps.pair
  const eventsOf = (layer: Layer) => steps.events.flatMap(([of, event]) => (of === layer ? [event] : []))
  const prove = async (layer: Layer, state: NodeState): Promise<void> => {
    if (state.chain.fork !== undefined) await proveRoots({ state, events: eventsOf(layer) })
  }
  await prove('l1', l1)
  const chains = await Promise.all(
    steps.pair.chains.map(async (chain, index) => {
      const l2 = await withMissesLoaded(() => withOpening(chain.l2))
      await prove(index, l2)
      return { ...chain, l2 }
    }),
  )
  steps.pair = joined({ l1, chains })
  return steps.pair
}

/**
 * Shifts the other layers' clocks by what evm_increaseTime or evm_setTime has shifted one. If that is a layer 2, the
 * layer 1 makes a block, because a layer 2 that is far ahead of its origin may not include transactions.
 */
async function followShift(steps: PairSteps, layer: Layer, shiftMs: number): Promise<void> {
  const others = (['l1', ...steps.indices] as const).filter((other) => other !== layer)
  const isBackward = shiftMs < 0
  for (const other of others) {
    const state = steps.stateOf(other)
    const leastMs = momentOf(state.chain.head)
    // A clock is never before its head, so only a shift back can come before it.
    if (state.nowMs + shiftMs < leastMs)
      throw failure('clockBeforeHead', { seconds: (state.nowMs + shiftMs) / 1000, least: leastMs / 1000 })
    if (other === 'l1' && !isBackward) steps.add(other, await jumpClock(state, shiftMs))
    else steps.setState(other, moveClock(state, shiftMs))
  }
}

/** Replaces the states of all nodes, where that of one is replaced by an earlier or later one of the pair. */
function replaced(
  nodes: PairNodes,
  from: PairState,
  to: PairState,
  layer: Layer,
  outcome: Outcome<unknown>,
): Joint {
  const events = outcome.events.map((event): [Layer, NodeEvent] => [layer, event])
  const after = statesOf(to)
  for (const [other, state] of statesOf(from)) {
    if (other === layer) continue
    const replacement = replaceState(state, after.get(other) as NodeState)
    for (const event of replacement.events) events.push([other, event])
  }
  return toJoint(nodes, to, events)
}

/** Throws for a change of L2 blocks that follow from the layer 1: a test reorganises the layer 1 instead. */
function expectSafe({ chains }: PairState, after: PairState): void {
  for (const [index, { l2, derived, lastDerived }] of chains.entries()) {
    const { safe } = derived.get(lastDerived) as Derived
    const now = blockAt((after.chains[index] as ChainState).l2.chain, safe)
    if (now?.hash !== blockAt(l2.chain, safe)?.hash)
      throw failure('layersApart', { reason: `block ${safe} of the layer 2 follows from the layer 1` })
  }
}

/** Throws for another chain than the one that the layers 2 follow from. */
function expectOrigin({ l1 }: PairState, after: PairState): void {
  const { first } = l1.chain
  if (blockAt(after.l1.chain, first)?.hash !== blockAt(l1.chain, first)?.hash)
    throw failure('layersApart', { reason: 'the layer 2 begins with another block of the layer 1' })
}

/** Seconds from block to block, on average, of what a layer has added to its chain. */
function secondsPerBlock({ chain: { head: before } }: NodeState, { chain: { head } }: NodeState): number {
  const count = head.header.number - before.header.number
  return count > 0 ? (head.header.timestamp - before.header.timestamp) / count : 0
}

/**
 * Brings the other layers to the time of the one that has gone ahead. If its blocks lie further apart than a block may
 * be from its L1 origin, as after evm_setNextBlockTimestamp, the others land there with one block each, too.
 */
async function catchUp(steps: PairSteps, layer: Layer, before: NodeState): Promise<void> {
  const mostS = Math.max(...steps.config.chains.map(({ rules }) => rules.maxSequencerDriftS))
  const isLeap = secondsPerBlock(before, steps.stateOf(layer)) > mostS
  await (isLeap ? jumpAll : runTo)(steps, steps.latestMs)
}

async function follow(config: PairConfig, nodes: PairNodes, node: Node, outcome: Outcome<unknown>) {
  const before = pairOf(node.state)
  const layer: Layer = node === nodes.l1 ? 'l1' : nodes.chains.indexOf(node)
  const named = pairOf(outcome.state.joint === undefined ? node.state : outcome.state)
  // A state that was changed since holds the pair from before.
  const isCommitted = statesOf(named).get(layer) === outcome.state
  if (isCommitted) return replaced(nodes, before, named, layer, outcome)
  const steps = new PairSteps(config, before)
  const shiftMs = outcome.state.shiftedMs - node.state.shiftedMs
  steps.add(layer, outcome)
  if (layer === 'l1') expectOrigin(before, steps.pair)
  else expectSafe(before, steps.pair)
  if (shiftMs !== 0) await followShift(steps, layer, shiftMs)
  const isAlone = layer !== 'l1' && shiftMs === 0 && steps.earliestMs === steps.latestMs
  if (!isAlone) await catchUp(steps, layer, node.state)
  // A block that begins at another time may have another origin.
  if (shiftMs !== 0)
    for (const index of steps.indices) steps.setState(index, withOriginFree(steps.stateOf(index)))
  const pair = await completed(steps)
  return toJoint(nodes, pair, steps.takeEvents())
}

/** The state of batchers, proposers and derivation, beside the states of the layers. */
export function rolesOf({ nodes }: Pair): unknown {
  const { chains } = pairOf(nodes.l1.state)
  return chains.map(({ batcher, proposer, stopped, lastRead, lastDerived, derived }) => {
    const last = derived.get(lastDerived)
    return { batcher, proposer, stopped, lastRead, lastDerived, safe: last?.safe, channel: last?.channel }
  })
}

/** Binds nodes to a pair. `initial` is the state of nodes that are new; those of a clone have theirs. */
export function bindPair(config: PairConfig, nodes: PairNodes, initial?: PairState): Pair {
  const states = initial && [...statesOf(joined(initial)).values()]
  const followed: Follow = async (node, outcome) =>
    withMissesLoaded(() => follow(config, nodes, node, outcome))
  Node.bind([nodes.l1, ...nodes.chains], followed, states)
  return {
    config,
    nodes,
    execute: (command) =>
      nodes.l1.executeJointly(async (commit) => {
        let before = pairOf(nodes.l1.state)
        const steps = new PairSteps(config, before)
        const commitSteps = async (): Promise<void> => {
          if (steps.pair === before) return
          before = await completed(steps)
          commit(toJoint(nodes, before, steps.takeEvents()))
        }
        await command(steps, commitSteps)
        await commitSteps()
      }),
  }
}

/** Throws `tooManySteps` if a layer would have more blocks than a call may make. */
function checkSteps({ pair: { l1, chains } }: PairSteps, ms: number): void {
  for (const { settings, config } of [l1, ...chains.map(({ l2 }) => l2)]) {
    const most = config.stepsPerCall
    const steps = settings.sealsOnTime ? Math.ceil(ms / settings.blockTimeMs) : 0
    if (steps > most) throw failure('tooManySteps', { call: 'advance', steps, most })
  }
}

export function clockOf({ execute }: Pair) {
  return {
    advance: (ms: number) =>
      execute(async (steps, commit) => {
        checkDuration('advance', steps.latestMs, ms)
        checkSteps(steps, ms)
        await runTo(steps, steps.latestMs + ms, commit)
      }),
    jump: (ms: number) =>
      execute(async (steps) => {
        checkDuration('jump', steps.latestMs, ms)
        await jumpTo(steps, steps.latestMs + ms)
      }),
    next: () =>
      execute(async (steps, commit) => {
        const atMs = nextStepAt(steps)
        if (atMs === undefined) return
        checkDuration('next', atMs, 0)
        await runTo(steps, atMs, commit)
      }),
  }
}
