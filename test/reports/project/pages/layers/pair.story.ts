import { recordTimeline } from 'tickchain'
import { createRollup } from 'tickchain/rollup'
import { expect, test } from 'vitest'

test('a pair', async () => {
  const pair = await createRollup()
  recordTimeline(pair)
  await pair.batcher.withhold()
  await pair.advance(4000)
  for (let count = 0; count < 2; count++) await pair.l2.advance(100)
  pair.snapshot()
  expect(await pair.l2.request('eth_blockNumber')).toBe('0x0')
})
