// Lazy loading of the EVM, in a test that moves the clock until it has an answer. Needs a worker of its own, in which
// the EVM is not loaded yet.

import { expect, test } from 'vitest'
import { createEmulator } from '../../../src/index.ts'

const MOST_TURNS = 1000

test.each([
  ['eth_call', [{ to: '0x00000000000000000000000000000000000000aa', data: '0x01' }, 'latest']],
  ['eth_createAccessList', [{ to: '0x00000000000000000000000000000000000000aa' }]],
  ['eth_simulateV1', [{ blockStateCalls: [{}] }]],
  ['anvil_dumpState', []],
])('%s is answered although the clock keeps moving', async (method, params) => {
  const chain = await createEmulator()
  let isAnswered = false
  const answer = chain.request({ method, params }).finally(() => {
    isAnswered = true
  })
  let turns = 0
  for (; !isAnswered && turns < MOST_TURNS; turns++) await chain.advance(2000)
  expect(turns).toBeLessThan(MOST_TURNS)
  expect(await answer).toBeDefined()
})
