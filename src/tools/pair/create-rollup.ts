// createRollup: a layer 1 with the bridge of the protocol, layers 2 that follow from it, and one clock for all.

import { refuseOption } from '../../core/emulator/checks.ts'
import { withOptionsExplained } from '../../core/emulator/emulator.ts'
import { mostDriftS } from '../../core/node/rollup/opening.ts'
import type { L1Block, RollupState } from '../../core/node/rollup/origins.ts'
import { loadCrypto } from '../../core/primitives/crypto.ts'
import { load } from '../../core/primitives/loading.ts'
import { PersistentMap } from '../../core/primitives/persistent-map.ts'
import { explainer } from '../solidity/create-emulator.ts'
import { nextTurn } from './actors/actors.ts'
import { runTo } from './clock.ts'
import { foundLayers, type LooseLayer2, nodeOf, pathOf } from './found-layers.ts'
import { type CreateRollupOptions, type ResolvedPairOptions, resolvePairOptions } from './options.ts'
import { bindPair } from './pair.ts'
import type { ChainState, Layer2Config, PairState } from './pair-state.ts'
import { tellUpTo } from './relay.ts'
import { makeRollup, type Rollup } from './rollup.ts'

/** A sequencer may only take an origin that is confirmed, and only one within the drift: there must be one that is both. */
function checkConfirmations(
  { l1, l1ConfirmationDepth }: ResolvedPairOptions,
  blockTimeS: number,
  driftS: number,
): void {
  const most = Math.max(0, Math.floor(((driftS - blockTimeS) * 1000) / l1.blockTimeMs) - 1)
  if (l1ConfirmationDepth <= most) return
  const expected = `at most ${most}, which the sequencer drift of ${driftS} s leaves time for`
  refuseOption('l1ConfirmationDepth', expected, l1ConfirmationDepth)
}

function configOf(
  { l2, addresses, batchInbox, batcher, proposer }: LooseLayer2,
  options: ResolvedPairOptions,
  index: number,
): Layer2Config {
  const { rules, l1ConfirmationDepth } = options
  const { state } = nodeOf(l2)
  const { head } = state.chain
  const { blockTimeMs } = state.settings
  if (blockTimeMs % 1000 !== 0 && blockTimeMs !== head.rules.rollup?.changes.slotMs) {
    const expected = "whole seconds, which a rollup's timestamps are"
    refuseOption(`${pathOf(options.l2s, index)}.blockTimeMs`, expected, blockTimeMs)
  }
  const blockTimeS = blockTimeMs / 1000
  const maxSequencerDriftS = mostDriftS(state, head.header.timestamp)
  checkConfirmations(options, blockTimeS, maxSequencerDriftS)
  return {
    blockTimeS,
    addresses,
    batchInbox,
    rules: { ...rules, maxSequencerDriftS },
    l1ConfirmationDepth,
    batcher: { ...options.batcher, sender: batcher },
    proposer: { ...proposer, intervalMs: options.proposer.intervalMs },
  }
}

/** A layer 2 that is told of the L1 blocks so far, from the origin of its first block on. */
function initialChain(config: Layer2Config, { l2, l1Blocks }: LooseLayer2): ChainState {
  const { state } = nodeOf(l2)
  const { number } = state.chain.head.header
  const [l1Genesis, last] = [l1Blocks[0] as L1Block, l1Blocks.at(-1) as L1Block]
  const rollup = {
    ...(state.rollup as RollupState),
    l1Genesis,
    l1Blocks: PersistentMap.from([[l1Genesis.number, l1Genesis] as const]),
  }
  const chain: ChainState = {
    l2: { ...state, rollup },
    read: PersistentMap.from(l1Blocks.map((block) => [block.number, block] as const)),
    lastRead: last.number,
    derived: PersistentMap.from([[last.number, { channel: undefined, safe: number, games: [] }]]),
    lastDerived: last.number,
    batcher: {
      isWithheld: false,
      nextAtMs: nextTurn(state.nowMs, config.batcher.intervalMs),
      posted: undefined,
    },
    proposer: {
      isWithheld: config.proposer.gameMs === undefined,
      nextAtMs: nextTurn(state.nowMs, config.proposer.intervalMs),
      proposed: number,
      resolving: new Set(),
    },
    stopped: undefined,
  }
  return { ...chain, l2: tellUpTo(config, chain, l1Genesis.number) }
}

/**
 * Creates a layer 1 with the contracts of the OP stack and a layer 2 that follows from it, both on one virtual clock.
 * Deposits on the layer 1 appear on the layer 2; a batcher posts its blocks on the layer 1, and a proposer their
 * outputs, against which withdrawals are proved.
 *
 * @param options Every option has a default.
 * @throws TickchainError `invalidOption`, naming the option and what was expected
 * @see https://specs.optimism.io
 * @example
 * const { l1, l2, advance } = await createRollup()
 * await advance(12_000)
 * await l1.request({ method: 'eth_blockNumber' }) // => '0x1'
 * await l2.request({ method: 'eth_blockNumber' }) // => '0x6'
 */
export async function createRollup(options: CreateRollupOptions = {}): Promise<Rollup> {
  const resolved = await withOptionsExplained(() => resolvePairOptions(options), explainer)
  await loadCrypto()
  const { isForked } = resolved
  const found = async () =>
    isForked ? (await load(import('./fork-layers.ts'))).forkLayers(resolved) : foundLayers(resolved)
  const { l1, chains } = await withOptionsExplained(found, explainer)
  const l1Node = nodeOf(l1)
  const config = {
    chains: chains.map((chain, index) => configOf(chain, resolved, index)),
  }
  const initial: PairState = {
    l1: { ...l1Node.state, config: { ...l1Node.config, readsEachBlock: true } },
    chains: chains.map((chain, index) => initialChain(config.chains[index] as Layer2Config, chain)),
  }
  const l2s = chains.map(({ l2 }) => l2)
  const pair = bindPair(config, { l1: l1Node, chains: l2s.map(nodeOf) }, initial)
  // The blocks of a fork have times of their own: the layers that are behind go on to the latest.
  if (isForked) await pair.execute((steps) => runTo(steps, steps.latestMs))
  return makeRollup(l1, l2s, pair)
}
