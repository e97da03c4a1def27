// A long advance of a rollup commits on its way; what it makes and what listeners hear does not depend on that.

import type { Emulator } from 'tickchain'
import { expect, test } from 'vitest'
import { startRollup } from './scene.ts'

const BLOCK_MS = 2000
const BLOCKS = 150

function heardBy(chain: Emulator): string[] {
  const heard: string[] = []
  chain.on('partialBlock', ({ blockNumber, index }) => heard.push(`partial ${blockNumber} ${index}`))
  chain.on('sealedBlock', ({ number, hash }) => heard.push(`sealed ${number} ${hash}`))
  return heard
}

test('listeners hear of a long advance what they hear of many short ones', { tags: 'gate' }, async () => {
  const [long, short] = [await startRollup(), await startRollup()]
  const [heardOfLong, heardOfShort] = [heardBy(long), heardBy(short)]
  await long.advance(BLOCKS * BLOCK_MS)
  for (let i = 0; i < BLOCKS; i++) await short.advance(BLOCK_MS)
  // Eleven partial blocks, the opening included, and the seal.
  expect(heardOfLong.filter((line) => line.startsWith('sealed'))).toHaveLength(BLOCKS)
  expect(heardOfLong.filter((line) => line.startsWith('partial 7 '))).toHaveLength(11)
  expect(heardOfLong).toEqual(heardOfShort)
})

test('a long advance is told while it goes on, so that its events need not be held', async () => {
  const chain = await startRollup()
  const start = chain.now
  let first = 0
  chain.on('sealedBlock', () => {
    first ||= chain.now - start
  })
  await chain.advance(BLOCKS * BLOCK_MS)
  expect(first).toBeLessThan(BLOCKS * BLOCK_MS)
  expect(chain.now - start).toBe(BLOCKS * BLOCK_MS)
})
