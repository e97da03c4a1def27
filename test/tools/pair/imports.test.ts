// Blocks imported on a layer 2 that has a layer 1.

import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import { blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'

test('blocks that another sequencer made from the same layer 1 are taken, and become safe', async () => {
  const rollup = await createRollup({ batcher: { intervalS: 12 } })
  await rollup.sequencer.stop()
  const { wallet1, chain2: targetChain } = clientsOf(rollup)
  const request = { mint: parseEther('1'), to: TO, gas: 21_000n } as const
  await wallet1.depositTransaction({ request, targetChain, gas: 300_000n })
  await rollup.advance(36_000)
  const other = rollup.clone()
  await other.sequencer.start()
  expect(await other.l2.request('eth_getBalance', [TO])).toBe('0xde0b6b3a7640000')

  await rollup.l2.importBlocks(await other.l2.exportBlocks())
  expect(await blockOf(rollup.l2, 'latest')).toEqual(await blockOf(other.l2, 'latest'))
  await rollup.sequencer.start()
  await rollup.advance(48_000)
  await other.advance(48_000)
  expect(await numberOf(rollup.l2, 'safe')).toBeGreaterThanOrEqual(18)
  expect(await blockOf(rollup.l2, 'latest')).toEqual(await blockOf(other.l2, 'latest'))
})

test('blocks with other L1 origins are refused, and nothing is imported', async () => {
  const rollup = await createRollup()
  const other = await createRollup({ l1: { seed: 7 } })
  await other.advance(24_000)
  // The layers 2 begin alike; the layers 1 do not.
  expect((await blockOf(other.l2, 0)).hash).toBe((await blockOf(rollup.l2, 0)).hash)
  await expect(rollup.l2.importBlocks(await other.l2.exportBlocks())).rejects.toMatchObject({
    kind: 'layersApart',
    message: expect.stringContaining('is not block'),
  })
  expect(await numberOf(rollup.l2, 'latest')).toBe(0)
})
