// What the layers 2 are told of the layer 1: new blocks, replaced blocks, and how far theirs are safe and final.

import type { SealedBlock } from '../../core/chain/block/block.ts'
import { blockAt } from '../../core/chain/chain.ts'
import { reorganise } from '../../core/node/control/reorg.ts'
import { numberOfTag } from '../../core/node/lookup.ts'
import { type NodeState, nextBlockTimestamp, scheduleIn, withSettings } from '../../core/node/node-state.ts'
import { sealBlockNow } from '../../core/node/production/block-production.ts'
import { tellL1Blocks } from '../../core/node/rollup/layer1.ts'
import type { L1Block } from '../../core/node/rollup/rollup-state.ts'
import { originIn } from './derivation/adopt.ts'
import { deriveFrom } from './derivation/derive.ts'
import { readL1Block } from './derivation/l1-block.ts'
import type { ChainState, Derived, Layer2Config } from './pair-state.ts'
import type { PairSteps } from './pair-steps.ts'

/** Reads the next block of the layer 1 if its time has come; returns whether there was one. */
function readNext(steps: PairSteps, index: number, atMs: number): boolean {
  const chain = steps.chain(index)
  const { node, addresses } = steps.chainConfig(index)
  const number = chain.lastRead + 1
  const block = blockAt(steps.pair.l1.chain, number)
  if (block === undefined || block.header.timestamp * 1000 > atMs) return false
  const schedule = scheduleIn(node, chain.l2)
  const { system } = chain.read.get(chain.lastRead) as L1Block
  const contracts = { portal: addresses.optimismPortal, systemConfig: addresses.systemConfig }
  const read = readL1Block(block, system, contracts, (timestamp) =>
    Boolean(schedule.rulesAt({ number: 0, timestamp, difficulty: 0n }).rollup?.changes.hasBlobFees),
  )
  steps.change(index, { read: chain.read.set(number, read), lastRead: number })
  return true
}

/**
 * The block being built keeps the origin that listeners have been told of, unless its time has been changed, or it may
 * hold nothing from the pool under that origin: then nothing is lost, and the next origin is due.
 */
function withOriginKept(state: NodeState, maxSequencerDriftS: number): NodeState {
  const { rollup } = state
  const { plan, opening, isOpeningTold } = rollup ?? {}
  if (rollup === undefined || plan === undefined || opening === undefined || !isOpeningTold) return state
  const { timestamp } = opening.environment
  if (timestamp !== nextBlockTimestamp(state)) return state
  if (timestamp > plan.origin.timestamp + maxSequencerDriftS) return state
  return { ...state, rollup: { ...rollup, nextOrigin: plan.origin.number } }
}

/** The block being built takes the newest origin that it may have. */
export function withOriginFree(state: NodeState): NodeState {
  const { rollup } = state
  return rollup === undefined ? state : { ...state, rollup: { ...rollup, nextOrigin: undefined } }
}

/** Tells a layer 2 of the L1 blocks after the last that it shares with the layer 1, as far as they are confirmed. */
function tell({ node, l1ConfirmationDepth }: Layer2Config, chain: ChainState, shared: number): NodeState {
  const told = chain.l2.rollup?.l1Head ?? shared
  const from = Math.min(shared, told) + 1
  const to = chain.lastRead - l1ConfirmationDepth
  if (told < from && to < from) return chain.l2
  const blocks: L1Block[] = []
  for (let number = from; number <= to; number++) blocks.push(chain.read.get(number) as L1Block)
  return tellL1Blocks(node, chain.l2, from, blocks)
}

function markOf(steps: PairSteps, { derived, lastDerived }: ChainState, tag: 'safe' | 'finalized'): number {
  const number = tag === 'safe' ? lastDerived : Math.min(lastDerived, numberOfTag(steps.pair.l1, tag))
  return (derived.get(number) as Derived).safe
}

/** Sets the tags `safe` and `finalized` of a layer 2. */
function mark(steps: PairSteps, index: number): void {
  const chain = steps.chain(index)
  const { marks } = chain.l2.settings
  const [safe, finalized] = [markOf(steps, chain, 'safe'), markOf(steps, chain, 'finalized')]
  if (marks.safe === safe && marks.finalized === finalized) return
  steps.setState(index, withSettings(chain.l2, { marks: { safe, finalized } }))
}

