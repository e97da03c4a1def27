// The rules of OP specs, Holocene Derivation, "Frame Queue" and "Channel Bank"; the cases of op-node's tests of both.
import { describe, expect, test } from 'vitest'
import type { ChannelFrame } from '../../../../src/tools/pair/batches.ts'
import * as batchRules from '../../../../src/tools/pair/derivation/batch-rules.ts'

/** Frames as text: the channel, the number, and `!` for the last. */
function frame(text: string): ChannelFrame {
  const [, id = '', number = '', last] = /^(\w)(\d+)(!?)$/.exec(text) ?? []
  const channelId = `0x${id.charCodeAt(0).toString(16).repeat(16)}` as const
  return { channelId, number: Number(number), data: Uint8Array.of(Number(number)), isLast: last === '!' }
}

const frames = (text: string): ChannelFrame[] => text.split(' ').filter(Boolean).map(frame)

describe('of the frames of a transaction stay', () => {
  test.each([
    ['those in order', 'a0 a1 a2!', 'a0 a1 a2!'],
    ['those up to a gap', 'a0 a2 a3!', 'a0'],
    ['those before a repetition', 'a0 a0 a1!', 'a0 a1!'],
    ['those up to the last', 'a0 a1! a2', 'a0 a1!'],
    ['no channel that another interrupts', 'a0 a1 b0 b1!', 'b0 b1!'],
    ['both, if the first is complete', 'a0 a1! b0!', 'a0 a1! b0!'],
    ['no frame of a channel without its first', 'a0 b1 a1!', 'a0 a1!'],
    ['a tail whose first frame may have come before', 'a3 a4!', 'a3 a4!'],
    ['no tail that is not complete', 'a3 a4 b0 b1!', 'b0 b1!'],
  ])('%s', (_name, all, kept) => {
    expect(batchRules.prunedFrames(frames(all))).toEqual(frames(kept))
  })
})

const limits = { timeout: 50, mostBytes: 1000 }

describe('a channel', () => {
  test('is complete with its last frame', () => {
    const { channel, complete } = batchRules.assemble(undefined, frames('a0 a1 a2!'), 7, limits)
    expect(channel).toBeUndefined()
    expect(complete).toEqual([Uint8Array.of(0, 1, 2)])
  })

  test('waits for later blocks, 50 of them', () => {
    const opened = batchRules.assemble(undefined, frames('a0'), 7, limits).channel
    expect(opened).toMatchObject({ openedIn: 7, size: 201 })
    const inTime = batchRules.assemble(opened, frames('a1!'), 57, limits)
    expect(inTime.complete).toEqual([Uint8Array.of(0, 1)])
    expect(batchRules.assemble(opened, frames('a1!'), 58, limits)).toEqual({
      channel: undefined,
      complete: [],
    })
  })

  test('gives way to a new one', () => {
    const opened = batchRules.assemble(undefined, frames('a0'), 7, limits).channel
    expect(batchRules.assemble(opened, frames('b0! a1!'), 8, limits)).toEqual({
      channel: undefined,
      complete: [Uint8Array.of(0)],
    })
  })

  test('ignores frames that do not follow', () => {
    const opened = batchRules.assemble(undefined, frames('a0'), 7, limits).channel as batchRules.OpenChannel
    expect(batchRules.assemble(opened, frames('a2! b1!'), 8, limits)).toEqual({
      channel: opened,
      complete: [],
    })
    expect(batchRules.assemble(undefined, frames('a1!'), 8, limits)).toEqual({
      channel: undefined,
      complete: [],
    })
  })

  test('is dropped when it has too many bytes', () => {
    // 201 bytes a frame: the fifth is above 1000.
    expect(batchRules.assemble(undefined, frames('a0 a1 a2 a3!'), 7, limits).complete).toHaveLength(1)
    expect(batchRules.assemble(undefined, frames('a0 a1 a2 a3 a4!'), 7, limits)).toEqual({
      channel: undefined,
      complete: [],
    })
  })
})
