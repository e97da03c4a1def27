// Blocks as JSON-RPC shows them: exactly the fields of the specification's part 2, sealed or pending.

import { sizeOf } from '../../chain/block.ts'
import {
  EMPTY_REQUESTS_HASH,
  EMPTY_UNCLES_HASH,
  EMPTY_WITHDRAWALS_ROOT,
  HEADER_NONCE,
  type Header,
  mixHash,
} from '../../chain/header.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/forks.ts'
import type { PresentedBlock } from './present.ts'
import { formatTransaction, type RpcTransaction } from './transaction.ts'

export interface RpcBlock {
  readonly number: Hex | null
  readonly hash: Hash | null
  readonly parentHash: Hash
  readonly nonce: Hex
  readonly sha3Uncles: Hash
  readonly logsBloom: Hex
  readonly transactionsRoot: Hash
  readonly stateRoot: Hash
  readonly receiptsRoot: Hash
  readonly miner: Address
  readonly difficulty: Hex
  readonly mixHash: Hash
  readonly extraData: Hex
  readonly size: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly timestamp: Hex
  readonly transactions: readonly Hash[] | readonly RpcTransaction[]
  readonly uncles: readonly Hash[]
  readonly baseFeePerGas?: Hex
  readonly withdrawals?: readonly never[]
  readonly withdrawalsRoot?: Hash
  readonly blobGasUsed?: Hex
  readonly excessBlobGas?: Hex
  readonly parentBeaconBlockRoot?: Hash
  readonly requestsHash?: Hash
}

/** The fields that came with a fork; prague has them all. */
function forkFields(rules: Rules, header: Header): Partial<RpcHeader> {
  const since = <Fields>(
    fork: 'london' | 'shanghai' | 'cancun' | 'prague',
    fields: Fields,
  ): Fields | undefined => (isForkActive(rules, fork) ? fields : undefined)
  return {
    ...since('london', { baseFeePerGas: toQuantity(header.baseFeePerGas) }),
    ...since('shanghai', { withdrawalsRoot: EMPTY_WITHDRAWALS_ROOT }),
    ...since('cancun', {
      blobGasUsed: toQuantity(header.blobGasUsed),
      excessBlobGas: toQuantity(header.excessBlobGas),
      parentBeaconBlockRoot: header.parentBeaconBlockRoot,
    }),
    ...since('prague', { requestsHash: EMPTY_REQUESTS_HASH }),
  }
}

export type TransactionDetail = 'hashes' | 'full'

function formatTransactions(block: PresentedBlock, detail: TransactionDetail): RpcBlock['transactions'] {
  return detail === 'hashes'
    ? block.view.executed.map(({ transaction }) => transaction.hash)
    : block.view.executed.map(({ transaction, index }) => formatTransaction(transaction, { block, index }))
}

/** The header as the newHeads subscription shows it. */
export type RpcHeader = Omit<RpcBlock, 'size' | 'transactions' | 'uncles' | 'withdrawals'>

export function formatHeader(rules: Rules, block: PresentedBlock): RpcHeader {
  const { header } = block.view.block()
  return {
    number: block.number,
    hash: block.hash(),
    parentHash: header.parentHash,
    nonce: HEADER_NONCE,
    sha3Uncles: EMPTY_UNCLES_HASH,
    logsBloom: bytesToHex(header.logsBloom),
    transactionsRoot: header.transactionsRoot,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    miner: header.coinbase,
    difficulty: toQuantity(0),
    mixHash: mixHash(rules, header),
    extraData: bytesToHex(header.extraData),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    ...forkFields(rules, header),
  }
}

export function formatBlock(rules: Rules, block: PresentedBlock, detail: TransactionDetail): RpcBlock {
  return {
    ...formatHeader(rules, block),
    size: toQuantity(sizeOf(rules, block.view.block())),
    transactions: formatTransactions(block, detail),
    uncles: [],
    ...(isForkActive(rules, 'shanghai') ? { withdrawals: [] } : {}),
  }
}
