import { type Hex, hexToBigInt, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { nextBaseFee } from '../../../src/core/rollup/fees.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { readBlock } from '../chain/reads.ts'
import { makeWallets, privateKeys } from '../chain/wallet.ts'
import { stranger } from '../chain/workload.ts'

const GWEI = 1_000_000_000n

describe('the base fee after a block', () => {
  test.each([
    // go-ethereum, consensus/misc/eip1559: TestCalcBaseFee.
    [GWEI, 20_000_000n, 10_000_000n, GWEI],
    [GWEI, 20_000_000n, 9_000_000n, 987_500_000n],
    [GWEI, 20_000_000n, 11_000_000n, 1_012_500_000n],
    // A full block raises it by 1/8, an empty one lowers it by 1/8.
    [GWEI, 60_000_000n, 60_000_000n, 1_125_000_000n],
    [GWEI, 60_000_000n, 0n, 875_000_000n],
    // The change is rounded down at each of its two divisions: 999 × 1 / 3 = 333, 333 / 8 = 41.
    [999n, 6n, 4n, 999n + 41n],
    [999n, 6n, 2n, 999n - 41n],
    // A rise is at least one wei, a fall may be none.
    [7n, 60_000_000n, 60_000_000n, 8n],
    [7n, 60_000_000n, 0n, 7n],
    [0n, 60_000_000n, 60_000_000n, 1n],
    [0n, 60_000_000n, 0n, 0n],
    // An odd limit has its target rounded down: 21,001 / 2 = 10,500.
    [GWEI, 21_001n, 10_500n, GWEI],
    [GWEI, 21_001n, 21_000n, 1_125_000_000n],
  ])('of base fee %d and gas limit %d, with %d used, is right', (baseFeePerGas, gasLimit, gasUsed, next) => {
    expect(nextBaseFee({ baseFeePerGas, gasLimit, gasUsed })).toBe(next)
  })
})

describe('a chain whose blocks hold six transfers', () => {
  async function setUp(baseFeePerGas: bigint | number) {
    const chain = await createEmulator({
      accounts: { privateKeys },
      genesis: { gasLimit: 126_000, baseFeePerGas },
    })
    return { chain, wallets: makeWallets(chain) }
  }

  async function baseFeeOf(chain: Emulator, selector: 'latest' | 'pending'): Promise<bigint> {
    return hexToBigInt((await readBlock(chain, selector)).baseFeePerGas as Hex)
  }

  test('moves its base fee block by block as EIP-1559 says', async () => {
    const { chain, wallets } = await setUp(GWEI)
    const expected: [transfers: number, gasUsed: bigint, next: bigint][] = [
      // 1/8 less after the empty genesis; then full, half (the target), empty, one and five of six.
      [6, 126_000n, 984_375_000n],
      [3, 63_000n, 984_375_000n],
      [0, 0n, 861_328_125n],
      // 861,328,125 × 42,000 / 63,000 = 574,218,750; / 8 = 71,777,343.
      [1, 21_000n, 789_550_782n],
      // 789,550,782 × 42,000 / 63,000 = 526,367,188; / 8 = 65,795,898.
      [5, 105_000n, 855_346_680n],
    ]
    expect(await baseFeeOf(chain, 'pending')).toBe(875_000_000n)
    for (const [transfers, gasUsed, next] of expected) {
      for (const wallet of wallets.slice(0, transfers)) await wallet.send({ to: stranger(1), value: 1n })
      const promised = await baseFeeOf(chain, 'pending')
      await chain.advance(2000)
      expect(await baseFeeOf(chain, 'latest')).toBe(promised)
      expect(hexToBigInt((await readBlock(chain, 'latest')).gasUsed)).toBe(gasUsed)
      expect(await baseFeeOf(chain, 'pending')).toBe(next)
    }
  })

  test('tells the base fee of the next block in its fee history', async () => {
    const { chain, wallets } = await setUp(GWEI)
    for (const wallet of wallets) await wallet.send({ to: stranger(1), value: 1n })
    await chain.advance(4000)
    const history = await chain.request({ method: 'eth_feeHistory', params: [3, 'latest'] })
    const expected = [GWEI, 875_000_000n, 984_375_000n, 861_328_125n]
    expect(history).toMatchObject({
      oldestBlock: '0x0',
      baseFeePerGas: expected.map((fee) => numberToHex(fee)),
      gasUsedRatio: [0, 1, 0],
    })
  })

  test('of no base fee at all stays there while it is empty, and leaves it after a full block', async () => {
    const { chain, wallets } = await setUp(0)
    await chain.advance(4000)
    expect(await baseFeeOf(chain, 'pending')).toBe(0n)
    for (const wallet of wallets) await wallet.send({ to: stranger(1), value: 1n, tip: 0n })
    await chain.advance(2000)
    expect(await baseFeeOf(chain, 'pending')).toBe(1n)
  })

  test('takes a transaction into a later block when the base fee has fallen to its fee cap', async () => {
    const { chain, wallets } = await setUp(GWEI)
    const [wallet] = wallets
    const hash = await wallet.send({ to: stranger(1), value: 1n, fee: 800_000_000n, tip: 0n })
    const blockOf = async () =>
      (await chain.request({ method: 'eth_getTransactionByHash', params: [hash] }))?.blockNumber
    // 875,000,000 in block 1, 765,625,000 in block 2.
    await chain.advance(2000)
    expect(await blockOf()).toBeNull()
    await chain.advance(2000)
    expect(await blockOf()).toBe('0x2')
  })
})

test('before london there is no base fee, and a gas price goes to the coinbase whole', async () => {
  const chain = await createEmulator({
    accounts: { privateKeys },
    hardfork: 'berlin',
    genesis: { coinbase: stranger(9) },
  })
  const [wallet] = makeWallets(chain)
  await wallet.send({ type: 'legacy', to: stranger(1), value: 1n, fee: 3n })
  await chain.advance(2000)
  expect(await chain.request({ method: 'eth_getBalance', params: [stranger(9)] })).toBe(numberToHex(63_000))
})
