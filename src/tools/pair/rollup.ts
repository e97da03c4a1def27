// What a user holds of a pair: its layers, their clock, and the rollup's roles.

import type { Emulator, Snapshot } from '../../core/emulator/api.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import { layerContracts, type RollupContracts } from './contracts.ts'
import {
  type BatcherControls,
  batcherControls,
  type ProposerControls,
  proposerControls,
  type SequencerControls,
  sequencerControls,
} from './controls.ts'
import { advancePair, bindPair, jumpPair, type Pair, rolesOf, stepPair } from './pair.ts'

/** A layer 2 of a pair, with what belongs to it. */
export interface RollupChain {
  readonly l2: Emulator
  /** Its contracts, as `contracts` of viem's chain definition. */
  readonly contracts: RollupContracts
  readonly batcher: BatcherControls
  readonly proposer: ProposerControls
  readonly sequencer: SequencerControls
}

/**
 * A layer 1 and its layers 2 on one clock. Each layer is an emulator of its own, and whatever is called on one of them
 * is followed by what it means for the others, before the call resolves: a block mined on the layer 1 is known on the
 * layer 2, `advance` of one moves all, and so do `jump`, `next`, `revert` and `dispose`.
 */
export interface Rollup extends RollupChain {
  readonly l1: Emulator
  /** All layers 2; the first is also `l2`. */
  readonly chains: readonly RollupChain[]
  /**
   * Virtual time in milliseconds since the Unix epoch, on all layers.
   *
   * @example
   * rollup.now // => 1704067200000
   */
  readonly now: number
  /**
   * Advances virtual time on all layers, and performs what falls due in order: at equal times the layer 1 first, then
   * the layers 2 are told of its block, then they go on, and the batcher and the proposer come last.
   *
   * @param ms Milliseconds, a whole number from 0.
   * @throws TickchainError `invalidCall`, `timeOutOfRange` or `tooManySteps`
   * @example
   * await rollup.advance(12_000) // one block on the layer 1, six on the layer 2
   * await rollup.l2.request({ method: 'eth_blockNumber' }) // => '0x6'
   */
  advance(ms: number): Promise<void>
  /**
   * Moves the clock at once, with one block on each layer, at the time of arrival; also where a dispute game can be
   * resolved on the way, since the protocol's delays count from there. It departs from the protocol, whose blocks come
   * at fixed times.
   *
   * @param ms Milliseconds, a whole number from 0.
   * @throws TickchainError `invalidCall` or `timeOutOfRange`
   * @example
   * await rollup.jump(7 * 86_400_000)
   * await rollup.l2.request({ method: 'eth_blockNumber' }) // => '0x1'
   */
  jump(ms: number): Promise<void>
  /**
   * Moves the clock to the next step of any layer, a partial block or a seal, and performs it.
   *
   * @throws TickchainError `timeOutOfRange`
   * @example
   * await rollup.next()
   * rollup.now // => 1704067200200
   */
  next(): Promise<void>
  /**
   * Takes a snapshot of all layers; that of one of them, with `snapshot` or `evm_snapshot`, is the same.
   *
   * @example
   * const start = rollup.snapshot()
   * await rollup.advance(60_000)
   * await rollup.revert(start)
   * rollup.now // => 1704067200000
   */
  snapshot(): Snapshot
  /**
   * Goes back to a snapshot, or forward to a later one, on all layers.
   *
   * @param snapshot A handle, which stays valid.
   * @throws TickchainError `unknownSnapshot` for a handle of an unrelated chain
   * @example
   * const before = rollup.snapshot()
   * await rollup.batcher.withhold()
   * await rollup.revert(before)
   */
  revert(snapshot: Snapshot): Promise<void>
  /**
   * Creates an independent rollup in the present state of this one, without its listeners, filters and subscriptions.
   *
   * @example
   * const copy = rollup.clone()
   * await copy.advance(2000)
   * copy.now - rollup.now // => 2000
   */
  clone(): Rollup
  /**
   * Ends all layers.
   *
   * @example
   * rollup.dispose()
   * await rollup.l2.request({ method: 'eth_chainId' }) // throws disposed
   */
  dispose(): void
}

/** The emulators of a pair. */
export interface PairEmulators {
  readonly l1: Emulator
  readonly l2s: readonly Emulator[]
}

/** The functions that a layer shares with the pair. */
type SharedFunctions = Pick<Emulator, 'advance' | 'jump' | 'next' | 'snapshot' | 'revert' | 'dispose'>

function makeChain(pair: Pair, l1: Emulator, l2: Emulator, index: number): RollupChain {
  const { addresses } = pair.config.chains[index]!
  return {
    l2,
    contracts: layerContracts(l1.settings.chainId, addresses),
    batcher: batcherControls(pair, index),
    proposer: proposerControls(pair, index),
    sequencer: sequencerControls(pair, index),
  }
}

export function makeRollup({ l1, l2s }: PairEmulators, pair: Pair): Rollup {
  const layers = [l1, ...l2s]
  // The emulators' own, since those of the pair take their places.
  const disposals = layers.map(({ dispose }) => dispose)
  const clones = layers.map(({ clone }) => clone)
  const { snapshot, revert } = l1
  const shared: SharedFunctions = {
    advance: (ms) => advancePair(pair, ms),
    jump: (ms) => jumpPair(pair, ms),
    next: () => stepPair(pair),
    // That of one layer is one of all, so handles are those of the layer 1.
    snapshot,
    revert,
    dispose() {
      for (const dispose of disposals) dispose()
    },
  }
  const clone = (): Rollup => {
    const [first, ...others] = clones.map((copy) => copy())
    const copies = { l1: first as Emulator, l2s: others }
    const nodeOf = (emulator: Emulator) => internalsOf('clone', emulator).session.node
    const nodes = { l1: nodeOf(copies.l1), chains: copies.l2s.map(nodeOf) }
    return makeRollup(copies, bindPair(pair.config, nodes))
  }
  const chains = l2s.map((l2, index) => makeChain(pair, l1, l2, index))
  const rollup: Rollup = {
    ...(chains[0] as RollupChain),
    ...shared,
    l1,
    chains,
    get now() {
      return l1.now
    },
    clone,
  }
  internalsOf('createRollup', l1).roles = () => rolesOf(pair)
  for (const [position, layer] of layers.entries()) {
    const ofCopy = ({ l1: one, chains: many }: Rollup): Emulator =>
      position === 0 ? one : (many[position - 1] as RollupChain).l2
    Object.assign(layer, shared, { clone: () => ofCopy(clone()) })
  }
  return rollup
}
