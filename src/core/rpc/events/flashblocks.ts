// The stream of flashblock payloads, as a follower takes it (base/node-reth, FlashblockSequenceValidator).

import { type OpenBlock, sealBlock } from '../../chain/block/block.ts'
import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import type { WorldState } from '../../state/world-state.ts'

/** A flashblock payload. Field names are those of the wire. */
export interface FlashblockPayload {
  /** 8 bytes, the same for all partial blocks of one build job. */
  readonly payload_id: hex.Hex
  /**
   * Counts the payloads of a build job from 0, the base. It is that of the partial block, unless the job has begun
   * later than the block: after a dropped pre-confirmation or a reorganisation, or because nobody listened.
   */
  readonly index: number
  /** The fixed fields of the block; only in the payload with index 0. */
  readonly base?: FlashblockBase
  /** Cumulative header fields, and the new transactions. */
  readonly diff: FlashblockDiff
  readonly metadata: FlashblockMetadata
}

interface FlashblockBase {
  readonly parent_beacon_block_root: hex.Hash
  readonly parent_hash: hex.Hash
  readonly fee_recipient: hex.Address
  readonly prev_randao: hex.Hash
  readonly block_number: hex.Hex
  readonly gas_limit: hex.Hex
  readonly timestamp: hex.Hex
  readonly extra_data: hex.Hex
  readonly base_fee_per_gas: hex.Hex
}
interface FlashblockDiff {
  readonly state_root: hex.Hash
  readonly receipts_root: hex.Hash
  readonly logs_bloom: hex.Hex
  readonly gas_used: hex.Hex
  readonly block_hash: hex.Hash
  /** EIP-2718 bytes of the transactions since the previous payload. */
  readonly transactions: readonly hex.Hex[]
  readonly withdrawals: readonly never[]
  readonly withdrawals_root: hex.Hash
  readonly blob_gas_used: hex.Hex
}
interface FlashblockReceipt {
  readonly cumulativeGasUsed: hex.Hex
  readonly logs: readonly {
    readonly address: hex.Address
    readonly topics: readonly hex.Hash[]
    readonly data: hex.Hex
  }[]
  readonly status: hex.Hex
  readonly type: hex.Hex
  /** Those of deposits, as in their receipts. */
  readonly depositNonce?: hex.Hex
  readonly depositReceiptVersion?: hex.Hex
}

interface FlashblockMetadata {
  readonly block_number: number
  /** On a rollup before azul: the balances of the accounts that the new transactions have written to. */
  readonly new_account_balances?: Readonly<Record<hex.Address, hex.Hex>>
  /** On a rollup before azul: the receipts of the new transactions, by hash. */
  readonly receipts?: Readonly<Record<hex.Hash, FlashblockReceipt>>
  /** On a rollup; always null. */
  readonly access_list?: null
}

interface Published {
  readonly payload: FlashblockPayload
  readonly base: FlashblockBase
  /** Counts the build jobs with this base, one after another, from 0. */
  readonly attempt: number
  /** The transactions of the block published so far, and the state after them. */
  readonly executed: readonly ExecutedTransaction[]
  readonly state: WorldState
}

export interface FlashblockStream {
  last: Published | undefined
  /** True once a block with the number of the last payload was sealed: followers have forgotten that job. */
  isOver: boolean
}

export function endJob(stream: FlashblockStream, headNumber: number): void {
  const { last } = stream
  if (last !== undefined && last.payload.metadata.block_number <= headNumber) stream.isOver = true
}

function toBase(environment: BlockEnvironment): FlashblockBase {
  return {
    parent_beacon_block_root: environment.parentBeaconBlockRoot,
    parent_hash: environment.parentHash,
    fee_recipient: environment.coinbase,
    prev_randao: environment.prevRandao,
    block_number: hex.toQuantity(environment.number),
    gas_limit: hex.toQuantity(environment.gasLimit),
    timestamp: hex.toQuantity(environment.timestamp),
    extra_data: hex.bytesToHex(environment.extraData),
    base_fee_per_gas: hex.toQuantity(environment.baseFeePerGas),
  }
}

