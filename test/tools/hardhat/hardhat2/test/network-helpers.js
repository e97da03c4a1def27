// Tests of Hardhat 2's network helpers, each by its effect.
const { expect } = require('chai')
const helpers = require('@nomicfoundation/hardhat-network-helpers')
const { network } = require('hardhat')

const { time, loadFixture } = helpers
const SOMEBODY = `0x${'aa'.repeat(20)}`
const OTHER = `0x${'bb'.repeat(20)}`
const WORD = (value) => `0x${value.toString(16).padStart(64, '0')}`

const ask = (method, ...params) => network.provider.request({ method, params })
const head = () => ask('eth_getBlockByNumber', 'latest', false)
const balance = async (address) => BigInt(await ask('eth_getBalance', address, 'latest'))

async function send(fields = {}) {
  const [from] = await ask('eth_accounts')
  return ask('eth_sendTransaction', { from, to: OTHER, value: '0x1', gas: '0x5208', ...fields })
}

async function refusal(promise) {
  const error = await promise.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (error === undefined) throw new Error('nothing was thrown')
  return error.message
}

describe('network helpers', () => {
  let start
  beforeEach(async () => {
    start = await helpers.takeSnapshot()
  })
  afterEach(async () => {
    await helpers.clearSnapshots()
    await start.restore()
  })

  it('is on the chain that it should be on', async () => {
    const { clientVersion } = await ask('hardhat_metadata')
    expect(clientVersion.includes('tickchain')).to.equal(process.env.CHAIN !== 'edr')
  })

  it('time', async () => {
    const [now, number] = [await time.latest(), await time.latestBlock()]
    expect(await time.increase(3600)).to.equal(now + 3600)
    expect(await time.latestBlock()).to.equal(number + 1)
    await time.increaseTo(now + time.duration.days(1))
    expect(await time.latest()).to.equal(now + 86_400)
    await time.setNextBlockTimestamp(now + 100_000)
    await send()
    expect(await time.latest()).to.equal(now + 100_000)
    await time.advanceBlock()
    expect(await time.latestBlock()).to.equal(number + 4)
    await time.advanceBlockTo(number + 10)
    expect(await time.latestBlock()).to.equal(number + 10)
    expect(await refusal(time.increaseTo(now))).to.match(/is not larger than|Timestamp/)
  })

  it('mine and mineUpTo', async () => {
    const [now, number] = [await time.latest(), await time.latestBlock()]
    await time.setNextBlockTimestamp(now + 10)
    await helpers.mine(3, { interval: 60 })
    expect([await time.latestBlock(), await time.latest()]).to.deep.equal([number + 3, now + 130])
    await helpers.mine()
    await helpers.mineUpTo(number + 1000)
    expect(await time.latestBlock()).to.equal(number + 1000)
    expect(await refusal(helpers.mineUpTo(number))).to.match(/is not larger than current block number/)
  })

  it('accounts', async () => {
    await helpers.setBalance(SOMEBODY, 10n ** 18n)
    expect(await balance(SOMEBODY)).to.equal(10n ** 18n)
    await helpers.setNonce(SOMEBODY, 7)
    expect(await ask('eth_getTransactionCount', SOMEBODY, 'latest')).to.equal('0x7')
    expect(await refusal(helpers.setNonce(SOMEBODY, 6))).to.match(/must not be smaller than/)
    await helpers.setCode(SOMEBODY, '0x5f545f5260205ff3')
    expect(await ask('eth_getCode', SOMEBODY, 'latest')).to.equal('0x5f545f5260205ff3')
    await helpers.setStorageAt(SOMEBODY, 0, 42)
    expect(await helpers.getStorageAt(SOMEBODY, 0)).to.equal(WORD(42))
    expect(await ask('eth_call', { to: SOMEBODY }, 'latest')).to.equal(WORD(42))
    await helpers.setStorageAt(SOMEBODY, WORD(0), WORD(43))
    expect(await helpers.getStorageAt(SOMEBODY, WORD(0), 'latest')).to.equal(WORD(43))
  })

  it('impersonation', async () => {
    await helpers.setBalance(SOMEBODY, 10n ** 18n)
    await helpers.impersonateAccount(SOMEBODY)
    await send({ from: SOMEBODY })
    await helpers.stopImpersonatingAccount(SOMEBODY)
    expect(await refusal(send({ from: SOMEBODY }))).to.match(/unknown account/i)
    expect(await balance(OTHER)).to.equal(1n)
  })

  it('blocks', async () => {
    await helpers.setCoinbase(SOMEBODY)
    await helpers.setPrevRandao(5)
    await helpers.setNextBlockBaseFeePerGas(9_000_000_000)
    await helpers.setBlockGasLimit(1_000_000)
    await send()
    const { miner, mixHash, baseFeePerGas, gasLimit } = await head()
    expect([miner, mixHash]).to.deep.equal([SOMEBODY, WORD(5)])
    expect([Number(baseFeePerGas), Number(gasLimit)]).to.deep.equal([9_000_000_000, 1_000_000])
    await helpers.setCoinbase(OTHER)
    await helpers.setBlockGasLimit(30_000_000)
  })

  it('dropTransaction', async () => {
    await ask('evm_setAutomine', false)
    const hash = await send()
    expect(await helpers.dropTransaction(hash)).to.equal(true)
    await helpers.mine()
    expect(await ask('eth_getTransactionReceipt', hash)).to.equal(null)
    await ask('evm_setAutomine', true)
    const mined = await send()
    expect(await refusal(helpers.dropTransaction(mined))).to.match(/already mined/)
  })

  it('takeSnapshot', async () => {
    const snapshot = await helpers.takeSnapshot()
    for (let i = 0; i < 2; i++) {
      await send()
      expect(await balance(OTHER)).to.equal(1n)
      await snapshot.restore()
      expect(await balance(OTHER)).to.equal(0n)
    }
  })

  it('loadFixture', async () => {
    let runs = 0
    async function inner() {
      runs++
      await send()
    }
    async function outer() {
      await loadFixture(inner)
      await send()
      return 'done'
    }
    for (let i = 0; i < 3; i++) {
      expect(await loadFixture(outer)).to.equal('done')
      expect(await balance(OTHER)).to.equal(2n)
      await send()
    }
    await loadFixture(inner)
    expect([await balance(OTHER), runs]).to.deep.equal([1n, 1])
    expect(await refusal(loadFixture(async () => undefined))).to.match(/Anonymous functions/)
    await helpers.clearSnapshots()
    await loadFixture(inner)
    expect([await balance(OTHER), runs]).to.deep.equal([2n, 2])
  })

  it('reset', async () => {
    await send()
    await helpers.reset()
    expect([await time.latestBlock(), await balance(OTHER)]).to.deep.equal([0, 0n])
    // The snapshot is used up.
    start = await helpers.takeSnapshot()
  })
})
