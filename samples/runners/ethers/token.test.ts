import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ContractFactory } from 'ethers'
import { createEmulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { Token } from './token.ts'

test('a transfer is pre-confirmed, and then sealed', async () => {
  const chain = await createEmulator()
  const provider = new EmulatorProvider(chain)
  const [alice, bob] = [await provider.getSigner(0), await provider.getSigner(1)]
  const deployed = await new ContractFactory(Token.abi, Token.bytecode, alice).deploy(1000)
  await chain.advance(200)
  const token = await deployed.waitForDeployment()
  const payment = await token.getFunction('transfer')(bob, 7)
  const startedAt = chain.now
  await chain.advance(200)
  const receipt = await payment.wait()
  assert.deepEqual([receipt.status, receipt.blockNumber, chain.now - startedAt], [1, 1, 200])
  const event = token.interface.parseLog(receipt.logs[0])
  assert.deepEqual(event?.args.toArray(), [alice.address, bob.address, 7n])
  assert.equal(await provider.getBlockNumber(), 0)
  assert.equal(await token.getFunction('balanceOf')(bob, { blockTag: 'pending' }), 7n)
  await chain.advance(1600)
  assert.equal(await token.getFunction('balanceOf')(bob), 7n)
})
