// Delayed answers that wait for the virtual clock.

import { expect, test } from 'vitest'
import { type HeldAnswer, holdAnswer, releaseAnswers } from '../../../../src/core/rpc/events/waits.ts'

test('an answer is forgotten when it arrives, at its time and not before', async () => {
  const held = new Set<HeldAnswer>()
  const { arrival, hold } = holdAnswer(held, 1000)
  hold()
  releaseAnswers(held, 999)
  expect(held.size).toBe(1)
  releaseAnswers(held, 1000)
  await expect(arrival).resolves.toBeUndefined()
  expect(held.size).toBe(0)
})
