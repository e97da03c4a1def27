import { deepStrictEqual, equal } from 'node:assert/strict'
import { createEmulator } from 'tickchain'
import { EXPECTED, transferTokens } from './scenario.ts'

Deno.test('a transfer is pre-confirmed, and then sealed', async () => {
  const chain = await createEmulator()
  const { client, hash, whenPreconfirmed } = await transferTokens(chain)
  deepStrictEqual(whenPreconfirmed, EXPECTED)
  await chain.advance(1600)
  equal(await client.getBlockNumber(), 1n)
  equal((await chain.outcome(hash))?.status, 'success')
})
