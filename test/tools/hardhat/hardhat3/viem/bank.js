// Tests with Hardhat's toolbox for viem: assertions, fixtures and helpers, on the configured chain.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { network } from 'hardhat'
import { encodeErrorResult, encodeFunctionData, parseEther, parseGwei, zeroAddress } from 'viem'

describe('Bank', async () => {
  const { viem, networkHelpers, provider, tickchain } = await network.create()
  const reader = await viem.getPublicClient()
  const [owner, other] = await viem.getWalletClients()

  async function deploy() {
    return viem.deployContract('Bank', [], { value: parseEther('1') })
  }

  async function deployAndPay() {
    const bank = await networkHelpers.loadFixture(deploy)
    await bank.write.pay({ value: 5n })
    return bank
  }

  it('is on the chain that it should be on', async () => {
    assert.equal(tickchain !== undefined, process.env.CHAIN !== 'edr')
    const version = await provider.request({ method: 'web3_clientVersion' })
    assert.match(version, /^HardhatNetwork\//)
  })

  it('emits', async () => {
    const bank = await networkHelpers.loadFixture(deploy)
    const pay = bank.write.pay({ value: 5n, account: other.account })
    await viem.assertions.emitWithArgs(pay, bank, 'Paid', [other.account.address, 5n])
  })

  it('fails with a text, an error, a panic, and with nothing', async () => {
    const bank = await networkHelpers.loadFixture(deploy)
    const { assertions } = viem
    await assertions.revertWith(bank.write.failWithText(), 'no')
    await assertions.revertWithCustomError(bank.write.failWithError(), bank, 'TooLittle')
    await assertions.revertWithCustomErrorWithArgs(bank.write.failWithError(), bank, 'TooLittle', [7n, 'wei'])
    await assertions.revertWithCustomErrorWithArgs(bank.read.failToRead(), bank, 'TooLittle', [1n, 'read'])
    await assertions.revertWithCustomErrorWithArgs(bank.simulate.failToRead(), bank, 'TooLittle', [
      1n,
      'read',
    ])
    await assertions.revert(bank.write.failWithPanic([0n]))
    await assertions.revert(bank.write.failWithNothing())
    await assertions.revert(bank.write.transfer([other.account.address, 1001n]))
    assert.equal(await bank.read.count(), 0n)
  })

  it('fails in a block where the gas is given', async () => {
    const bank = await networkHelpers.loadFixture(deploy)
    const before = await reader.getBlockNumber()
    await viem.assertions.revertWith(bank.write.failWithText({ gas: 100_000n }), 'no')
    assert.equal(await reader.getBlockNumber(), before + 1n)
  })

  it('names its errors in messages', async () => {
    const bank = await networkHelpers.loadFixture(deploy)
    const data = encodeFunctionData({ abi: bank.abi, functionName: 'failToRead' })
    await assert.rejects(provider.request({ method: 'eth_call', params: [{ to: bank.address, data }] }), {
      code: 3,
      message: `VM Exception while processing transaction: reverted with custom error 'TooLittle(1, "read")'`,
      data: encodeErrorResult({ abi: bank.abi, errorName: 'TooLittle', args: [1n, 'read'] }),
    })
  })

  it('moves ether', async () => {
    const bank = await networkHelpers.loadFixture(deploy)
    await viem.assertions.balancesHaveChanged(bank.write.withdraw([100n], { account: other.account }), [
      { address: other.account.address, amount: 100n },
      { address: bank.address, amount: -100n },
    ])
  })

  it('goes back to its fixtures, nested ones too', async () => {
    for (let i = 0; i < 3; i++) {
      const bank = await networkHelpers.loadFixture(deployAndPay)
      assert.equal(await bank.read.count(), 1n)
      await bank.write.pay()
      await networkHelpers.time.increase(3600)
    }
    const bank = await networkHelpers.loadFixture(deploy)
    assert.equal(await bank.read.count(), 0n)
  })

  it('is helped', async () => {
    const bank = await networkHelpers.loadFixture(deploy)
    await networkHelpers.setBalance(bank.address, parseEther('3'))
    await networkHelpers.impersonateAccount(bank.address)
    const itself = await viem.getWalletClient(bank.address)
    await bank.write.pay({ account: itself.account })
    await networkHelpers.stopImpersonatingAccount(bank.address)
    await networkHelpers.setStorageAt(bank.address, 0, 41)
    await networkHelpers.setNextBlockBaseFeePerGas(parseGwei('9'))
    const at = (await networkHelpers.time.latest()) + 1000
    await networkHelpers.time.setNextBlockTimestamp(at)
    await bank.write.pay()
    const block = await reader.getBlock()
    assert.deepEqual([block.timestamp, block.baseFeePerGas], [BigInt(at), parseGwei('9')])
    assert.equal(await bank.read.count(), 42n)
    await networkHelpers.mineUpTo(1000)
    assert.equal(await reader.getBlockNumber(), 1000n)
  })

  it('is told about', async () => {
    const bank = await networkHelpers.loadFixture(deploy)
    const client = await viem.getTestClient()
    await client.setAutomine(false)
    const hash = await bank.write.pay({ value: 7n })
    const waiting = reader.waitForTransactionReceipt({ hash })
    await client.mine({ blocks: 1 })
    assert.equal((await waiting).status, 'success')
    await client.setAutomine(true)
    const [{ args }] = await bank.getEvents.Paid()
    assert.equal(args.value, 7n)
  })

  it('does not wait for a nonce, nor for a base fee to fall', async () => {
    const transaction = { account: owner.account, to: zeroAddress, gas: 21_000n }
    await assert.rejects(owner.sendTransaction({ ...transaction, nonce: 1_000_000 }), /nonce/i)
    const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
    await assert.rejects(owner.sendTransaction({ ...transaction, ...fees }), /maxFeePerGas/)
    await owner.sendTransaction(transaction)
  })

  if (process.env.CHAIN !== 'edr') {
    it('can be pre-confirmed', async () => {
      const bank = await networkHelpers.loadFixture(deploy)
      await tickchain.setProduction('interval')
      const number = await reader.getBlockNumber()
      const hash = await bank.write.pay({ value: 5n })
      await tickchain.advance(200)
      assert.equal((await reader.getTransactionReceipt({ hash })).blockNumber, number + 1n)
      assert.equal(await reader.getBlockNumber(), number)
      await tickchain.dropPreconfirmed(hash)
      await assert.rejects(reader.getTransactionReceipt({ hash }))
    })
  }
})
