// Records made by hand.

import type {
  RecordedLayer,
  TimelineEvent,
  TimelineRecord,
} from '../../../../src/tools/view/timeline/record.ts'

export const START_MS = 1_704_067_200_000

const ALICE = `0x${'aa'.repeat(20)}`
const BOB = `0x${'bb'.repeat(20)}`

/** The hash of a transaction: its index in its first digits. */
export function hashAt(index: number, prefix = 'a'): string {
  return `0x${prefix}${`${index}`.padStart(7, '0')}${'0'.repeat(56)}`
}

function transactionsIn(events: readonly TimelineEvent[]): number {
  const indices = events.flatMap((event) => {
    if ('transactions' in event) return event.transactions
    return 'transaction' in event ? [event.transaction] : []
  })
  return indices.reduce((most, index) => Math.max(most, index + 1), 0)
}

/** A layer with blocks every 2 s, whose events have times from its start. */
export function layerOf(events: readonly TimelineEvent[], endMs: number): RecordedLayer {
  const moved = events.map((event) => ({
    ...event,
    atMs: START_MS + event.atMs,
    ...('timeMs' in event ? { timeMs: START_MS + event.timeMs } : {}),
    ...('toMs' in event ? { toMs: START_MS + event.toMs } : {}),
  }))
  return {
    name: 'Chain',
    blockTimeMs: 2000,
    partialBlockTimeMs: 200,
    start: { atMs: START_MS, block: 0, waiting: [] },
    end: { atMs: START_MS + endMs, block: 0, preconfirmed: 0, waiting: 0 },
    omitted: 0,
    names: { [ALICE]: 'alice' },
    transactions: Array.from({ length: transactionsIn(events) }, (_, nonce) => ({
      hash: hashAt(nonce),
      from: ALICE,
      to: BOB,
      nonce,
    })),
    events: moved as TimelineEvent[],
  }
}

export function recordOf(events: readonly TimelineEvent[], endMs: number): TimelineRecord {
  return { format: 'tickchain timeline 1', layers: [layerOf(events, endMs)], crossings: [] }
}

/** A transaction from the pool to its block, which is sealed at `sealedMs`. */
export function lifeEvents(transaction: number, block: number, sealedMs: number): TimelineEvent[] {
  const openedMs = sealedMs - 2000
  return [
    { type: 'accepted', atMs: openedMs, transaction },
    { type: 'partial', atMs: openedMs + 200, block, index: 1, transactions: [transaction] },
    {
      type: 'sealed',
      atMs: sealedMs,
      timeMs: sealedMs,
      block,
      hash: hashAt(block, 'b'),
      transactions: [transaction],
    },
  ]
}

/** As many blocks with a transaction each. */
export function longRecord(blocks: number): TimelineRecord {
  const events = Array.from({ length: blocks }, (_, index) =>
    lifeEvents(index, index + 1, (index + 1) * 2000),
  )
  return recordOf(events.flat(), blocks * 2000)
}
