import { recordTimeline } from 'tickchain'
import { createRollup } from 'tickchain/rollup'
import { expect, test } from 'vitest'

test('a pair', async () => {
  const pair = await createRollup()
  recordTimeline(pair)
  await pair.batcher.withhold()
  await pair.advance(4000)
  await pair.l2.advance(200)
  pair.snapshot()
  expect(await pair.l2.request('eth_blockNumber')).toBe('0x0')
})
