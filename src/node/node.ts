// The imperative shell: the one mutable reference to the state. Commands run one at a time; each commits the
// state that its transition computed, and then publishes what happened. Reads work on the state they find.

import { failure } from '../primitives/errors.ts'
import { beingLoaded } from '../primitives/loading.ts'
import { type CommandQueue, createCommandQueue } from './command-queue.ts'
import type { NodeEvent, Transition } from './events.ts'
import type { NodeConfig, NodeState } from './node-state.ts'

export class Node {
  readonly config: NodeConfig
  /** What a reset goes back to. */
  readonly initial: NodeState
  private current: NodeState
  private isDisposed = false
  private readonly publish: (event: NodeEvent) => void
  private readonly queue: CommandQueue = createCommandQueue()
  /** evm_snapshot's: numbers are never given out twice, not even after a revert. */
  private readonly numberedSnapshots = new Map<number, NodeState>()
  private lastSnapshotNumber = 0
  private resets = 0
  /** Shared with all that may come to the same states, such as clones. */
  private readonly kin: { expectsFaults: boolean }

  constructor(
    config: NodeConfig,
    state: NodeState,
    publish: (event: NodeEvent) => void,
    initial: NodeState = state,
    kin = { expectsFaults: false },
  ) {
    this.config = config
    this.initial = initial
    this.kin = kin
    this.current = state
    this.publish = publish
  }

  get state(): NodeState {
    return this.current
  }

  /** Runs a read on the state as it is when its turn comes. */
  async read<Result>(read: (state: NodeState) => Result | Promise<Result>): Promise<Result> {
    const state = await this.queue.run(() => this.usable())
    return read(state)
  }

  /** Runs a command; where it throws, nothing has changed. */
  execute<Result>(
    command: (state: NodeState) => Transition<Result> | Promise<Transition<Result>>,
  ): Promise<Result> {
    return this.queue.run(async () => {
      const loading = beingLoaded()
      if (loading !== undefined) await loading
      const { state, events, result } = await command(this.usable())
      // A node that was disposed of meanwhile takes nothing over: what waits for events would wait for ever.
      this.usable()
      this.current = state
      for (const event of events) this.publish(event)
      this.publish({ type: 'committed', state })
      return result
    })
  }

  /** Whether a request has to look for faults, because there may be some when its turn comes. */
  get expectsFaults(): boolean {
    return this.kin.expectsFaults
  }

  /** Says that a fault is about to be added. */
  expectFaults(): void {
    this.kin.expectsFaults = true
  }

  private usable(): NodeState {
    if (this.isDisposed) throw failure('disposed')
    return this.current
  }

  /** Remembers the state under a new number. */
  saveNumbered(state: NodeState): number {
    this.lastSnapshotNumber++
    this.numberedSnapshots.set(this.lastSnapshotNumber, state)
    return this.lastSnapshotNumber
  }

  /** Leaves out the next number. */
  skipNumber(): void {
    this.lastSnapshotNumber++
  }

  /** The numbered states that have not been used up, oldest first. */
  get numbered(): ReadonlyMap<number, NodeState> {
    return this.numberedSnapshots
  }

  /** How often the chain was reset. */
  get resetCount(): number {
    return this.resets
  }

  /** The state to begin anew with; numbered states are forgotten, and their numbers are not used again. */
  restart(): NodeState {
    this.numberedSnapshots.clear()
    this.resets++
    return this.initial
  }

  /** Takes a numbered state out, and forgets it and the later ones; `undefined` where there is none. */
  takeNumbered(number: number): NodeState | undefined {
    const state = this.numberedSnapshots.get(number)
    if (state === undefined) return undefined
    for (const other of this.numberedSnapshots.keys()) {
      if (other >= number) this.numberedSnapshots.delete(other)
    }
    return state
  }

  /** A node that starts from the state of this one as the commands called so far leave it. */
  clone(publish: (event: NodeEvent) => void): Node {
    const copy = new Node(this.config, this.current, publish, this.initial, this.kin)
    if (this.isDisposed) copy.dispose()
    // The turn is taken here and now: a command called later must not reach the copy, and neither does an end.
    const start = this.queue.run(() => {
      copy.current = this.current
      copy.lastSnapshotNumber = this.lastSnapshotNumber
      copy.resets = this.resets
      for (const [number, state] of this.numberedSnapshots) copy.numberedSnapshots.set(number, state)
    })
    void copy.queue.run(() => start)
    return copy
  }

  dispose(): void {
    this.isDisposed = true
  }
}
