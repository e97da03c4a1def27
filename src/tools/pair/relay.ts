// What the layers 2 are told of the layer 1: new blocks, replaced blocks, and how far theirs are safe and final, which is
// derived from the blocks of the layer 1, one after another (OP specs, Derivation, with the rules of holocene under every
// fork).

import { momentOf, type SealedBlock } from '../../core/chain/block/block.ts'
import { blockAt, blockByHash } from '../../core/chain/chain.ts'
import { reorganise } from '../../core/node/control/reorg.ts'
import { numberOfTag } from '../../core/node/lookup.ts'
import * as nodes from '../../core/node/node-state.ts'
import { sealBlockNow } from '../../core/node/production/block-production.ts'
import { tellL1Blocks } from '../../core/node/rollup/layer1.ts'
import type { L1Block } from '../../core/node/rollup/origins.ts'
import type { Address } from '../../core/primitives/hex.ts'
import type { Schedule } from '../../core/rollup/schedule.ts'
import { gamesAfter } from './actors/actors.ts'
import { type Batch, type ChannelFrame, decodeChannel, decodeFrames } from './batches.ts'
import { adoptBatch, isMade, originIn } from './derivation/adopt.ts'
import * as batchRules from './derivation/batch-rules.ts'
import { placedLogs, readL1Block } from './derivation/l1-block.ts'
import type { ChainState, Derived, Layer2Config } from './pair-state.ts'
import type { PairSteps } from './pair-steps.ts'

/** The frames that the batcher has posted in an L1 block. */
function framesIn({ executed }: SealedBlock, batchInbox: Address, batcher: Address): ChannelFrame[] {
  return executed.flatMap(({ transaction: { to, sender, input } }) =>
    to === batchInbox && sender === batcher ? batchRules.prunedFrames(decodeFrames(input)) : [],
  )
}

function contextAt(steps: PairSteps, index: number, l1Number: number, safe: number): batchRules.BatchContext {
  const { l2, read } = steps.chain(index)
  const { blockTimeS } = steps.chainConfig(index)
  const block = blockAt(l2.chain, safe) as SealedBlock
  const { timestamp } = block.header
  // The protocol's blocks have a fixed time. Here a block may be later, after a jump or on command: it stays so.
  const existing = blockAt(l2.chain, safe + 1)?.header.timestamp
  const slotMs = block.rules.rollup?.changes.slotMs
  const next = existing ?? Math.floor((momentOf(block) + (slotMs ?? blockTimeS * 1000)) / 1000)
  return {
    safe: { number: safe, hash: block.hash, timestamp, origin: originIn(l2, block).number },
    nextTimestamp: next,
    isEarlier: (hash) => slotMs !== undefined && (blockByHash(l2.chain, hash)?.header.number ?? safe) < safe,
    l1Number,
    epochAt: (number) => (number <= l1Number ? read.get(number) : undefined),
  }
}

/** Makes a batch's block the one after number `safe`; returns whether it has the batch's transactions. */
async function adopt(steps: PairSteps, index: number, safe: number, batch: Batch): Promise<boolean> {
  const { l2, stopped } = steps.chain(index)
  const adopted = await adoptBatch(l2, safe, batch, stopped === undefined)
  if (adopted.state !== l2) steps.add(index, adopted)
  return adopted.isWhole
}

/** Adopts the batches of a channel, up to one that is not valid; returns the number of the safe head. */
async function adoptChannel(
  steps: PairSteps,
  index: number,
  l1Number: number,
  safe: number,
  batches: readonly Batch[],
): Promise<number> {
  const { rules } = steps.chainConfig(index)
  let head = safe
  for (const batch of batches) {
    // A block that was made on command, before the layer 1 had got so far, may be further ahead of its origin than the
    // protocol's sequencer lets it be: it stays so.
    const isAnyDrift = isMade(steps.chain(index).l2, head, batch)
    const own = isAnyDrift ? { ...rules, maxSequencerDriftS: Number.POSITIVE_INFINITY } : rules
    const verdict = batchRules.checkBatch(own, contextAt(steps, index, l1Number, head), batch)
    if (verdict === 'dropped') break
    if (verdict !== 'accepted') continue
    const isWhole = await adopt(steps, index, head, batch)
    head++
    if (!isWhole) break
  }
  return head
}

