// Calls of every kind, for the reports of gas and coverage, which are compared between Hardhat's chain and tickchain.
import { describe, it } from 'node:test'
import { network } from 'hardhat'

describe('reports', async () => {
  const { viem } = await network.create()

  it('has calls of calls, proxies, and what does not count', async () => {
    const caller = await viem.deployContract('Caller')
    await caller.write.countTwice()
    await caller.write.deploy()
    await caller.write.survive({ gas: 200_000n })
    await caller.write.countByNothing({ gas: 200_000n }).catch(() => undefined)
    const counter = await viem.deployContract('Counter')
    const proxy = await viem.deployContract('Proxy', [counter.address])
    const through = await viem.getContractAt('Counter', proxy.address)
    await through.write.incBy([3n])
    await through.read.x()
    // Only simulates a transaction.
    await counter.simulate.inc()
    await counter.estimateGas.inc()
    const [owner, other] = await viem.getWalletClients()
    await owner.sendTransaction({ to: other.account.address, value: 1n })
  })
})
