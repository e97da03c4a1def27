// The sample of Hardhat for viem and node:test.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { network } from 'hardhat'

describe('Counter', async () => {
  const { viem } = await network.create()
  const client = await viem.getPublicClient()

  it('emits an event with each step', async () => {
    const counter = await viem.deployContract('Counter')
    await viem.assertions.emitWithArgs(counter.write.inc(), counter, 'Increment', [1n])
  })

  it('has the sum of its events', async () => {
    const counter = await viem.deployContract('Counter')
    const from = await client.getBlockNumber()
    for (let by = 1n; by <= 10n; by++) await counter.write.incBy([by])
    const events = await client.getContractEvents({
      address: counter.address,
      abi: counter.abi,
      eventName: 'Increment',
      fromBlock: from,
      strict: true,
    })
    assert.equal(
      events.reduce((sum, { args }) => sum + args.by, 0n),
      await counter.read.x(),
    )
  })

  it('is not counted up by nothing', async () => {
    const counter = await viem.deployContract('Counter')
    await viem.assertions.revertWith(counter.write.incBy([0n]), 'by nothing')
  })
})
