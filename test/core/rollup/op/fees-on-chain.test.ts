// What a transaction costs on a chain of each fork, and who earns it: no wei is lost.

import { type Hex, hexToBigInt, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { OP_FORKS, type OpFork, opForksUpTo } from '../../../../src/core/rollup/op/forks.ts'
import { l1Cost } from '../../../../src/core/rollup/op/l1-costs.ts'
import { OP_PREDEPLOYS } from '../../../../src/core/rollup/op/predeploys.ts'
import type { L1CostParameters } from '../../../../src/core/rollup/stack.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { rulesAt } from './rules.ts'

const account = privateKeyToAccount(`0x${'5e'.repeat(32)}`)
const RECIPIENT = `0x${'ab'.repeat(20)}` as const
const GWEI = 1_000_000_000n

const isBefore = (fork: OpFork, other: OpFork): boolean => !opForksUpTo(fork).includes(other)

/** Those of the options below. */
function parametersOf(fork: OpFork): L1CostParameters {
  return {
    isBeforeEcotone: isBefore(fork, 'ecotone'),
    l1BaseFee: 30n * GWEI,
    l1BlobBaseFee: 2n * GWEI,
    overhead: 188n,
    scalar: 684_000n,
    baseFeeScalar: 1368n,
    blobBaseFeeScalar: 810_949n,
    operatorFeeScalar: 0n,
    operatorFeeConstant: 0n,
    daFootprintGasScalar: 0n,
  }
}

function createChain(fork: OpFork): Promise<Emulator> {
  return createEmulator({
    chainId: 8453,
    rollup: {
      stack: 'op',
      fork,
      l1: { baseFee: 30n * GWEI, blobBaseFee: 2n * GWEI },
      systemConfig: {
        overhead: 188,
        scalar: 684_000,
        baseFeeScalar: 1368,
        blobBaseFeeScalar: 810_949,
        operatorFeeScalar: 1500,
        operatorFeeConstant: 77,
        daFootprintGasScalar: 148,
      },
    },
  })
}

const HOLDERS = {
  sender: account.address,
  tips: OP_PREDEPLOYS.SequencerFeeVault,
  baseFees: OP_PREDEPLOYS.BaseFeeVault,
  l1Fees: OP_PREDEPLOYS.L1FeeVault,
  operatorFees: OP_PREDEPLOYS.OperatorFeeVault,
} as const
type Holder = keyof typeof HOLDERS
type Balances = Readonly<Record<Holder, bigint>>

async function balancesOn(chain: Emulator): Promise<Balances> {
  const entries = Object.entries(HOLDERS).map(async ([name, address]) => {
    const balance = await chain.request('eth_getBalance', [address as Hex, 'latest'])
    return [name, hexToBigInt(balance)] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as Balances
}

/** 21,000 × 1500 / 10^6 = 31.5 and 77; 21,000 × 1500 × 100 and 77. */
function operatorFeeOf(fork: OpFork): bigint {
  if (isBefore(fork, 'isthmus')) return 0n
  return fork === 'isthmus' ? 108n : 3_150_000_077n
}

describe.each(OP_FORKS)('%s: a transfer', (fork) => {
  test('costs gas, the L1 data fee and the operator fee, which the vaults earn', async () => {
    const chain = await createChain(fork)
    await chain.setBalance(account.address, 10n ** 18n)
    const raw = await account.signTransaction({
      ...{ chainId: 8453, nonce: 0, to: RECIPIENT, value: 5n, gas: 50_000n },
      ...{ maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 7n },
    })
    const before = await balancesOn(chain)
    const hash = await chain.request('eth_sendRawTransaction', [raw])
    await chain.seal()
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const block = await chain.request('eth_getBlockByNumber', ['latest', false])
    const baseFee = hexToBigInt(block?.baseFeePerGas as Hex)
    const after = await balancesOn(chain)
    const l1 = l1Cost(rulesAt(fork), parametersOf(fork), hexToBytes(raw))
    expect(l1.fee).toBeGreaterThan(0n)
    expect(receipt).toMatchObject({
      status: '0x1',
      gasUsed: '0x5208',
      l1Fee: `0x${l1.fee.toString(16)}`,
      l1GasUsed: `0x${l1.gasUsed.toString(16)}`,
      l1GasPrice: `0x${(30n * GWEI).toString(16)}`,
    })
    const earned = {
      tips: 7n * 21_000n,
      baseFees: baseFee * 21_000n,
      l1Fees: l1.fee,
      operatorFees: operatorFeeOf(fork),
    }
    const changes = Object.fromEntries(
      Object.keys(HOLDERS).map((name) => [name, after[name as Holder] - before[name as Holder]]),
    )
    const paid = Object.values(earned).reduce((sum, fee) => sum + fee, 5n)
    expect(changes).toEqual({ ...earned, sender: -paid })
    // 100 bytes, the least, at 148 gas each.
    if (fork === 'jovian') expect(block).toMatchObject({ blobGasUsed: '0x39d0' })
  })

  test('is refused where the fees besides gas are missing, and taken where they are there', async () => {
    const chain = await createChain(fork)
    const raw = await account.signTransaction({
      ...{ chainId: 8453, nonce: 0, to: RECIPIENT, value: 5n, gas: 21_000n },
      ...{ maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 7n },
    })
    // The block before tells L1Block the parameters.
    await chain.seal()
    const l1 = l1Cost(rulesAt(fork), parametersOf(fork), hexToBytes(raw)).fee
    const cost = 21_000n * 3n * GWEI + 5n + l1 + operatorFeeOf(fork)
    await chain.setBalance(account.address, cost - 1n)
    await expect(chain.request('eth_sendRawTransaction', [raw])).rejects.toMatchObject({
      kind: 'insufficientFunds',
    })
    await chain.setBalance(account.address, cost)
    const hash = await chain.request('eth_sendRawTransaction', [raw])
    await chain.seal()
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })
})
