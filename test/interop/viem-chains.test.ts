// viem's own definitions of the networks whose options are presets here: their formatters, serializers and contracts.

import { base, createEmulator, type EmulatorOptions, opMainnet, unichain } from 'tickchain'
import { emulatorTransport } from 'tickchain/viem'
import { type Chain, createWalletClient, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia, optimism, base as viemBase, unichain as viemUnichain } from 'viem/chains'
import { publicActionsL2, walletActionsL2 } from 'viem/op-stack'
import { expect, test } from 'vitest'

// The first account of anvil's and Hardhat's mnemonic.
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const BOB = `0x${'b0'.repeat(20)}` as const
const L1_BASE_FEE = 10n ** 9n

/** The fee of the shortest transaction by fjord's formula: 100 bytes, with a blob base fee of 1 wei. */
const leastFee = (baseScalar: bigint, blobScalar: bigint): bigint =>
  (100n * 10n ** 6n * (baseScalar * 16n * L1_BASE_FEE + blobScalar)) / 10n ** 12n

interface Network {
  readonly chain: Chain
  readonly options: EmulatorOptions
  readonly scalars: readonly [base: bigint, blob: bigint]
  readonly deposits: number
}

test.each<Network>([
  { chain: viemBase, options: base(), scalars: [2269n, 1_055_762n], deposits: 2 },
  {
    chain: baseSepolia,
    options: base({ chainId: baseSepolia.id }),
    scalars: [2269n, 1_055_762n],
    deposits: 2,
  },
  { chain: optimism, options: opMainnet(), scalars: [1368n, 810_949n], deposits: 1 },
  { chain: viemUnichain, options: unichain(), scalars: [2000n, 900_000n], deposits: 1 },
])('$chain.name: a transaction, its fees and its receipt', async ({ chain, options, scalars, deposits }) => {
  const emulator = await createEmulator({ ...options, production: 'auto' })
  // In genesis L1Block knows nothing yet.
  await emulator.mine()
  const transport = emulatorTransport(emulator)
  const client = createWalletClient({ account, chain, transport, cacheTime: 0, pollingInterval: 10 })
    .extend(publicActions)
    .extend(publicActionsL2())
    .extend(walletActionsL2())
  expect(await client.getChainId()).toBe(chain.id)
  const transfer = { account, to: BOB, value: 5n } as const
  const l1Fee = leastFee(...scalars)
  expect(await client.getL1BaseFee()).toBe(L1_BASE_FEE)
  expect(await client.estimateL1Gas(transfer)).toBe(1600n)
  expect(await client.estimateL1Fee(transfer)).toBe(l1Fee)
  const price = await client.getGasPrice()
  expect(await client.estimateTotalFee(transfer)).toBe(l1Fee + 21_000n * price)

  const before = await client.getBalance({ address: account.address })
  const hash = await client.sendTransaction({ to: BOB, value: 5n })
  const receipt = await client.waitForTransactionReceipt({ hash })
  expect(receipt).toMatchObject({
    ...{ status: 'success', type: 'eip1559', gasUsed: 21_000n, transactionIndex: deposits },
    ...{ l1Fee, l1GasUsed: 1600n, l1GasPrice: L1_BASE_FEE, l1FeeScalar: null },
  })
  const after = await client.getBalance({ address: account.address })
  expect(before - after).toBe(5n + l1Fee + 21_000n * receipt.effectiveGasPrice)

  const block = await client.getBlock({ blockHash: receipt.blockHash, includeTransactions: true })
  const types = block.transactions.map(({ type }) => type)
  expect(types).toEqual([...Array(deposits).fill('deposit'), 'eip1559'])
  const contracts = block.transactions.slice(0, deposits).map(({ to }) => Number(to?.slice(-2)))
  expect(contracts).toEqual([15, 30].slice(0, deposits))

  const { maxFeePerGas } = await client.estimateFeesPerGas()
  await expect(
    client.sendTransaction({ to: BOB, gas: 16_777_217n, maxFeePerGas: maxFeePerGas! }),
  ).rejects.toThrow(/16777216/)
})
