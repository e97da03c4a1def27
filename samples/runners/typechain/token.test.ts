import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { Token__factory } from './types/index.js'

test('a transfer is pre-confirmed, and then sealed', async () => {
  const chain = await createEmulator()
  const provider = new EmulatorProvider(chain)
  const [alice, bob] = [await provider.getSigner(0), await provider.getSigner(1)]
  const token = await new Token__factory(alice).deploy(1000)
  await chain.advance(200)
  const payment = await token.transfer(bob, 7)
  const startedAt = chain.now
  await chain.advance(200)
  const receipt = await payment.wait()
  assert.deepEqual([receipt?.status, receipt?.blockNumber, chain.now - startedAt], [1, 1, 200])
  const [event] = await token.queryFilter(token.filters.Transfer(alice, bob), 0, 'pending')
  assert.equal(event?.args.value, 7n)
  assert.equal(await provider.getBlockNumber(), 0)
  await chain.advance(1600)
  assert.equal(await token.balanceOf(bob), 7n)
})
