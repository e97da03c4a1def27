// Which batch may follow a block, and the empty batches of epochs whose sequencing window has passed (OP specs,
// Derivation, "Batch Queue", with the rules of holocene). The channel that frames are put together to, by the rules of
// holocene: frames come in order, and there is one channel at a time (OP specs, Holocene Derivation, "Frame Queue" and
// "Channel Bank").

import type { L1Block } from '../../../core/node/rollup/origins.ts'
import { concatBytes, type Hash, type Hex } from '../../../core/primitives/hex.ts'
import { DEPOSIT_TYPE } from '../../../core/rollup/deposit.ts'
import type { Batch, ChannelFrame } from '../batches.ts'

/** A channel whose last frame has not come yet. */
export interface OpenChannel {
  readonly id: Hex
  /** The L1 block of its first frame. */
  readonly openedIn: number
  readonly frames: readonly ChannelFrame[]
  /** The bytes of its frames, with 200 for each, as op-node counts them. */
  readonly size: number
}

export interface ChannelLimits {
  /** Number of L1 blocks after the first frame within which the last may come. */
  readonly timeout: number
  /** The most bytes of frames. */
  readonly mostBytes: number
}

const FRAME_OVERHEAD = 200

/** The frames of one transaction without those that cannot follow the one before. */
export function prunedFrames(frames: readonly ChannelFrame[]): readonly ChannelFrame[] {
  const kept: ChannelFrame[] = []
  for (const frame of frames) {
    const last = kept.at(-1)
    if (last === undefined) kept.push(frame)
    else if (last.channelId === frame.channelId) {
      if (!last.isLast && frame.number === last.number + 1) kept.push(frame)
    } else if (frame.number === 0) {
      // A new channel discards one that is not complete.
      if (!last.isLast) while (kept.at(-1)?.channelId === last.channelId) kept.pop()
      kept.push(frame)
    }
  }
  return kept
}

/** A channel after a frame; frames that do not follow are ignored. */
function withFrame(channel: OpenChannel | undefined, frame: ChannelFrame, l1Number: number) {
  const size = frame.data.length + FRAME_OVERHEAD
  if (frame.number === 0) return { id: frame.channelId, openedIn: l1Number, frames: [frame], size }
  if (channel === undefined || frame.channelId !== channel.id) return channel
  if (frame.number !== channel.frames.length) return channel
  return { ...channel, frames: [...channel.frames, frame], size: channel.size + size }
}

/** Adds the frames of an L1 block to the channel. */
export function assemble(
  before: OpenChannel | undefined,
  frames: readonly ChannelFrame[],
  l1Number: number,
  { timeout, mostBytes }: ChannelLimits,
) {
  const isLate = before !== undefined && before.openedIn + timeout < l1Number
  let channel = isLate ? undefined : before
  /** The bytes of the channels that have become complete, in order. */
  const complete: Uint8Array[] = []
  for (const frame of frames) {
    channel = withFrame(channel, frame, l1Number)
    if (channel !== undefined && channel.size > mostBytes) channel = undefined
    if (channel?.frames.at(-1)?.isLast !== true) continue
    complete.push(concatBytes(...channel.frames.map(({ data }) => data)))
    channel = undefined
  }
  return { channel, complete }
}

/** A block of the layer 2 that the next one follows. */
interface SafeBlock {
  readonly number: number
  readonly hash: Hash
  /** Seconds. */
  readonly timestamp: number
  /** The number of its L1 origin. */
  readonly origin: number
}

export type Epoch = Pick<L1Block, 'number' | 'hash' | 'timestamp'>

export interface BatchRules {
  /** Number of L1 blocks after its origin within which a block may be posted. */
  readonly sequencingWindow: number
  /** Seconds. */
  readonly maxSequencerDriftS: number
}

/** Where derivation stands. */
export interface BatchContext {
  readonly safe: SafeBlock
  /** The timestamp of the block after `safe`. */
  readonly nextTimestamp: number
  /** True for a block before `safe`, where a second has several: a batch of that second may then be past. */
  readonly isEarlier?: (hash: Hash) => boolean
  /** The L1 block that derivation has come to, in which the batch is. */
  readonly l1Number: number
  /** L1 blocks up to that one; `undefined` for later ones. */
  readonly epochAt: (number: number) => Epoch | undefined
}

/** Verdict on a batch: use it, leave it out, or leave out all that follows in its channel too. */
export type Verdict = 'accepted' | 'past' | 'dropped' | 'undecided'

/** True if a block may have transactions or be empty so late after its origin. */
function checkDrift(rules: BatchRules, context: BatchContext, batch: Batch, origin: Epoch): Verdict {
  if (batch.timestamp <= origin.timestamp + rules.maxSequencerDriftS) return 'accepted'
  if (batch.transactions.length > 0) return 'dropped'
  if (origin.number !== context.safe.origin) return 'accepted'
  const next = context.epochAt(origin.number + 1)
  if (next === undefined) return 'undecided'
  return batch.timestamp >= next.timestamp ? 'dropped' : 'accepted'
}

export function checkBatch(rules: BatchRules, context: BatchContext, batch: Batch): Verdict {
  const { safe, nextTimestamp, l1Number, epochAt } = context
  if (batch.timestamp > nextTimestamp) return 'dropped'
  if (batch.timestamp < nextTimestamp) return 'past'
  if (batch.parentHash !== safe.hash) return context.isEarlier?.(batch.parentHash) ? 'past' : 'dropped'
  if (batch.epochNumber + rules.sequencingWindow < l1Number) return 'dropped'
  if (batch.epochNumber !== safe.origin && batch.epochNumber !== safe.origin + 1) return 'dropped'
  const origin = epochAt(batch.epochNumber)
  if (origin === undefined) return 'undecided'
  if (batch.epochHash !== origin.hash || batch.timestamp < origin.timestamp) return 'dropped'
  const isFit = batch.transactions.every((raw) => raw.length > 0 && raw[0] !== DEPOSIT_TYPE)
  return isFit ? checkDrift(rules, context, batch, origin) : 'dropped'
}

/**
 * The empty batch that derivation makes itself, once all data of an L1 block is read: if the sequencing window of the
 * next epoch has passed without a batch. Each epoch gets a block at least.
 */
export function emptyBatch(rules: BatchRules, context: BatchContext): Batch | undefined {
  const { safe, nextTimestamp, l1Number, epochAt } = context
  for (let number = safe.origin; number + rules.sequencingWindow <= l1Number; number++) {
    const epoch = epochAt(number)
    const next = epochAt(number + 1)
    if (epoch === undefined || next === undefined) return undefined
    if (nextTimestamp >= next.timestamp && number !== safe.origin + 1) continue
    return {
      parentHash: safe.hash,
      epochNumber: number,
      epochHash: epoch.hash,
      timestamp: nextTimestamp,
      transactions: [],
    }
  }
  return undefined
}
