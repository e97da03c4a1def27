// The sample of Hardhat for ethers and mocha.
import { expect } from 'chai'
import { network } from 'hardhat'

const { ethers } = await network.create()

describe('Counter', () => {
  it('emits an event with each step', async () => {
    const counter = await ethers.deployContract('Counter')
    await expect(counter.inc()).to.emit(counter, 'Increment').withArgs(1n)
  })

  it('has the sum of its events', async () => {
    const counter = await ethers.deployContract('Counter')
    const from = await ethers.provider.getBlockNumber()
    for (let by = 1; by <= 10; by++) await counter.incBy(by)
    const events = await counter.queryFilter(counter.filters.Increment(), from, 'latest')
    let sum = 0n
    for (const { args } of events) sum += args.by
    expect(await counter.x()).to.equal(sum)
  })

  it('is not counted up by nothing', async () => {
    const counter = await ethers.deployContract('Counter')
    await expect(counter.incBy(0)).to.be.revertedWith('by nothing')
  })
})