function toDiff(open: OpenBlock, fresh: readonly ExecutedTransaction[]): FlashblockDiff {
  const { header, hash } = sealBlock(open)
  return {
    state_root: header.stateRoot,
    receipts_root: header.receiptsRoot,
    logs_bloom: hex.bytesToHex(header.logsBloom),
    gas_used: hex.toQuantity(header.gasUsed),
    block_hash: hash,
    transactions: fresh.map(({ transaction }) => hex.bytesToHex(transaction.raw)),
    withdrawals: [],
    withdrawals_root: header.withdrawalsRoot,
    blob_gas_used: hex.toQuantity(header.blobGasUsed),
  }
}

function toReceipt({ transaction, receipt }: ExecutedTransaction): FlashblockReceipt {
  const { cumulativeGasUsed, logs, status, deposit } = receipt
  return {
    cumulativeGasUsed: hex.toQuantity(cumulativeGasUsed),
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data: hex.bytesToHex(data) })),
    status: hex.toQuantity(status),
    type: hex.toQuantity(transaction.type),
    ...(deposit && { depositNonce: hex.toQuantity(deposit.nonce) }),
    ...(deposit?.version && { depositReceiptVersion: hex.toQuantity(deposit.version) }),
  }
}

/** What the builder tells besides the block. Base's has told neither balances nor receipts since azul. */
function toMetadata(
  { environment: { number: block_number }, rules: { rollup }, state }: OpenBlock,
  fresh: readonly ExecutedTransaction[],
  before: WorldState,
): FlashblockMetadata {
  if (rollup === undefined) return { block_number }
  if (rollup.changes.hasBareMetadata) return { block_number, access_list: null }
  const balances: [hex.Address, hex.Hex][] = []
  before.visitWrites(state, (address, _, account) => {
    if (account !== undefined) balances.push([address, hex.toQuantity(account.balance)])
  })
  return {
    block_number,
    new_account_balances: Object.fromEntries(balances.sort(([a], [b]) => (a < b ? -1 : 1))),
    receipts: Object.fromEntries(fresh.map((each) => [each.transaction.hash, toReceipt(each)])),
    access_list: null,
  }
}

/** Between two payloads with index 0 must be another: the node takes the second for a duplicate. */
function endOf({ payload_id, index, diff, metadata }: FlashblockPayload): FlashblockPayload[] {
  if (index > 0) return []
  const nothing = metadata.receipts === undefined ? {} : { new_account_balances: {}, receipts: {} }
  return [
    { payload_id, index: 1, diff: { ...diff, transactions: [] }, metadata: { ...metadata, ...nothing } },
  ]
}

/**
 * The payloads that bring a consumer of the stream up to `open`: one, if it continues the last one or is the first of the
 * next block. Another block, a changed base, or a block that has lost transactions is a new build job, whose first
 * payload has the base and all transactions so far. It is sent twice: the node drops its block at the first, because it
 * is out of sequence, and takes the second.
 */
export function nextPayloads(stream: FlashblockStream, open: OpenBlock): readonly FlashblockPayload[] {
  const { environment, executed, parent, state } = open
  const { last } = stream
  const base = toBase(environment)
  const isSameBase = last !== undefined && JSON.stringify(last.base) === JSON.stringify(base)
  // False after a drop or a revert.
  const isContinued = last?.executed.every(
    ({ transaction }, index) => transaction.hash === executed[index]?.transaction.hash,
  )
  if (isSameBase && !stream.isOver && isContinued) {
    const { payload_id, index } = last.payload
    const fresh = executed.slice(last.executed.length)
    const metadata = toMetadata(open, fresh, last.state)
    const payload = { payload_id, index: index + 1, diff: toDiff(open, fresh), metadata }
    stream.last = { ...last, payload, executed, state }
    return [payload]
  }
  const attempt = isSameBase ? last.attempt + 1 : 0
  // A hash of all that the job begins with, as an execution engine computes it.
  const job = hex.utf8ToBytes(JSON.stringify([base, attempt]))
  const first = {
    payload_id: hex.bytesToHex(keccak256(job).subarray(0, 8)),
    index: 0,
    base,
    diff: toDiff(open, executed),
    metadata: toMetadata(open, executed, parent.committed.state),
  }
  stream.last = { payload: first, base, attempt, executed, state }
  stream.isOver = false
  const isNext = last === undefined || environment.number === last.payload.metadata.block_number + 1
  return isNext ? [first] : [...endOf(last.payload), first, first]
}
