// The node: the one mutable reference to the chain's state, and the queue in which commands and reads take turns.

import { sealBlock } from '../chain/block/block.ts'
import { type Callers, calledFrom, callersHere, knownCallers } from '../primitives/callers.ts'
import { failure } from '../primitives/errors.ts'
import { modulesInFlight } from '../primitives/loading.ts'
import { withMissesLoaded } from '../state/overlay-map.ts'
import type { Command, Commit, Effect, NodeEvent, Outcome } from './events.ts'
import { EMPTY_RECORDS, type NodeRecords } from './lookup.ts'
import { currentOpenBlock, type NodeConfig, type NodeState } from './node-state.ts'
import { withOpening } from './rollup/opening.ts'

/** Microtasks in a row without a task after which clients are taken to have read what they wanted. */
const QUIET_MICROTASKS = 64

/** The most rounds in which a call waits for clients, which may ask without end. */
const MOST_ROUNDS = 1000

/** The next states of nodes that are bound to each other, and the events of all in their order. */
export interface Joint {
  readonly states: readonly (readonly [Node, NodeState])[]
  readonly events: readonly (readonly [Node, NodeEvent])[]
}

/** Applies the outcome of one node's command to all nodes that are bound to it, the node itself included. */
export type Follow = (node: Node, outcome: Outcome<unknown>) => Promise<Joint>

/** Nodes that take turns in one queue. */
interface Queue {
  /** Settles when every task so far has. */
  last: Promise<unknown>
  readonly follow: Follow | undefined
}

/**
 * Computes the roots of the blocks and partial blocks of an outcome on a fork whose roots are proven, and loads what they
 * need: listeners read them and cannot wait for proofs.
 */
export async function proveRoots({
  state,
  events,
}: Pick<Outcome<unknown>, 'state' | 'events'>): Promise<void> {
  if (state.chain.fork?.roots !== 'proven') return
  const states = new Set([state])
  for (const event of events) if (event.type === 'partialBlock') states.add(event.state)
  for (const each of states) {
    await withMissesLoaded(() => {
      // It depends on the hashes of all blocks below, which are kept once they are computed.
      void each.chain.head.hash
      sealBlock(currentOpenBlock(each))
    })
  }
}

export class Node {
  /** The state that a reset goes back to. */
  initial: NodeState
  private current: NodeState
  private records: NodeRecords = EMPTY_RECORDS
  private isDisposed = false
  private readonly publish: (event: NodeEvent) => void
  /**
   * True if a call that changes the state is answered only when no client is asking any more: for clients that, told of
   * an event, read on step by step.
   */
  waitsForClients = false
  /** Reads that have had their turn and are not answered yet; kept only for `waitsForClients`. */
  private readonly openReads = new Set<Promise<unknown>>()
  private queue: Queue = { last: Promise.resolve(), follow: undefined }
  /** Reject what waits for the upstream of a fork. */
  private readonly abandon = new Set<(reason: unknown) => void>()
  /** Shared with clones, which may come to the same states. */
  private readonly shared: { readonly config: NodeConfig; expectsFaults: boolean }

  constructor(
    state: NodeState,
    publish: (event: NodeEvent) => void,
    initial: NodeState = state,
    shared = { config: state.config, expectsFaults: false },
  ) {
    this.initial = initial
    this.shared = shared
    this.current = state
    this.publish = publish
  }

  /** An emulator and its clones share it, and no other has it. */
  get config(): NodeConfig {
    return this.shared.config
  }

  get state(): NodeState {
    return this.current
  }

  /** Runs a read on the state and the records that it finds when its turn comes. */
  async read<Result>(read: (state: NodeState, records: NodeRecords) => Result | Promise<Result>) {
    const [state, records, isDisposed] = await this.takeTurn(
      () => [this.current, this.records, this.isDisposed] as const,
    )
    if (isDisposed) throw failure('disposed')
    return this.readFrom(state, (seen) => read(seen, records))
  }

  /** Runs a read on a state that was picked up in an earlier turn. */
  async readFrom<Result>(state: NodeState, run: (state: NodeState) => Result | Promise<Result>) {
    if (!this.waitsForClients) return this.complete(state, run)
    const answer = Promise.resolve(this.complete(state, run))
    this.openReads.add(answer)
    return answer.finally(() => this.openReads.delete(answer))
  }

  /**
   * Runs a command and commits what it returns: first the state, the records and the effects, then the events in
   * their order. A command that throws, or during which the node is disposed of, changes nothing.
   */
  execute<Result>(command: Command<Result>): Promise<Result> {
    let isMoved = false
    const done = this.takeTurn(async () => {
      const loading = modulesInFlight()
      if (loading !== undefined) await loading
      const commit: Commit = async (passed) => {
        const state = await this.opened(passed.state)
        isMoved = true
        this.usable()
        this.commit(state, passed.events)
        return state
      }
      const outcome = await this.complete(this.usable(), (state) => command(state, this.records, commit))
      if (outcome.state.chain.fork !== undefined) await this.unlessDisposed(proveRoots(outcome))
      const { records = this.records, effects = [], events, result } = outcome
      const state = await this.opened(outcome.state)
      const { follow } = this.queue
      isMoved ||= state !== this.current
      const joint =
        follow !== undefined && isMoved
          ? await this.unlessDisposed(follow(this, { ...outcome, state }))
          : undefined
      this.usable()
      this.records = records
      if (joint === undefined) this.commit(state, events, effects)
      else {
        Node.take(joint)
        for (const effect of effects) effect()
        Node.tell(joint)
      }
      return result
    }, knownCallers())
    if (!this.waitsForClients) return done
    return done.then(async (result) => {
      if (isMoved) await this.clientsToRead()
      return result
    })
  }

