// Tests with Hardhat's toolbox for mocha and ethers: chai matchers, fixtures and helpers.
import { expect } from 'chai'
import { network } from 'hardhat'

const { ethers, networkHelpers, provider } = await network.create()

describe('Bank', () => {
  async function deploy() {
    const [owner, other] = await ethers.getSigners()
    const bank = await ethers.deployContract('Bank', { value: ethers.parseEther('1') })
    return { bank, owner, other }
  }

  it('emits', async () => {
    const { bank, other } = await networkHelpers.loadFixture(deploy)
    await expect(bank.connect(other).pay({ value: 5 }))
      .to.emit(bank, 'Paid')
      .withArgs(other.address, 5)
    await expect(bank.failWithText.staticCall()).to.be.revertedWith('no')
  })

  it('fails with a text, an error, a panic, and with nothing', async () => {
    const { bank, other } = await networkHelpers.loadFixture(deploy)
    await expect(bank.failWithText()).to.be.revertedWith('no')
    await expect(bank.failWithText.staticCall()).to.be.revertedWith('no')
    await expect(bank.failWithText.estimateGas()).to.be.revertedWith('no')
    await expect(bank.failWithError()).to.be.revertedWithCustomError(bank, 'TooLittle').withArgs(7, 'wei')
    await expect(bank.failToRead()).to.be.revertedWithCustomError(bank, 'TooLittle').withArgs(1, 'read')
    await expect(bank.failWithPanic(0)).to.be.revertedWithPanic(0x12)
    await expect(bank.failToPop()).to.be.revertedWithPanic(0x31)
    await expect(bank.failWithNothing()).to.be.revertedWithoutReason(ethers)
    await expect(bank.transfer(other.address, 1001)).to.be.revertedWithPanic(0x11)
    await expect(bank.failWithText()).to.be.revert(ethers)
    await expect(bank.pay()).not.to.be.revert(ethers)
    await expect(bank.failWithError()).to.be.rejectedWith(
      `VM Exception while processing transaction: reverted with custom error 'TooLittle(7, "wei")'`,
    )
    await expect(bank.failWithPanic(0)).to.be.rejectedWith(
      'reverted with panic code 0x12 (Division or modulo division by zero)',
    )
    await expect(bank.transfer(other.address, 1001)).to.be.rejectedWith(
      'reverted with panic code 0x11 (Arithmetic operation overflowed outside of an unchecked block)',
    )
  })

  it('fails in a block where the gas is given', async () => {
    const { bank } = await networkHelpers.loadFixture(deploy)
    const before = await ethers.provider.getBlockNumber()
    await expect(bank.failWithText({ gasLimit: 100_000 })).to.be.revertedWith('no')
    await expect(bank.failWithError({ gasLimit: 100_000 })).to.be.revertedWithCustomError(bank, 'TooLittle')
    expect(await ethers.provider.getBlockNumber()).to.equal(before + 2)
  })

  it('moves ether and tokens', async () => {
    const { bank, owner, other } = await networkHelpers.loadFixture(deploy)
    await expect(bank.pay({ value: 5 })).to.changeEtherBalance(ethers, owner, -5)
    await expect(bank.withdraw(100)).to.changeEtherBalances(ethers, [owner, bank], [100, -100])
    await expect(bank.transfer(other, 10)).to.changeTokenBalances(ethers, bank, [owner, other], [-10, 10])
    await expect(owner.sendTransaction({ to: other, value: 3 })).to.changeEtherBalance(ethers, other, 3)
  })

  it('goes back to its fixture', async () => {
    for (let i = 0; i < 3; i++) {
      const { bank } = await networkHelpers.loadFixture(deploy)
      expect(await bank.count()).to.equal(0)
      await (await bank.pay()).wait()
      await networkHelpers.time.increase(3600)
    }
  })

  it('is helped', async () => {
    const { bank } = await networkHelpers.loadFixture(deploy)
    await networkHelpers.setBalance(await bank.getAddress(), ethers.parseEther('3'))
    const itself = await ethers.getImpersonatedSigner(await bank.getAddress())
    await bank.connect(itself).pay()
    expect(await ethers.provider.getTransactionCount(itself)).to.equal(2)
    await networkHelpers.mine(10, { interval: 60 })
    await networkHelpers.dropTransaction(`0x${'11'.repeat(32)}`)
  })

  it('is listened to', async () => {
    const { bank, owner } = await networkHelpers.loadFixture(deploy)
    const heard = new Promise((resolve) => {
      bank.once('Paid', (from, value) => resolve([from, value]))
    })
    // ethers starts listening asynchronously.
    await ethers.provider.getBlockNumber()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await bank.pay({ value: 7 })
    expect(await heard).to.deep.equal([owner.address, 7n])
  })

  it('is subscribed to', async () => {
    const { bank } = await networkHelpers.loadFixture(deploy)
    const messages = []
    const listen = (message) => messages.push(message)
    provider.on('message', listen)
    const id = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
    await bank.pay()
    await provider.request({ method: 'eth_unsubscribe', params: [id] })
    provider.off('message', listen)
    expect(messages.map(({ data }) => data.subscription)).to.deep.equal([id])
  })
})