/** The number of the last L1 block that was read and is still there. */
function lastShared({ pair: { l1 } }: PairSteps, { read, lastRead }: ChainState): number {
  let number = lastRead
  while (blockAt(l1.chain, number)?.hash !== read.get(number)?.hash) number--
  return number
}

/** The number of the last L2 block whose origin is at most an L1 block's. */
function lastDerivedFrom({ l2 }: ChainState, l1Number: number): number {
  let { number } = l2.chain.head.header
  while (number > l2.chain.first) {
    if (originIn(l2, blockAt(l2.chain, number) as SealedBlock).number <= l1Number) break
    number--
  }
  return number
}

/** Replaces the L2 blocks whose origins are gone, and builds the block being built again. */
async function followReorg(steps: PairSteps, index: number, shared: number, atMs: number): Promise<void> {
  const config = steps.chainConfig(index)
  const kept = lastDerivedFrom(steps.chain(index), shared)
  let { read } = steps.chain(index)
  for (let number = shared + 1; number <= steps.chain(index).lastRead; number++) read = read.delete(number)
  const { batcher, proposer, derived, l2: before, lastDerived: derivedBefore } = steps.chain(index)
  const lastDerived = Math.min(shared, derivedBefore)
  const isGameGone = derived.get(lastDerived)?.games !== derived.get(derivedBefore)?.games
  steps.change(index, {
    read,
    lastRead: shared,
    lastDerived,
    // What was posted or sent may have gone with the blocks.
    batcher: { ...batcher, posted: undefined },
    proposer: {
      ...proposer,
      proposed: isGameGone ? before.chain.first : proposer.proposed,
      resolving: new Set(),
    },
  })
  while (readNext(steps, index, atMs)) {}
  const chain = steps.chain(index)
  const l2 = tell(config, chain, shared)
  const depth = l2.chain.head.header.number - kept
  const isSequenced = chain.stopped === undefined
  const reorganised = await reorganise(config.node, l2, {
    depth,
    blocks: isSequenced ? undefined : [],
    returning: 'repool',
    preconfirmed: isSequenced ? 'again' : 'pooled',
  })
  steps.add(index, reorganised)
}

/** Tells a layer 2 of the blocks of the layer 1 up to a time, and derives from them. */
async function relay(steps: PairSteps, index: number, atMs: number): Promise<void> {
  const shared = lastShared(steps, steps.chain(index))
  if (shared < steps.chain(index).lastRead) await followReorg(steps, index, shared, atMs)
  while (readNext(steps, index, atMs)) {
    const chain = steps.chain(index)
    const config = steps.chainConfig(index)
    const told = tell(config, chain, chain.lastRead)
    steps.setState(index, withOriginKept(told, config.rules.maxSequencerDriftS))
  }
  for (let number = steps.chain(index).lastDerived + 1; number <= steps.chain(index).lastRead; number++) {
    await deriveFrom(steps, index, number)
  }
  mark(steps, index)
}

export async function relayToAll(steps: PairSteps, atMs: number): Promise<void> {
  for (const index of steps.indices) await relay(steps, index, atMs)
}

/**
 * Where no blocks fall due, as in `auto` production, a layer 2 makes one for each L1 block: no L1 origin may be left out,
 * and one that is too old lets no transactions in. A block that would be ahead of the clock waits until it is not, since
 * the layer 1 would follow the clock with blocks of its own.
 */
export async function sealForL1(steps: PairSteps): Promise<void> {
  for (const index of steps.indices) {
    const { l2, stopped } = steps.chain(index)
    const { automines, sealsOnTime } = l2.settings
    if (stopped !== undefined || sealsOnTime || !automines) continue
    const waiting = (l2.rollup?.l1Head ?? 0) - originIn(l2, l2.chain.head).number
    for (let sealed = 0; sealed < waiting; sealed++) {
      const state = steps.stateOf(index)
      if (nextBlockTimestamp(state) * 1000 > state.nowMs) break
      steps.add(index, await sealBlockNow(steps.chainConfig(index).node, state))
    }
  }
}
