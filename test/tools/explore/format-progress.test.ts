// The line on the progress of an exploration. Expected lines are worked out by hand.

import { formatProgress, type Progress } from 'tickchain/explore'
import { expect, test } from 'vitest'
import { addProgress } from '../../../src/tools/explore/format-progress.ts'

const orders = (reached: number) => ({ reached, of: 64, what: 'orders of two steps' })

test.each<[Progress, number | undefined, string]>([
  [{ runs: 7 }, undefined, '7 runs'],
  [{ runs: 12_345, states: 6789 }, 61_000, '12,345 runs · 6,789 states · 1 min 1 s'],
  // A quarter has taken 10 s: three more quarters.
  [
    { runs: 250, of: 1000, coverage: orders(41) },
    10_000,
    '250 of 1,000 runs · 41 of 64 orders of two steps · 30 s left',
  ],
  // 9,999 times 3.5 s is 9 hours, 43 minutes and 16.5 seconds.
  [{ runs: 1, of: 10_000 }, 3500, '1 of 10,000 runs · 9 h 43 min left'],
  [{ runs: 0, of: 10 }, 500, '0 of 10 runs · 1 s'],
  // Of 400 runs in 60 s, the last 100 are a quarter.
  [{ runs: 400, quiet: 100 }, 60_000, '400 runs · nothing new for 100 runs (15 s) · 1 min 0 s'],
  [{ runs: 400, quiet: 1200 }, undefined, '400 runs · nothing new for 1,200 runs'],
  [{ runs: 5, of: 5, coverage: { reached: 120, what: 'edges' } }, 900, '5 of 5 runs · 120 edges · 0 s left'],
])('%o after %s ms', (progress, elapsedMs, line) => {
  expect(formatProgress(progress, elapsedMs)).toBe(line)
})

test('of several parts, runs add up, and what they share is the most of one', () => {
  const parts = [
    { runs: 10, of: 50, states: 4, coverage: orders(9), quiet: 6 },
    { runs: 20, of: 50, states: 3, coverage: orders(12), quiet: 2 },
  ]
  expect(addProgress(parts)).toEqual({ runs: 30, of: 100, states: 4, coverage: orders(12), quiet: 4 })
  expect(addProgress([{ runs: 1, of: 2 }, { runs: 1 }])).toEqual({ runs: 2 })
})
