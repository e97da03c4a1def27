// The rules of OP specs, Derivation, "Batch Queue", with those of holocene and fjord (a drift of 1800 s).
import { describe, expect, test } from 'vitest'
import { toWord } from '../../../../src/core/primitives/hex.ts'
import type { Batch } from '../../../../src/tools/pair/batches.ts'
import {
  type BatchContext,
  checkBatch,
  type Epoch,
  emptyBatch,
} from '../../../../src/tools/pair/derivation/batch-rules.ts'

const rules = { sequencingWindow: 10, maxSequencerDriftS: 1800 }

/** L1 blocks every 12 s from 1000 s on; their hash is their number. */
const epoch = (number: number): Epoch => ({ number, hash: toWord(number), timestamp: 1000 + 12 * number })

/** After a block of 1050 s with the origin 4, which is of 1048 s, the next origin being of 1060 s. */
function context(changes: Partial<BatchContext> = {}): BatchContext {
  const safe = { number: 20, hash: toWord(0xab), timestamp: 1050, origin: 4 }
  const l1Number = changes.l1Number ?? 6
  const epochAt = (number: number) => (number <= l1Number ? epoch(number) : undefined)
  return { safe, nextTimestamp: safe.timestamp + 2, l1Number, epochAt, ...changes }
}

const next: Batch = {
  parentHash: toWord(0xab),
  epochNumber: 4,
  epochHash: toWord(4),
  timestamp: 1052,
  transactions: [Uint8Array.of(2)],
}

describe('a batch after the safe head is', () => {
  const at = (nextTimestamp: number) => context({ nextTimestamp })
  const ofFifth = { epochNumber: 5, epochHash: toWord(5) }
  const late = { ...context().safe, timestamp: 2860 - 12, origin: 4 }
  test.each<[string, string, Batch, BatchContext?]>([
    ['accepted', 'with the origin of its parent', next],
    [
      'accepted',
      'with the next origin, from its timestamp on',
      { ...next, ...ofFifth, timestamp: 1060 },
      at(1060),
    ],
    [
      'dropped',
      'with the next origin before its timestamp',
      { ...next, ...ofFifth, timestamp: 1058 },
      at(1058),
    ],
    ['past', 'with an earlier timestamp', { ...next, timestamp: 1050 }],
    ['dropped', 'with a later timestamp', { ...next, timestamp: 1054 }],
    ['dropped', 'on another parent', { ...next, parentHash: toWord(0xac) }],
    ['accepted', 'in the last block of the window', next, context({ l1Number: 14 })],
    ['dropped', 'after the window', next, context({ l1Number: 15 })],
    [
      'dropped',
      'with an origin before that of its parent',
      { ...next, epochNumber: 3, epochHash: toWord(3) },
    ],
    ['dropped', 'with an origin that skips one', { ...next, epochNumber: 6, epochHash: toWord(6) }],
    ['dropped', 'with an origin of another chain', { ...next, epochHash: toWord(0xff) }],
    ['undecided', 'with an origin that is not known', { ...next, ...ofFifth }, context({ l1Number: 4 })],
    ['dropped', 'with a deposit', { ...next, transactions: [Uint8Array.of(0x7e)] }],
    ['dropped', 'with an empty transaction', { ...next, transactions: [new Uint8Array(0)] }],
    ['accepted', 'with the drift at its most', { ...next, timestamp: 2848 }, at(2848)],
    ['dropped', 'with transactions past the drift', { ...next, timestamp: 2850 }, at(2850)],
    [
      'dropped',
      'without transactions past the drift, if the next origin was there',
      { ...next, timestamp: 2850, transactions: [] },
      at(2850),
    ],
    [
      'undecided',
      'without transactions past the drift, if no origin is known',
      { ...next, timestamp: 2850, transactions: [] },
      context({ nextTimestamp: 2850, l1Number: 4 }),
    ],
    [
      'accepted',
      'without transactions past the drift, if the next origin is later',
      { ...next, timestamp: 2850, transactions: [] },
      context({
        nextTimestamp: 2850,
        epochAt: (number) => ({ ...epoch(number), timestamp: number === 5 ? 2852 : 1048 }),
      }),
    ],
    [
      'accepted',
      'without transactions past the drift of the next origin, which it adopts',
      { ...next, ...ofFifth, timestamp: 2862, transactions: [] },
      context({ nextTimestamp: 2862, safe: late }),
    ],
  ])('%s: %s', (verdict, _name, batch, given = context()) => {
    expect(checkBatch(rules, given, { ...batch, parentHash: batch.parentHash })).toBe(verdict)
  })
})

describe('without a batch', () => {
  test('nothing is made within the window', () => {
    expect(emptyBatch(rules, context({ l1Number: 13 }))).toBeUndefined()
  })

  test('an empty batch of the same epoch is made up to the next one', () => {
    expect(emptyBatch(rules, context({ l1Number: 14 }))).toEqual({ ...next, transactions: [] })
    expect(emptyBatch(rules, context({ l1Number: 14, nextTimestamp: 1058 }))).toMatchObject({
      epochNumber: 4,
    })
  })

  test('the next epoch begins when its window has passed too', () => {
    expect(emptyBatch(rules, context({ l1Number: 14, nextTimestamp: 1060 }))).toBeUndefined()
    expect(emptyBatch(rules, context({ l1Number: 15, nextTimestamp: 1060 }))).toMatchObject({
      epochNumber: 5,
      epochHash: toWord(5),
      timestamp: 1060,
    })
  })

  test('each epoch has a block, also if the one after is due', () => {
    const behind = context({ l1Number: 15, nextTimestamp: 1100 })
    expect(emptyBatch(rules, behind)).toMatchObject({ epochNumber: 5, timestamp: 1100 })
  })
})
