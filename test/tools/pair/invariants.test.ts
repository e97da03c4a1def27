// Random commands on a pair, twice: origins, deposits and time are as they must be, and equal.
import { expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import { blockOf, clientsOf, numberOf } from './clients.ts'
import { checkBlocks, play } from './random-play.ts'

test.each([1])('seed %i', async (seed) => {
  const [one, two] = [await play(seed, 24), await play(seed, 24)]
  expect((await blockOf(one.l2, 'latest')).hash).toBe((await blockOf(two.l2, 'latest')).hash)
})

// As seed 190 of the long run found: the block that waits has been told with an origin of a later time.
test('blocks that a sequencer makes up for are not before their origins', async () => {
  const rollup = await createRollup()
  await rollup.advance(5000)
  await rollup.jump(72_000)
  await rollup.next()
  for (let times = 0; times < 2; times++) {
    await rollup.l1.reorg({ depth: 1 })
    await rollup.l2.increaseTime({ seconds: 200 })
  }
  await rollup.sequencer.stop()
  await rollup.jump(72_000)
  await rollup.sequencer.start()
  await checkBlocks(rollup, clientsOf(rollup))
  expect(await numberOf(rollup.l2, 'latest')).toBeGreaterThan(200)
})
