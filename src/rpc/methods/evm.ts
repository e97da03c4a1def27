// Controls over time, blocks and snapshots, under the names that ganache gave them.

import { mineBlocks, setNextTimestamp, shiftClock } from '../../node/clock.ts'
import { unchanged } from '../../node/events.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { asRecord, field, integer } from '../codecs/basic.ts'
import { type Codec, optional, required } from '../codecs/codec.ts'
import { defineCommand } from '../method.ts'

export interface MineOptions {
  readonly timestamp: number | undefined
  readonly blocks: number
}

/** A timestamp in seconds, or an object with `timestamp` and `blocks`. */
const mineOptions: Codec<MineOptions, number | string | { timestamp?: number; blocks?: number }> = {
  name: 'timestamp, or object with timestamp and blocks',
  decode(value, path) {
    if (typeof value !== 'object') return { timestamp: integer.decode(value, path), blocks: 1 }
    const record = asRecord(value, path)
    return {
      timestamp: field(record, 'timestamp', integer, path),
      blocks: field(record, 'blocks', integer, path) ?? 1,
    }
  },
}

export const evm_mine = defineCommand({
  summary: 'Seals the block being built, and more after it if told; the first may get a timestamp.',
  params: [optional('options', mineOptions, { timestamp: undefined, blocks: 1 })],
  result: '"0x0"',
  example: { params: [] },
  async handle({ node }, { timestamp, blocks }) {
    await node.execute((state) => mineBlocks(node.config, state, blocks, timestamp))
    return '0x0'
  },
})

export const evm_increaseTime = defineCommand({
  summary: 'Puts the clock forward by seconds; what was due is due that much later, and nothing is sealed.',
  params: [required('seconds', integer)],
  result: 'all seconds that this method has added, as a number',
  example: { params: [3600] },
  handle: ({ node }, seconds) =>
    node.execute((state) => {
      const shifted = shiftClock(state, seconds * 1000)
      return { ...shifted, result: shifted.state.shiftedMs / 1000 }
    }),
})

export const evm_setNextBlockTimestamp = defineCommand({
  summary: 'Fixes the timestamp, in seconds, of the next block; the clock follows when it is sealed.',
  params: [required('timestamp', integer)],
  result: 'null',
  example: { params: [1_704_070_800] },
  async handle({ node }, timestamp) {
    await node.execute((state) => setNextTimestamp(state, timestamp))
    return null
  },
})

export const evm_snapshot = defineCommand({
  summary: 'Remembers the chain as it is, under a number that is never used again.',
  params: [],
  result: 'snapshot id',
  example: { params: [] },
  handle: ({ node }) =>
    node.execute((state) => ({ ...unchanged(state), result: toQuantity(node.saveNumbered(state)) })),
})

export const evm_revert = defineCommand({
  summary: 'Goes back to a snapshot; it and the later ones are used up.',
  params: [required('snapshotId', integer)],
  result: 'true, or false where there is no such snapshot',
  example: { params: ['0x1'] },
  handle: ({ node }, id) =>
    node.execute((state) => {
      const saved = node.takeNumbered(id)
      return { ...unchanged(saved ?? state), result: saved !== undefined }
    }),
})
