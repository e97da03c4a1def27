// What the explorer reads of a chain, without a page.

import { base, createEmulator, type Emulator } from 'tickchain'
import { expect, test } from 'vitest'
import { createOverviewReader } from '../../../../src/tools/pages/explorer/overview.ts'
import { shortEther, timeText } from '../../../../src/tools/pages/explorer/text.ts'

const genesis = { timestamp: 1_800_000_000 } as const
const overviewOf = (chain: Emulator) =>
  createOverviewReader()((method, params) => chain.request({ method: method as string, params }))

test('blocks of 200 ms have their milliseconds, and nothing is pre-confirmed', async () => {
  const chain = await createEmulator(base({ genesis }))
  await chain.advance(1400)
  const { latest, pending, preconfirms, clock } = await overviewOf(chain)
  // 1,800,000,000 is 15 January 2027, 8 o'clock.
  expect(timeText(latest.timeMs)).toBe('2027-01-15 08:00:01.400')
  expect(timeText(pending.timeMs)).toBe('2027-01-15 08:00:01.600')
  expect(preconfirms).toBe(false)
  expect(clock).toMatchObject({ hasPartials: false, partials: [] })
})

test('the blocks before them have partial blocks', async () => {
  const chain = await createEmulator(base({ fork: 'cobalt', genesis }))
  await chain.advance(2200)
  const { latest, pending, preconfirms, clock } = await overviewOf(chain)
  expect([latest.timeMs, pending.timeMs]).toEqual([1_800_000_002_000, 1_800_000_004_000])
  expect(preconfirms).toBe(true)
  // The deposits that open the block.
  expect(clock).toMatchObject({ hasPartials: true, partialsClosed: 1, partials: [{ index: 0 }] })
})

test.each([
  [0n, '0 ether'],
  [6n, '6 wei'],
  [999_999_999_999n, '999,999,999,999 wei'],
  [10n ** 12n, '0.000001 ether'],
  [1_234_567_890_123_456_789n, '1.234567… ether'],
])('%i wei are %s', (wei, text) => {
  expect(shortEther(wei, ' ether')).toBe(text)
})
