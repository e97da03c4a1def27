// A chain of the OP stack of two blocks, built without a node: genesis, and a block with L1 attributes, a deposit and
// two transfers.

import { concatHex, type Hex, numberToHex, padHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { openBlock, type SealedBlock, sealBlock } from '../../../src/core/chain/block/block.ts'
import { completeBody, executeTransactions, feesAfter } from '../../../src/core/chain/block/execute-block.ts'
import { createGenesisBlock } from '../../../src/core/chain/block/genesis.ts'
import type { Transaction } from '../../../src/core/execution/transaction/transaction.ts'
import { decodeTransaction, depositTransaction } from '../../../src/core/pool/decode.ts'
import { hexToBytes } from '../../../src/core/primitives/hex.ts'
import { encodeExtraData } from '../../../src/core/rollup/op/extra-data.ts'
import type { OpFork } from '../../../src/core/rollup/op/forks.ts'
import { attributesDeposit } from '../../../src/core/rollup/op/l1-attributes.ts'
import type { L1Attributes } from '../../../src/core/rollup/stack.ts'
import {
  ALICE,
  accountOf,
  BOB,
  CHAIN_ID,
  COINBASE,
  contextOf,
  deposit,
  ENVIRONMENT,
  opRules,
  type SimpleAccount,
} from '../execution/op-chain.ts'

export const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const MESSAGE_PASSER: Hex = '0x4200000000000000000000000000000000000016'
export const GENESIS_TIME = 1_700_000_000

export const ATTRIBUTES: L1Attributes = {
  origin: {
    number: 17,
    timestamp: GENESIS_TIME,
    hash: padHex('0x11', { size: 32 }),
    baseFee: 10_000_000_000n,
    blobBaseFee: 1n,
  },
  sequenceNumber: 0,
  system: {
    ...{ batcherHash: padHex('0xba', { size: 32 }), overhead: 188n, scalar: 684_000n },
    ...{ baseFeeScalar: 2269, blobBaseFeeScalar: 0, gasLimit: 30_000_000n },
    eip1559: { denominator: 0, elasticity: 0 },
    ...{ operatorFeeScalar: 0, operatorFeeConstant: 0n, minBaseFee: 0n, daFootprintGasScalar: 400 },
  },
}

/** In place of L1Block's code one that does nothing: its storage is at the values of the attributes already. */
const ACCOUNTS: Readonly<Record<Hex, SimpleAccount>> = {
  [signer.address.toLowerCase()]: { balance: 10n ** 18n },
  '0x4200000000000000000000000000000000000015': {
    ...{ nonce: 1n, code: '0x00' },
    storage: {
      '0x01': numberToHex(10_000_000_000n),
      '0x03': concatHex([padHex(numberToHex(2269), { size: 4 }), padHex('0x', { size: 12 })]),
      '0x08': concatHex([numberToHex(400, { size: 2 }), padHex('0x', { size: 12 })]),
    },
  },
  // Stores 1 at the slot that its caller names: PUSH1 1 PUSH1 0 CALLDATALOAD SSTORE.
  [MESSAGE_PASSER]: { nonce: 1n, code: '0x60016000355500', storage: { '0x05': '0x07' } },
}

export function genesisOf(fork: OpFork, minBaseFee = 0n): SealedBlock {
  const rules = opRules(fork)
  return createGenesisBlock(rules, {
    accounts: Object.entries(ACCOUNTS).map(
      ([address, account]) => [address as Hex, accountOf(account)] as const,
    ),
    ...{ number: 0, timestamp: GENESIS_TIME, gasLimit: 30_000_000n, baseFeePerGas: 1_000_000_000n },
    ...{
      coinbase: COINBASE,
      difficulty: 0n,
      mixHash: padHex('0x', { size: 32 }),
      nonce: '0x0000000000000000',
    },
    ...{ excessBlobGas: 0n, blobGasUsed: 0n },
    extraData: encodeExtraData(rules, { eip1559: ATTRIBUTES.system.eip1559, minBaseFee }),
  })
}

/** What a block of this chain holds. */
export async function transactionsOf(fork: OpFork): Promise<Transaction[]> {
  const rules = opRules(fork)
  const signed = await Promise.all(
    [BOB, MESSAGE_PASSER].map((to, nonce) =>
      signer.signTransaction({
        ...{ type: 'eip1559', chainId: CHAIN_ID, nonce, to, gas: 100_000n },
        ...{ maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n },
        ...(to === BOB ? { value: 5n } : { data: padHex('0x09', { size: 32 }) }),
      }),
    ),
  )
  return [
    depositTransaction(attributesDeposit(rules, ATTRIBUTES, rules)),
    deposit({ from: ALICE, to: BOB, mint: 3n, value: 2n }),
    ...signed.map((raw) => decodeTransaction(hexToBytes(raw))),
  ]
}

export interface BuiltOn {
  readonly fork: OpFork
  readonly parent: SealedBlock
  readonly transactions: readonly Transaction[]
}

export async function buildBlock({ fork, parent, transactions }: BuiltOn): Promise<SealedBlock> {
  const rules = opRules(fork)
  const environment = {
    ...ENVIRONMENT,
    ...feesAfter(rules, parent),
    ...{ number: parent.header.number + 1, timestamp: parent.header.timestamp + 2 },
    ...{ parentHash: parent.hash, extraData: parent.header.extraData },
  }
  const context = contextOf(rules)
  const open = await executeTransactions(context, openBlock(rules, parent, environment), transactions)
  return sealBlock(await completeBody(context, open, []))
}
