// The channel that frames are put together to, by the rules of holocene: frames come in order, and there is one channel
// at a time (OP specs, Holocene Derivation, "Frame Queue" and "Channel Bank").

import { concatBytes, type Hex } from '../../../core/primitives/hex.ts'
import type { ChannelFrame } from '../batches.ts'

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
