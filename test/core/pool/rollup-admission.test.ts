// Admission to the pool of a chain of the OP stack: deposits and blobs are refused, and the rollup's fees have to be
// affordable (op-geth, core/txpool/validation.go and core/types/transaction.go).

import { type Hex, numberToHex, padHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Transaction } from '../../../src/core/execution/transaction/transaction.ts'
import { type AdmissionContext, admitTransaction } from '../../../src/core/pool/admit.ts'
import {
  decodeIncluded,
  decodeTransaction,
  decodeWithSender,
  depositTransaction,
} from '../../../src/core/pool/decode.ts'
import {
  EMPTY_POOL,
  type Pool,
  queueOf,
  removeBelow,
  removeTransaction,
} from '../../../src/core/pool/pool.ts'
import { hexToBytes } from '../../../src/core/primitives/hex.ts'
import { ALICE, CHAIN_ID, deposit, opRules, stateOf } from '../execution/op-chain.ts'

/** A deposit of one ether that supersim made from a log on its layer 1, and its hash by viem. */
const DEPOSIT: Hex =
  '0x7ef863a0845320e92b437ebb756f11017afb55f111aaa27c509e6276be43eec1b034965794f39fd6e51aad88f6f4ce6ab8827279cfffb922669400000000000000000000000000000000000000aa880de0b6b3a7640000880de0b6b3a7640000830186a08080'
const DEPOSIT_HASH: Hex = '0x29822f15e31f8e8a3b9a6d392e7c0bc650bc8b67076c21b6d12ad8465d969cf2'

const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const SENDER = signer.address.toLowerCase() as Hex
/** 100 bytes × 16 × 2269 × 10^10 / 10^6, and 50,000 × 1000 × 100 + 10. */
const ROLLUP_FEES = 36_304_000_000n + 5_000_000_010n
const COST = 50_000n * 100n + 5n

function contextWith(balance: bigint): AdmissionContext {
  const l1Block = {
    '0x01': numberToHex(10_000_000_000n),
    '0x03': `${padHex(numberToHex(2269), { size: 4 })}${'00'.repeat(12)}` as Hex,
    '0x08': `0x000003e8${'a'.padStart(16, '0')}` as Hex,
  }
  return {
    rules: opRules('jovian'),
    limits: {
      ...{ transactionBytes: 131_072, poolTransactions: 100, replacementBumpPercent: 10, minimumTip: 0n },
      ...{ transactionFee: 0n, allowUnprotectedTransactions: false, blobTransactions: 'accepted' },
    },
    blockGasLimit: 30_000_000n,
    allowUnlimitedContractSize: false,
    state: stateOf({
      [SENDER]: { balance },
      '0x4200000000000000000000000000000000000015': { nonce: 1n, storage: l1Block },
    }),
  }
}

async function transfer(nonce: number, feeCap = 100n): Promise<Transaction> {
  const raw = await signer.signTransaction({
    ...{ type: 'eip1559', chainId: CHAIN_ID, nonce, to: ALICE, value: 5n, gas: 50_000n },
    ...{ maxFeePerGas: feeCap, maxPriorityFeePerGas: feeCap },
  })
  return decodeTransaction(hexToBytes(raw))
}

test('a submitted deposit is refused', () => {
  expect(() => decodeTransaction(hexToBytes(DEPOSIT))).toThrow('transaction type not supported')
})

test('a deposit of a block is decoded', () => {
  const decoded = decodeIncluded(hexToBytes(DEPOSIT))
  const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  expect(decoded).toMatchObject({
    ...{ type: 126, hash: DEPOSIT_HASH, sender: from, to: `0x${'aa'.padStart(40, '0')}`, nonce: 0n },
    ...{ value: 10n ** 18n, gasLimit: 100_000n, maxFeePerGas: 0n, r: 0n, s: 0n, chainId: undefined },
    deposit: {
      sourceHash: '0x845320e92b437ebb756f11017afb55f111aaa27c509e6276be43eec1b0349657',
      ...{ mint: 10n ** 18n, isSystem: false },
    },
  })
  expect(decodeWithSender(hexToBytes(DEPOSIT), from)).toEqual(decoded)
  const { sender, to, value, gasLimit, input: data, deposit: fields } = decoded
  const encoded = depositTransaction({ from: sender, to, value, gasLimit, data, ...fields } as never)
  expect(toHex(encoded.raw)).toBe(DEPOSIT)
})

test('the pool admits no deposit', () => {
  const context = contextWith(10n ** 18n)
  const limits = { ...context.limits, allowUnprotectedTransactions: true }
  const admit = () => admitTransaction({ ...context, limits }, EMPTY_POOL, deposit())
  expect(admit).toThrow('transaction type not supported')
})

test('blobs are refused, whatever the policy', async () => {
  const blob = { ...(await transfer(0)), type: 3 as const }
  expect(() => admitTransaction(contextWith(10n ** 18n), EMPTY_POOL, blob)).toThrow(
    'transaction type not supported',
  )
})

test('the sender has to afford the L1 data fee and the operator fee', async () => {
  const [enough, first] = [COST + ROLLUP_FEES, await transfer(0)]
  expect(admitTransaction(contextWith(enough), EMPTY_POOL, first).pool.byHash.size).toBe(1)
  expect(() => admitTransaction(contextWith(enough - 1n), EMPTY_POOL, first)).toThrow(
    `insufficient funds for gas * price + value: balance ${enough - 1n}, tx cost ${enough}, overshot 1`,
  )
})

test('and those of the transactions that it has in the pool', async () => {
  const [each, balance] = [COST + ROLLUP_FEES, 2n * (COST + ROLLUP_FEES)]
  const admit = (pool: Pool, transaction: Transaction) =>
    admitTransaction(contextWith(balance), pool, transaction).pool
  const [first, second, third] = [await transfer(0), await transfer(1), await transfer(2)]
  const two = admit(admit(EMPTY_POOL, first), second)
  expect(queueOf(two, SENDER).maximumCost).toBe(balance)
  expect(() => admit(two, third)).toThrow(
    `balance ${balance}, queued cost ${balance}, tx cost ${each}, overshot ${each}`,
  )
  // A replacement sets the cost of the replaced one free.
  const dearer = await transfer(1, 200n)
  expect(() => admit(two, dearer)).toThrow(
    `queued cost ${each}, tx cost ${each + 5_000_000n}, overshot 5000000`,
  )
  expect(queueOf(removeTransaction(two, second), SENDER).maximumCost).toBe(each)
  expect(queueOf(removeBelow(two, SENDER, 1n), SENDER).maximumCost).toBe(each)
})
