// What a user holds of a pair: its layers, their clock, and controls of the roles: batcher, proposer and sequencer.

import { momentOf, type SealedBlock } from '../../core/chain/block/block.ts'
import type { Emulator, Snapshot } from '../../core/emulator/api.ts'
import { announceHandle, internalsOf } from '../../core/emulator/internals.ts'
import { withSettings } from '../../core/node/node-state.ts'
import { sealBlockNow } from '../../core/node/production/block-production.ts'
import { failure } from '../../core/primitives/errors.ts'
import type { Address } from '../../core/primitives/hex.ts'
import { nextTurn, postBatches, proposeOutput } from './actors/actors.ts'
import { runTo } from './clock.ts'
import { layerContracts, type RollupContracts } from './contracts.ts'
import { bindPair, clockOf, type Pair, rolesOf } from './pair.ts'
import type { PairSteps } from './pair-steps.ts'
import { withOriginFree } from './relay.ts'

/** The batcher: posts the layer 2's blocks on the layer 1, in real transactions. */
export interface BatcherControls {
  /** The account that sends the transactions. */
  readonly address: Address
  /**
   * Posts the blocks that were not posted yet, also while batches are withheld. The transactions wait in the layer 1's
   * pool for its next block.
   *
   * @example
   * await rollup.advance(10_000)
   * await rollup.batcher.submit()
   * await rollup.l1.mine(1)
   * const safe = await rollup.l2.request('eth_getBlockByNumber', ['safe', false])
   * safe?.number // => '0x5'
   */
  submit(): Promise<void>
  /**
   * Stops the batcher. Blocks whose sequencing window passes meanwhile are replaced by blocks of deposits alone.
   *
   * @example
   * await rollup.batcher.withhold()
   * await rollup.advance(120_000)
   * await rollup.l2.request('eth_getBlockByNumber', ['safe', false]) // still block 0
   */
  withhold(): Promise<void>
  /**
   * Undoes `withhold`; the next posting is at the interval.
   *
   * @example
   * await rollup.batcher.withhold()
   * await rollup.batcher.resume()
   */
  resume(): Promise<void>
}

/** The proposer: proposes outputs of the layer 2 as dispute games on the layer 1, and resolves them in time. */
export interface ProposerControls {
  /** The account that sends the transactions. */
  readonly address: Address
  /**
   * Proposes the output of the safe head, unless it was proposed; the transaction waits in the layer 1's pool.
   *
   * @example
   * await rollup.advance(72_000) // batches are on the layer 1
   * await rollup.proposer.submit()
   * await rollup.l1.mine(1)
   */
  submit(): Promise<void>
  /**
   * Stops the proposer; nothing is proposed and no game is resolved.
   *
   * @example
   * await rollup.proposer.withhold()
   */
  withhold(): Promise<void>
  /**
   * Undoes `withhold`; the next proposal is at the interval.
   *
   * @example
   * await rollup.proposer.withhold()
   * await rollup.proposer.resume()
   */
  resume(): Promise<void>
}

/** The sequencer: makes the layer 2's blocks from its pool. */
export interface SequencerControls {
  /**
   * Stops it: no more blocks, and nothing is pre-confirmed. When the sequencing window has passed, blocks of deposits
   * alone follow from the layer 1.
   *
   * @example
   * await rollup.sequencer.stop()
   * await rollup.advance(60_000)
   * await rollup.l2.request('eth_blockNumber') // => '0x0'
   */
  stop(): Promise<void>
  /**
   * Undoes `stop`. It makes the blocks that are missing up to now, the first of them with the pool's transactions. Their
   * time is linear in their number, and listeners hear of them on the way.
   *
   * @throws TickchainError `tooManySteps` if they are more than `limits.stepsPerCall` of the layer 2; nothing has changed
   *   then
   * @example
   * await rollup.sequencer.stop()
   * await rollup.advance(60_000)
   * await rollup.sequencer.start()
   * await rollup.l2.request('eth_blockNumber') // => '0x1e'
   */
  start(): Promise<void>
}

/** Controls of a role that acts at an interval; `submit` acts at once. */
function actorControls(
  pair: Pair,
  index: number,
  role: 'batcher' | 'proposer',
  submit: (steps: PairSteps, index: number) => Promise<void>,
): BatcherControls & ProposerControls {
  const { sender, intervalMs } = pair.config.chains[index]![role]
  const set = (isWithheld: boolean) =>
    pair.execute(async (steps) => {
      const nextAtMs = nextTurn(steps.latestMs, intervalMs)
      steps.change(index, { [role]: { ...steps.chain(index)[role], isWithheld, nextAtMs } })
    })
  return {
    address: sender.address,
    submit: () =>
      pair.execute(async (steps) => {
        await steps.attempt(() => submit(steps, index))
        // A layer 1 that seals each transaction at once has a block more then.
        await runTo(steps, steps.latestMs)
      }),
    withhold: () => set(true),
    resume: () => set(false),
  }
}

