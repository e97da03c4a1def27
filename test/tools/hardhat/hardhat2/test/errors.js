// What a test of Hardhat 2 sees of errors, and matchers of chai.
const { expect } = require('chai')
const hre = require('hardhat')
const { ProviderError } = require('hardhat/internal/core/providers/errors')

const { ethers, network } = hre

/** The error of a request. */
async function errorOf(method, ...params) {
  return network.provider.request({ method, params }).then(
    () => expect.fail(`${method} has succeeded`),
    (error) => error,
  )
}

describe('errors', () => {
  it("are Hardhat's", async () => {
    for (const request of [
      ['eth_unheardOf'],
      ['eth_getBalance', 'nobody'],
      ['eth_sendTransaction', { from: ethers.ZeroAddress, to: ethers.ZeroAddress }],
    ]) {
      const error = await errorOf(...request)
      expect(error).to.be.instanceOf(ProviderError)
      expect(error.code).to.be.lessThan(0)
    }
  })

  it('of contracts have their reasons and their lines', async () => {
    const bank = await ethers.deployContract('Bank')
    const [, other] = await ethers.getSigners()
    await expect(bank.pay({ value: 5 })).to.emit(bank, 'Paid')
    await expect(bank.failWithText()).to.be.revertedWith('no')
    await expect(bank.failWithError()).to.be.revertedWithCustomError(bank, 'TooLittle').withArgs(7, 'wei')
    await expect(bank.failWithPanic(0)).to.be.revertedWithPanic(0x12)
    await expect(bank.failWithNothing()).to.be.revertedWithoutReason()
    await expect(bank.connect(other).pay({ value: 5 })).to.changeEtherBalance(bank, 5)
    const { data } = await bank.failWithText.populateTransaction()
    const error = await errorOf('eth_call', { to: await bank.getAddress(), data })
    expect(error.message).to.equal(
      "VM Exception while processing transaction: reverted with reason string 'no'",
    )
    expect(error.stack).to.match(/at Bank\.failWithText \(contracts\/Bank\.sol:\d+\)/)
  })

  it('are of the chain that they should be of', async () => {
    expect(hre.tickchain === undefined).to.equal(process.env.CHAIN === 'edr')
    if (hre.tickchain === undefined) return
    const chain = await hre.tickchain()
    expect(await chain.request('eth_blockNumber')).to.equal(await network.provider.send('eth_blockNumber'))
  })
})
