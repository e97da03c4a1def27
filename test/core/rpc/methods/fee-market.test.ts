import { describe, expect, test } from 'vitest'
import { startScene } from '../scene.ts'

/** EIP-1559: an empty block takes an eighth off the base fee. */
const FEES = ['0x3b9aca00', '0x342770c0', '0x2da282a8']

test('eth_baseFee is that of the block being built', async () => {
  const { chain, ask } = await startScene()
  expect(await ask('eth_baseFee')).toBe(FEES[1])
  await chain.seal()
  expect(await ask('eth_baseFee')).toBe(FEES[2])
})

test('eth_blobBaseFee is 1 wei where no block has blobs', async () => {
  expect(await (await startScene()).ask('eth_blobBaseFee')).toBe('0x1')
})

describe('eth_feeHistory', () => {
  test('ends with the fees of the block being built', async () => {
    const { chain, ask } = await startScene()
    await chain.seal()
    expect(await ask('eth_feeHistory', '0x2', 'latest')).toEqual({
      oldestBlock: '0x0',
      baseFeePerGas: FEES,
      gasUsedRatio: [0, 0],
      baseFeePerBlobGas: ['0x1', '0x1', '0x1'],
      blobGasUsedRatio: [0, 0],
    })
  })

  test('of the block being built ends with the fees after it as it is now', async () => {
    expect(await (await startScene()).ask('eth_feeHistory', '0x1', 'pending')).toMatchObject({
      baseFeePerGas: FEES.slice(1),
      baseFeePerBlobGas: ['0x1', '0x1'],
    })
  })

  test('of a block in the past ends with the fees of the one after it', async () => {
    const { chain, ask } = await startScene()
    await chain.seal()
    expect(await ask('eth_feeHistory', '0x1', '0x0')).toMatchObject({ baseFeePerGas: FEES.slice(0, 2) })
  })

  test('before cancun blob gas has no price', async () => {
    const { ask } = await startScene({ hardfork: 'shanghai' })
    expect(await ask('eth_feeHistory', '0x1', 'latest')).toMatchObject({
      baseFeePerBlobGas: ['0x0', '0x0'],
      blobGasUsedRatio: [0],
    })
  })

  test('before london there is no base fee', async () => {
    const { ask } = await startScene({ hardfork: 'berlin' })
    expect(await ask('eth_feeHistory', '0x1', 'pending')).toMatchObject({ baseFeePerGas: ['0x0', '0x0'] })
  })

  describe('the tips at percentiles of the gas', () => {
    /** Four transfers, with tips of 1, 2, 3 and 4 gwei, and so a quarter of the gas each. */
    async function withTips() {
      const { chain, ask } = await startScene()
      const accounts = await ask<string[]>('eth_accounts')
      for (const [index, from] of accounts.slice(0, 4).entries()) {
        const tip = `0x${((4n - BigInt(index)) * 10n ** 9n).toString(16)}`
        const fees = { maxFeePerGas: '0x4a817c800', maxPriorityFeePerGas: tip }
        await ask('eth_sendTransaction', { from, to: from, gas: '0x5208', ...fees })
      }
      await chain.seal()
      return ask
    }

    test('are those of the transaction in which the share of gas is reached', async () => {
      const ask = await withTips()
      // 25.001 and 25.002 percent are 21,000 and 21,001 gas, rounded down as in geth.
      const percentiles = [0, 25, 25.001, 25.002, 25.1, 50, 75, 75.1, 100]
      const gwei = [1, 1, 1, 2, 2, 2, 3, 4, 4]
      expect(await ask('eth_feeHistory', '0x1', 'latest', percentiles)).toMatchObject({
        reward: [gwei.map((tip) => `0x${(tip * 1e9).toString(16)}`)],
      })
    })

    test('are zero for a block without transactions', async () => {
      const { chain, ask } = await startScene()
      await chain.seal()
      expect(await ask('eth_feeHistory', '0x2', 'latest', [0, 100])).toMatchObject({
        reward: [
          ['0x0', '0x0'],
          ['0x0', '0x0'],
        ],
      })
    })

    test('are not there if no percentile is asked for', async () => {
      expect(await (await startScene()).ask('eth_feeHistory', '0x1', 'latest', [])).not.toHaveProperty(
        'reward',
      )
    })

    // geth, eth/gasprice/feehistory.go
    test.each<[what: string, percentiles: readonly number[], message: string]>([
      ['below 0', [-1], 'invalid reward percentile: -1'],
      ['above 100', [100.5], 'invalid reward percentile: 100.5'],
      ['that descend', [10, 50, 49], 'invalid reward percentile: #1:50 >= #2:49'],
      ['that descend at once', [2, 1], 'invalid reward percentile: #0:2 >= #1:1'],
      [
        'more than 100',
        Array.from({ length: 101 }, () => 1),
        'invalid reward percentile: over the query limit 100',
      ],
    ])('refuses percentiles %s', async (_, percentiles, message) => {
      const { ask } = await startScene()
      await expect(ask('eth_feeHistory', '0x1', 'latest', percentiles)).rejects.toMatchObject({ message })
    })

    test('may be at 100 percentiles, and at the same one twice', async () => {
      const { ask } = await startScene()
      const percentiles = Array.from({ length: 100 }, (_, index) => Math.max(0, index - 1))
      const { reward } = await ask<{ reward: string[][] }>('eth_feeHistory', '0x1', 'latest', percentiles)
      expect(reward.map((tips) => tips.length)).toEqual([100])
    })
  })

  test('shows the share of blobs, and their price', async () => {
    // e^(15,010,000 / 5,007,716) is 20.03; the block after is 6 × 131,072 of excess lower, which gives 17.1.
    const excessBlobGas = 15_010_000n
    const genesis = { excessBlobGas, blobGasUsed: 6n * 131_072n }
    const { ask } = await startScene({ genesis })
    expect(await ask('eth_feeHistory', '0x2', 'pending')).toMatchObject({
      baseFeePerBlobGas: ['0x14', '0x14', '0x11'],
    })
  })
})