function proposerControls(pair: Pair, index: number): ProposerControls {
  const controls = actorControls(pair, index, 'proposer', proposeOutput)
  const { gameMs, gameType } = pair.config.chains[index]!.proposer
  if (gameMs !== undefined) return controls
  const refuse = async (call: string): Promise<never> => {
    const reason = `games of type ${gameType}, which count on the layer 1, are none that the proposer knows`
    throw failure('invalidCall', { call, reason })
  }
  return { ...controls, submit: () => refuse('proposer.submit'), resume: () => refuse('proposer.resume') }
}

async function stopSequencer(steps: PairSteps, index: number): Promise<void> {
  const { l2, stopped } = steps.chain(index)
  if (stopped !== undefined) return
  const { automines, sealsOnTime } = l2.settings
  steps.change(index, {
    stopped: { automines, sealsOnTime },
    l2: withSettings(l2, { automines: false, sealsOnTime: false }),
  })
}

/** The missing blocks that a start of the sequencer makes before it commits: the events of each hold a state. */
const BLOCKS_PER_COMMIT = 64

async function startSequencer(steps: PairSteps, index: number, commit: () => Promise<void>): Promise<void> {
  const { l2, stopped } = steps.chain(index)
  if (stopped === undefined) return
  const { blockTimeS } = steps.chainConfig(index)
  const slotAfter = ({ rules }: SealedBlock): number => rules.rollup?.changes.slotMs ?? blockTimeS * 1000
  const { head } = l2.chain
  const missing = stopped.sealsOnTime ? Math.floor((l2.nowMs - momentOf(head)) / slotAfter(head)) : 0
  const most = l2.config.stepsPerCall
  if (missing > most) throw failure('tooManySteps', { call: 'sequencer.start', steps: missing, most })
  steps.change(index, { stopped: undefined, l2: withSettings(l2, stopped) })
  if (!stopped.sealsOnTime) return
  // A fork on the way may make blocks shorter.
  for (let made = 0; ; made++) {
    if (made > 0 && made % BLOCKS_PER_COMMIT === 0) await commit()
    const state = steps.stateOf(index)
    const nextMs = momentOf(state.chain.head) + slotAfter(state.chain.head)
    if (nextMs > state.nowMs) break
    const nextTimestamp = nextMs / 1000
    // An origin that listeners were told of may be later than this block.
    const free = withOriginFree(state)
    await steps.attempt(async () => steps.add(index, await sealBlockNow({ ...free, nextTimestamp })))
  }
  const state = steps.stateOf(index)
  const openedAtMs = momentOf(state.chain.head)
  steps.setState(index, { ...state, openedAtMs, partialsClosed: 0 })
}

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

/** The functions that a layer shares with the pair. */
type SharedFunctions = Pick<Emulator, 'advance' | 'jump' | 'next' | 'snapshot' | 'revert' | 'dispose'>

function makeChain(pair: Pair, l1: Emulator, l2: Emulator, index: number): RollupChain {
  const { addresses } = pair.config.chains[index]!
  return {
    l2,
    contracts: layerContracts(l1.settings.chainId, addresses),
    batcher: actorControls(pair, index, 'batcher', postBatches),
    proposer: proposerControls(pair, index),
    sequencer: {
      stop: () => pair.execute((steps) => stopSequencer(steps, index)),
      start: () => pair.execute((steps, commit) => startSequencer(steps, index, commit)),
    },
  }
}

export function makeRollup(l1: Emulator, l2s: readonly Emulator[], pair: Pair): Rollup {
  const layers = [l1, ...l2s]
  // The emulators' own, since those of the pair take their places.
  const disposals = layers.map(({ dispose }) => dispose)
  const clones = layers.map(({ clone }) => clone)
  const { snapshot, revert } = l1
  const shared: SharedFunctions = {
    ...clockOf(pair),
    // That of one layer is one of all, so handles are those of the layer 1.
    snapshot,
    revert,
    dispose() {
      for (const dispose of disposals) dispose()
    },
  }
  const clone = (): Rollup => {
    const [first, ...others] = clones.map((copy) => copy())
    const nodeOf = (emulator: Emulator) => internalsOf('clone', emulator).session.node
    const nodes = { l1: nodeOf(first as Emulator), chains: others.map(nodeOf) }
    return makeRollup(first as Emulator, others, bindPair(pair.config, nodes))
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
    announceHandle(layer, layer)
  }
  announceHandle(l1, rollup)
  for (const { l2, batcher, proposer, sequencer } of chains)
    for (const [name, role] of Object.entries({ batcher, proposer, sequencer }))
      announceHandle(l2, role, name)
  return rollup
}
