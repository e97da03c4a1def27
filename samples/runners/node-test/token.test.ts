import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmulator } from 'tickchain'
import { EXPECTED, transferTokens } from './scenario.ts'

test('a transfer is pre-confirmed, and then sealed', async () => {
  const chain = await createEmulator()
  const { client, hash, whenPreconfirmed } = await transferTokens(chain)
  assert.deepEqual(whenPreconfirmed, EXPECTED)
  await chain.advance(1600)
  assert.equal(await client.getBlockNumber(), 1n)
  assert.equal((await chain.outcome(hash))?.status, 'success')
})
