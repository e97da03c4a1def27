// JSON-RPC blocks, headers, uncles and withdrawals; the fields of the specification, part 2.

import { sizeOfBlock } from '../../chain/block/block.ts'
import { EMPTY_BODY, encodeBlock, formatWithdrawal, type Uncle } from '../../chain/block/body.ts'
import { bloomToHex } from '../../execution/transaction/transaction.ts'
import { FIELD_KINDS } from '../../primitives/fields.ts'
import { type Address, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { memoizeWeak } from '../../primitives/lru-cache.ts'
import * as headers from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { millisField, type PresentedBlock } from './receipt.ts'
import { formatTransaction, type RpcTransaction } from './transaction.ts'

/**
 * A withdrawal of EIP-4895 as JSON.
 * @public Declarations of other files name it.
 */
export interface RpcWithdrawal {
  readonly index: Hex
  readonly validatorIndex: Hex
  readonly address: Address
  readonly amount: Hex
}

export interface RpcBlock {
  readonly number: Hex | null
  readonly hash: Hash | null
  readonly parentHash: Hash
  readonly nonce: Hex | null
  readonly sha3Uncles: Hash
  readonly logsBloom: Hex
  readonly transactionsRoot: Hash
  readonly stateRoot: Hash
  readonly receiptsRoot: Hash
  readonly miner: Address
  readonly difficulty: Hex
  readonly mixHash: Hash | null
  readonly extraData: Hex
  readonly size: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly timestamp: Hex
  /** The timestamp in milliseconds; only where a second has several blocks. */
  readonly timestampMs?: Hex
  readonly transactions: readonly Hash[] | readonly RpcTransaction[]
  readonly uncles: readonly Hash[]
  readonly baseFeePerGas?: Hex
  readonly withdrawals?: readonly RpcWithdrawal[]
  readonly withdrawalsRoot?: Hash
  readonly blobGasUsed?: Hex
  readonly excessBlobGas?: Hex
  readonly parentBeaconBlockRoot?: Hash
  readonly requestsHash?: Hash
  readonly totalDifficulty?: Hex
}

export type TransactionDetail = 'hashes' | 'full'

/** A header as in the newHeads subscription. */
export type RpcHeader = Omit<RpcBlock, 'size' | 'transactions' | 'uncles' | 'withdrawals' | 'totalDifficulty'>

/** The order of the specification's fields; those of later forks follow in the order of the table. */
const NAMES = [
  ...new Set([
    ...(['parentHash', 'nonce', 'unclesHash', 'logsBloom', 'transactionsRoot', 'stateRoot'] as const),
    ...(['receiptsRoot', 'coinbase', 'difficulty', 'prevRandao', 'extraData'] as const),
    ...(['gasLimit', 'gasUsed', 'timestamp'] as const),
    ...headers.HEADER_NAMES,
  ]),
].filter((name) => name !== 'number')

/** The fields that every header has: an object that grows by all of them would become a slow dictionary. */
const TEMPLATE = Object.fromEntries(
  NAMES.filter((name) => headers.headerField(name).since === undefined).map((name) => [jsonName(name), null]),
)

function jsonName(name: headers.HeaderName): string {
  return headers.headerField(name).json ?? name
}

const jsonFields = memoizeWeak((rules: Rules) =>
  NAMES.filter((name) => headers.hasField(rules, name)).map((name) => {
    const { kind } = headers.headerField(name)
    return {
      name,
      json: jsonName(name),
      toJson: (kind === 'bloom' ? bloomToHex : FIELD_KINDS[kind].toJson) as (value: unknown) => Hex,
    }
  }),
)

function headerFields(rules: Rules, header: headers.Header, number: Hex | null, hash: Hash | null) {
  const fields: Record<string, unknown> = { number, hash, ...TEMPLATE }
  for (const { name, json, toJson } of jsonFields(rules)) fields[json] = toJson(header[name])
  return fields as unknown as RpcHeader
}

export function formatHeader(block: PresentedBlock): RpcHeader {
  const { rules, header } = block.view.block()
  const own = headerFields(rules, header, block.number, block.hash())
  const fields = { ...own, ...millisField(block, 'timestampMs') }
  return block.isUnmined ? { ...fields, number: null, nonce: null, mixHash: null } : fields
}

/** An uncle is a header only; its `size` is that of a block with an empty body, as in geth. */
export type RpcUncle = RpcHeader & Pick<RpcBlock, 'size' | 'uncles'>

export function formatUncle({ rules, header }: Uncle): RpcUncle {
  return {
    ...headerFields(rules, header, toQuantity(header.number), headers.hashHeader(rules, header)),
    size: toQuantity(encodeBlock(rules, header, EMPTY_BODY, []).length),
    uncles: [],
  }
}

export function formatBlock(block: PresentedBlock, detail: TransactionDetail): RpcBlock {
  const sealed = block.view.block()
  const { rules, body } = sealed
  const { executed } = block.view
  return {
    ...formatHeader(block),
    // Hardhat's blocks have it after the merge too.
    ...(block.flavor === 'hardhat' && { totalDifficulty: toQuantity(sealed.totalDifficulty) }),
    size: toQuantity(sizeOfBlock(sealed)),
    transactions:
      detail === 'hashes'
        ? executed.map(({ transaction }) => transaction.hash)
        : executed.map(({ transaction, index }) => formatTransaction(transaction, { block, index })),
    uncles: body.uncles.map((uncle) => headers.hashHeader(uncle.rules, uncle.header)),
    ...(isForkActive(rules, 'shanghai') ? { withdrawals: body.withdrawals.map(formatWithdrawal) } : {}),
  }
}