/** Reads the batches of an L1 block, whose predecessor has been derived from. */
async function deriveFrom(steps: PairSteps, index: number, l1Number: number): Promise<void> {
  const { read, derived } = steps.chain(index)
  const { batchInbox, rules, addresses, proposer } = steps.chainConfig(index)
  const before = derived.get(l1Number - 1) as Derived
  const l1Block = blockAt(steps.pair.l1.chain, l1Number) as SealedBlock
  const batcher: Address = `0x${read.get(l1Number)?.system.batcherHash.slice(-40)}`
  const { channel, complete } = batchRules.assemble(
    before.channel,
    framesIn(l1Block, batchInbox, batcher),
    l1Number,
    rules,
  )
  let { safe } = before
  for (const bytes of complete)
    safe = await adoptChannel(steps, index, l1Number, safe, decodeChannel(bytes, rules.mostBytes))
  for (;;) {
    const empty = batchRules.emptyBatch(rules, contextAt(steps, index, l1Number, safe))
    if (empty === undefined) break
    await adopt(steps, index, safe, empty)
    safe++
  }
  const games = gamesAfter(before.games, l1Block, addresses.disputeGameFactory, proposer.sender.address)
  steps.change(index, {
    derived: steps.chain(index).derived.set(l1Number, { channel, safe, games }),
    lastDerived: l1Number,
  })
}

/** True at times, in seconds, at which ecotone is active. */
export function ecotoneOn(schedule: Schedule): (timestamp: number) => boolean {
  return (timestamp) =>
    schedule.rulesAt({ number: 0, timestamp, difficulty: 0n }).rollup?.changes.hasBlobFees === true
}

/** Reads the next block of the layer 1 if its time has come; returns whether there was one. */
function readNext(steps: PairSteps, index: number, atMs: number): boolean {
  const chain = steps.chain(index)
  const { addresses } = steps.chainConfig(index)
  const number = chain.lastRead + 1
  const block = blockAt(steps.pair.l1.chain, number)
  if (block === undefined || block.header.timestamp * 1000 > atMs) return false
  const schedule = nodes.scheduleIn(chain.l2)
  const { system } = chain.read.get(chain.lastRead) as L1Block
  const read = readL1Block(block, placedLogs(block), system, addresses, ecotoneOn(schedule))
  steps.change(index, { read: chain.read.set(number, read), lastRead: number })
  return true
}

/**
 * The block being built keeps the origin that listeners have been told of, unless its time has been changed, or it may
 * hold nothing from the pool under that origin: then nothing is lost, and the next origin is due.
 */
function withOriginKept(state: nodes.NodeState, maxSequencerDriftS: number): nodes.NodeState {
  const { rollup } = state
  const { plan, opening, isOpeningTold } = rollup ?? {}
  if (rollup === undefined || plan === undefined || opening === undefined || !isOpeningTold) return state
  const { timestamp } = opening.environment
  if (timestamp !== nodes.nextBlockTimestamp(state)) return state
  if (timestamp > plan.origin.timestamp + maxSequencerDriftS) return state
  return { ...state, rollup: { ...rollup, nextOrigin: plan.origin.number } }
}

/** The block being built takes the newest origin that it may have. */
export function withOriginFree(state: nodes.NodeState): nodes.NodeState {
  const { rollup } = state
  return rollup === undefined ? state : { ...state, rollup: { ...rollup, nextOrigin: undefined } }
}

/** Tells a layer 2 of the L1 blocks after the last that it shares with the layer 1, as far as they are confirmed. */
export function tellUpTo({ l1ConfirmationDepth }: Layer2Config, chain: ChainState, shared: number) {
  const told = chain.l2.rollup?.l1Head ?? shared
  const from = Math.min(shared, told) + 1
  const to = chain.lastRead - l1ConfirmationDepth
  if (told < from && to < from) return chain.l2
  const blocks: L1Block[] = []
  for (let number = from; number <= to; number++) blocks.push(chain.read.get(number) as L1Block)
  return tellL1Blocks(chain.l2, from, blocks)
}

/** Sets the tags `safe` and `finalized` of a layer 2. */
function mark(steps: PairSteps, index: number): void {
  const { derived, lastDerived, l2 } = steps.chain(index)
  const safeAt = (l1Number: number): number => (derived.get(l1Number) as Derived).safe
  const safe = safeAt(lastDerived)
  const finalized = safeAt(Math.min(lastDerived, numberOfTag(steps.pair.l1, 'finalized')))
  const { marks } = l2.settings
  if (marks.safe === safe && marks.finalized === finalized) return
  steps.setState(index, nodes.withSettings(l2, { marks: { safe, finalized } }))
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
  const l2 = tellUpTo(config, chain, shared)
  const depth = l2.chain.head.header.number - kept
  const isSequenced = chain.stopped === undefined
  const reorganised = await reorganise(l2, {
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
    const told = tellUpTo(config, chain, chain.lastRead)
    steps.setState(index, withOriginKept(told, config.rules.maxSequencerDriftS))
  }
  for (let number = steps.chain(index).lastDerived + 1; number <= steps.chain(index).lastRead; number++)
    await deriveFrom(steps, index, number)
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
      if (nodes.nextMoment(state) > state.nowMs) break
      steps.add(index, await sealBlockNow(state))
    }
  }
}