  /** The state with its opening, for which a fork may have to be asked. */
  private opened(state: NodeState): Promise<NodeState> {
    const own = state.batch === undefined ? state : { ...state, batch: undefined }
    return Promise.resolve(withMissesLoaded(() => withOpening(own)))
  }

  /** Puts a state in place, applies the effects and tells listeners. */
  private commit(state: NodeState, events: readonly NodeEvent[], effects: readonly Effect[] = []): void {
    this.current = state
    for (const effect of effects) effect()
    for (const event of events) this.publish(event)
    this.publish({ type: 'committed', state })
  }

  /**
   * Binds nodes to each other: they take turns in one queue, and what a command of one leads to for the others is
   * committed with it. Nodes that are new begin with these states.
   */
  static bind(nodes: readonly Node[], follow: Follow, initial: readonly NodeState[] = []): void {
    const queue = { last: Promise.all(nodes.map((node) => node.queue.last)), follow }
    for (const [index, node] of nodes.entries()) {
      node.queue = queue
      node.initial = initial[index] ?? node.initial
      node.current = initial[index] ?? node.current
    }
  }

  /** Runs a command of all nodes that are bound to this one. It may commit several times on its way. */
  async executeJointly(command: (commit: (joint: Joint) => void) => Promise<void>): Promise<void> {
    await this.takeTurn(async () => {
      const loading = modulesInFlight()
      if (loading !== undefined) await loading
      this.usable()
      const done = command((joint) => {
        this.usable()
        Node.take(joint)
        Node.tell(joint)
      })
      await this.unlessDisposed(done)
    }, callersHere())
    if (this.waitsForClients) await this.clientsToRead()
  }

  private static take({ states }: Joint): void {
    for (const [node, state] of states) node.current = state
  }

  private static tell({ states, events }: Joint): void {
    for (const [node, event] of events) node.publish(event)
    for (const [node, state] of states) node.publish({ type: 'committed', state })
  }

  /** True if there may be faults, so that requests have to look for them. */
  get expectsFaults(): boolean {
    return this.shared.expectsFaults
  }

  /** Announces a fault. Called before the command that adds it, because the next request may come before its turn. */
  expectFaults(): void {
    this.shared.expectsFaults = true
  }

  /** A node that starts from the state of this one as the commands called so far leave it. */
  clone(publish: (event: NodeEvent) => void): Node {
    const copy = new Node(this.current, publish, this.initial, this.shared)
    if (this.isDisposed) copy.dispose()
    // Taken now: a command called later does not reach the copy, and neither does a disposal.
    const start = this.takeTurn(() => {
      copy.current = this.current
      copy.records = this.records
    })
    void copy.takeTurn(() => start)
    return copy
  }

  dispose(): void {
    this.isDisposed = true
    for (const reject of this.abandon) reject(failure('disposed'))
  }

  private usable(): NodeState {
    if (this.isDisposed) throw failure('disposed')
    return this.current
  }

  /** Runs on a state, and on that of a fork again and again until nothing is missing (src/core/state/overlay-map.ts). */
  private complete<Result>(state: NodeState, run: (state: NodeState) => Result | Promise<Result>) {
    if (state.chain.fork === undefined) return run(state)
    // A promise that waits for the upstream hides who awaits it.
    const callers = callersHere()
    const complete = async (on: NodeState): Promise<Result> => {
      try {
        return await withMissesLoaded(() => run(on))
      } catch (error) {
        throw calledFrom(callers, error)
      }
    }
    if (this.config.probes.size === 0) return this.unlessDisposed(complete(state))
    // Probes count what is executed, so they are told only of the run that finds everything. It fails as this one does.
    const again = () => complete(state)
    return this.unlessDisposed(complete({ ...state, isRehearsed: true }).then(again, again))
  }

  /** Work that may wait for the upstream of a fork, which need not answer, until the node is disposed of. */
  private unlessDisposed<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.abandon.add(reject)
      void work.then(resolve, reject).finally(() => this.abandon.delete(reject))
    })
  }

  /** Waits until clients have asked nothing for a while. Tasks keep their order: this takes no turn. */
  private async clientsToRead(): Promise<void> {
    let quiet = 0
    for (let round = 0; quiet < QUIET_MICROTASKS && round < MOST_ROUNDS; round++) {
      const { last } = this.queue
      await last
      await Promise.allSettled(this.openReads)
      for (quiet = 0; quiet < QUIET_MICROTASKS && this.queue.last === last; quiet++) await undefined
    }
  }

  /** Runs a task once every task before it has settled. Its error begins with the callers. */
  private takeTurn<Result>(task: () => Result | Promise<Result>, callers?: Callers): Promise<Result> {
    const { queue } = this
    const result = queue.last.then(task)
    // A rejection belongs to the caller; the next task runs all the same.
    queue.last = result.then(
      () => undefined,
      (error: unknown) => {
        if (callers !== undefined) calledFrom(callers, error)
      },
    )
    return result
  }
}
