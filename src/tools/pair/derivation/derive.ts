// Derivation of a layer 2 from the blocks of the layer 1, one after another (OP specs, Derivation, with the rules of
// holocene under every fork).

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import { blockAt } from '../../../core/chain/chain.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { gamesAfter } from '../actors/proposer.ts'
import { type Batch, type ChannelFrame, decodeChannel, decodeFrames } from '../batches.ts'
import type { Derived } from '../pair-state.ts'
import type { PairSteps } from '../pair-steps.ts'
import { adoptBatch, isMade, originIn } from './adopt.ts'
import { type BatchContext, type BatchRules, checkBatch, emptyBatch } from './batch-rules.ts'
import { assemble, prunedFrames } from './channel-stage.ts'

/** The frames that the batcher has posted in an L1 block. */
function framesIn({ executed }: SealedBlock, batchInbox: Address, batcher: Address): ChannelFrame[] {
  return executed.flatMap(({ transaction: { to, sender, input } }) =>
    to === batchInbox && sender === batcher ? prunedFrames(decodeFrames(input)) : [],
  )
}

function contextAt(steps: PairSteps, index: number, l1Number: number, safe: number): BatchContext {
  const { l2, read } = steps.chain(index)
  const { blockTimeS } = steps.chainConfig(index)
  const block = blockAt(l2.chain, safe) as SealedBlock
  const { timestamp } = block.header
  // The protocol's blocks have a fixed time. Here a block may be later, after a jump or on command: it stays so.
  const next = blockAt(l2.chain, safe + 1)?.header.timestamp ?? timestamp + blockTimeS
  return {
    safe: { number: safe, hash: block.hash, timestamp, origin: originIn(l2, block).number },
    nextTimestamp: next,
    l1Number,
    epochAt: (number) => (number <= l1Number ? read.get(number) : undefined),
  }
}

/**
 * The rules for a batch. A block that was made on command, before the layer 1 had got so far, may be further ahead of
 * its origin than the protocol's sequencer lets it be: it stays so.
 */
function rulesFor(steps: PairSteps, index: number, safe: number, batch: Batch): BatchRules {
  const { rules } = steps.chainConfig(index)
  if (!isMade(steps.chain(index).l2, safe, batch)) return rules
  return { ...rules, maxSequencerDriftS: Number.POSITIVE_INFINITY }
}

/** Makes a batch's block the one after number `safe`; returns whether it has the batch's transactions. */
async function adopt(steps: PairSteps, index: number, safe: number, batch: Batch): Promise<boolean> {
  const { l2, stopped } = steps.chain(index)
  const adopted = await adoptBatch(steps.chainConfig(index).node, l2, safe, batch, stopped === undefined)
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
  let head = safe
  for (const batch of batches) {
    const verdict = checkBatch(
      rulesFor(steps, index, head, batch),
      contextAt(steps, index, l1Number, head),
      batch,
    )
    if (verdict === 'dropped') break
    if (verdict !== 'accepted') continue
    const isWhole = await adopt(steps, index, head, batch)
    head++
    if (!isWhole) break
  }
  return head
}

/** Reads the batches of an L1 block, whose predecessor has been derived from. */
export async function deriveFrom(steps: PairSteps, index: number, l1Number: number): Promise<void> {
  const { read, derived } = steps.chain(index)
  const { batchInbox, rules, addresses, proposer } = steps.chainConfig(index)
  const before = derived.get(l1Number - 1) as Derived
  const l1Block = blockAt(steps.pair.l1.chain, l1Number) as SealedBlock
  const batcher: Address = `0x${read.get(l1Number)?.system.batcherHash.slice(-40)}`
  const { channel, complete } = assemble(
    before.channel,
    framesIn(l1Block, batchInbox, batcher),
    l1Number,
    rules,
  )
  let { safe } = before
  for (const bytes of complete) {
    safe = await adoptChannel(steps, index, l1Number, safe, decodeChannel(bytes, rules.mostBytes))
  }
  for (;;) {
    const empty = emptyBatch(rules, contextAt(steps, index, l1Number, safe))
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
