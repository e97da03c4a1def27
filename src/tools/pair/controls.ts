// Controls of the rollup's roles for users: batcher, proposer and sequencer.

import type { SealedBlock } from '../../core/chain/block/block.ts'
import { momentOf } from '../../core/chain/block/moment.ts'
import { withSettings } from '../../core/node/node-state.ts'
import { sealBlockNow } from '../../core/node/production/block-production.ts'
import { failure } from '../../core/primitives/errors.ts'
import type { Address } from '../../core/primitives/hex.ts'
import { nextTurn } from './actors/actors.ts'
import { postBatches } from './actors/batcher.ts'
import { proposeOutput } from './actors/proposer.ts'
import { runTo } from './clock.ts'
import type { Pair } from './pair.ts'
import type { PairSteps } from './pair-steps.ts'

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

export function batcherControls(pair: Pair, index: number): BatcherControls {
  return actorControls(pair, index, 'batcher', postBatches)
}

export function proposerControls(pair: Pair, index: number): ProposerControls {
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
  const { node, blockTimeS } = steps.chainConfig(index)
  const slotAfter = ({ rules }: SealedBlock): number => rules.rollup?.changes.slotMs ?? blockTimeS * 1000
  const { head } = l2.chain
  const missing = stopped.sealsOnTime ? Math.floor((l2.nowMs - momentOf(head)) / slotAfter(head)) : 0
  const most = node.stepsPerCall
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
    await steps.attempt(async () => steps.add(index, await sealBlockNow(node, { ...state, nextTimestamp })))
  }
  const state = steps.stateOf(index)
  const openedAtMs = momentOf(state.chain.head)
  steps.setState(index, { ...state, openedAtMs, partialsClosed: 0 })
}

export function sequencerControls(pair: Pair, index: number): SequencerControls {
  return {
    stop: () => pair.execute((steps) => stopSequencer(steps, index)),
    start: () => pair.execute((steps, commit) => startSequencer(steps, index, commit)),
  }
}
