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
