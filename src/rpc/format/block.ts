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
import type { BlockView } from '../../chain/view.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { isForkActive, type Rules } from '../../rollup/forks.ts'
import { formatTransaction, type RpcTransaction } from './transaction.ts'

export interface RpcBlock {
  readonly number: Hex
  readonly hash: Hash
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
function forkFields(rules: Rules, header: Header): Partial<RpcBlock> {
  const since = <Fields>(
    fork: 'london' | 'shanghai' | 'cancun' | 'prague',
    fields: Fields,
  ): Fields | undefined => (isForkActive(rules, fork) ? fields : undefined)
  return {
    ...since('london', { baseFeePerGas: toQuantity(header.baseFeePerGas) }),
    ...since('shanghai', { withdrawals: [], withdrawalsRoot: EMPTY_WITHDRAWALS_ROOT }),
    ...since('cancun', {
      blobGasUsed: toQuantity(header.blobGasUsed),
      excessBlobGas: toQuantity(header.excessBlobGas),
      parentBeaconBlockRoot: header.parentBeaconBlockRoot,
    }),
    ...since('prague', { requestsHash: EMPTY_REQUESTS_HASH }),
  }
}

export type TransactionDetail = 'hashes' | 'full'

function formatTransactions(view: BlockView, detail: TransactionDetail): RpcBlock['transactions'] {
  return detail === 'hashes'
    ? view.executed.map(({ transaction }) => transaction.hash)
    : view.executed.map(({ transaction, index }) => formatTransaction(transaction, { view, index }))
}

export function formatBlock(rules: Rules, view: BlockView, detail: TransactionDetail): RpcBlock {
  const block = view.block()
  const { header } = block
  return {
    number: toQuantity(header.number),
    hash: block.hash,
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
    size: toQuantity(sizeOf(rules, block)),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    transactions: formatTransactions(view, detail),
    uncles: [],
    ...forkFields(rules, header),
  }
}
