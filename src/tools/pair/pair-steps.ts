// The steps of a command of a pair: its state so far, and the events of all nodes in their order.

import type { NodeEvent, Transition } from '../../core/node/events.ts'
import type { NodeState } from '../../core/node/node-state.ts'
import { withMissesLoaded } from '../../core/state/overlay-map.ts'
import type { ChainState, Layer2Config, PairConfig, PairState } from './pair-state.ts'

/** The layer 1, or a layer 2 by its index. */
export type Layer = 'l1' | number

export class PairSteps {
  readonly config: PairConfig
  pair: PairState
  /** Those since `takeEvents`, of all layers in their order. */
  events: (readonly [Layer, NodeEvent])[] = []

  constructor(config: PairConfig, pair: PairState) {
    this.config = config
    this.pair = pair
  }

  get indices(): readonly number[] {
    return [...this.pair.chains.keys()]
  }

  chain(index: number): ChainState {
    return this.pair.chains[index] as ChainState
  }

  chainConfig(index: number): Layer2Config {
    return this.config.chains[index] as Layer2Config
  }

  stateOf(layer: Layer): NodeState {
    return layer === 'l1' ? this.pair.l1 : this.chain(layer).l2
  }

  setState(layer: Layer, state: NodeState): void {
    if (layer === 'l1') this.pair = { l1: state, chains: this.pair.chains }
    else this.change(layer, { l2: state })
  }

  change(index: number, changes: Partial<ChainState>): void {
    const chains = this.pair.chains.slice()
    chains[index] = { ...this.chain(index), ...changes }
    this.pair = { l1: this.pair.l1, chains }
  }

  /** Adds a step of one layer that started from its state. */
  add(layer: Layer, { state, events }: Transition<unknown>): void {
    this.setState(layer, state)
    for (const event of events) this.events.push([layer, event])
  }

  /** Takes a step, and from its start again after each read that a fork has to ask its upstream for. */
  attempt<Result>(step: () => Promise<Result>): Promise<Result> {
    const { pair, events } = this
    const count = events.length
    return Promise.resolve(
      withMissesLoaded(() => {
        this.pair = pair
        events.length = count
        return step()
      }),
    )
  }

  /** The events since the last call. */
  takeEvents(): readonly (readonly [Layer, NodeEvent])[] {
    const { events } = this
    this.events = []
    return events
  }

  get latestMs(): number {
    return Math.max(this.pair.l1.nowMs, ...this.pair.chains.map(({ l2 }) => l2.nowMs))
  }

  get earliestMs(): number {
    return Math.min(this.pair.l1.nowMs, ...this.pair.chains.map(({ l2 }) => l2.nowMs))
  }
}
