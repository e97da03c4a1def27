import assert from 'node:assert/strict'
import { createEmulator, type Emulator } from 'tickchain'
import { EXPECTED, transferTokens } from './scenario.ts'

describe('a token', () => {
  let chain: Emulator

  beforeEach(async () => {
    chain = await createEmulator()
  })

  it('is transferred: pre-confirmed, and then sealed', async () => {
    const { client, hash, whenPreconfirmed } = await transferTokens(chain)
    assert.deepEqual(whenPreconfirmed, EXPECTED)
    await chain.advance(1600)
    assert.equal(await client.getBlockNumber(), 1n)
    assert.equal((await chain.outcome(hash))?.status, 'success')
  })
})
