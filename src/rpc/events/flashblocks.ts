// The stream of flashblock payloads, made from partial blocks: a base once for each build job, then differences.

import type { OpenBlock } from '../../chain/block/block.ts'
import { sealBlock } from '../../chain/block/block.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  bytesToHex,
  concatBytes,
  type Hash,
  type Hex,
  hexToBytes,
  toQuantity,
} from '../../primitives/hex.ts'

/** A flashblock payload. Field names are those of the wire. */
export interface FlashblockPayload {
  /** 8 bytes, the same for all partial blocks of one build job. */
  readonly payload_id: Hex
  /** Counts the payloads of a build job from 0. */
  readonly index: number
  /** The fixed fields of the block; only in the payload with index 0. */
  readonly base?: FlashblockBase
  /** Cumulative header fields, and the new transactions. */
  readonly diff: FlashblockDiff
  readonly metadata: { readonly block_number: number }
}

interface FlashblockBase {
  readonly parent_beacon_block_root: Hash
  readonly parent_hash: Hash
  readonly fee_recipient: Address
  readonly prev_randao: Hash
  readonly block_number: Hex
  readonly gas_limit: Hex
  readonly timestamp: Hex
  readonly extra_data: Hex
  readonly base_fee_per_gas: Hex
}

interface FlashblockDiff {
  readonly state_root: Hash
  readonly receipts_root: Hash
  readonly logs_bloom: Hex
  readonly gas_used: Hex
  readonly block_hash: Hash
  /** EIP-2718 bytes of the transactions since the previous payload. */
  readonly transactions: readonly Hex[]
  readonly withdrawals: readonly never[]
  readonly withdrawals_root: Hash
  readonly blob_gas_used: Hex
}

/** The last published payload, which the next one continues. */
export interface FlashblockStream {
  payloadId: Hex | undefined
  index: number
  /** The transactions of the block published so far. */
  executed: readonly ExecutedTransaction[]
}

export function createFlashblockStream(): FlashblockStream {
  return { payloadId: undefined, index: 0, executed: [] }
}

/** The id of a build job: a hash of all that fixes its block, as an execution engine computes it. */
function payloadIdOf(environment: BlockEnvironment): Hex {
  const numbers = [environment.timestamp, environment.number].map((value) => bigIntToBytes(BigInt(value)))
  const hashes = [environment.parentHash, environment.prevRandao, environment.coinbase].map(hexToBytes)
  return bytesToHex(keccak256(concatBytes(...hashes, ...numbers)).subarray(0, 8))
}

function toBase(environment: BlockEnvironment): FlashblockBase {
  return {
    parent_beacon_block_root: environment.parentBeaconBlockRoot,
    parent_hash: environment.parentHash,
    fee_recipient: environment.coinbase,
    prev_randao: environment.prevRandao,
    block_number: toQuantity(environment.number),
    gas_limit: toQuantity(environment.gasLimit),
    timestamp: toQuantity(environment.timestamp),
    extra_data: bytesToHex(environment.extraData),
    base_fee_per_gas: toQuantity(environment.baseFeePerGas),
  }
}

function toDiff(open: OpenBlock, fresh: readonly ExecutedTransaction[]): FlashblockDiff {
  const { header, hash } = sealBlock(open)
  return {
    state_root: header.stateRoot,
    receipts_root: header.receiptsRoot,
    logs_bloom: bytesToHex(header.logsBloom),
    gas_used: toQuantity(header.gasUsed),
    block_hash: hash,
    transactions: fresh.map(({ transaction }) => bytesToHex(transaction.raw)),
    withdrawals: [],
    withdrawals_root: header.withdrawalsRoot,
    blob_gas_used: toQuantity(header.blobGasUsed),
  }
}

/** True if the published transactions are still the first of the block; false after a drop or a revert. */
function isContinued(
  published: FlashblockStream['executed'],
  executed: FlashblockStream['executed'],
): boolean {
  return published.every(({ transaction }, index) => transaction.hash === executed[index]?.transaction.hash)
}

/**
 * The payload that brings a consumer of the stream up to `open`. The stream starts again, with index 0, the base and
 * all transactions so far, for a new block, a changed environment, or a block that has lost transactions.
 */
export function nextPayload(stream: FlashblockStream, open: OpenBlock): FlashblockPayload {
  const { environment, executed } = open
  const payloadId = payloadIdOf(environment)
  const isNewJob = stream.payloadId !== payloadId || !isContinued(stream.executed, executed)
  const fresh = isNewJob ? executed : executed.slice(stream.executed.length)
  stream.index = isNewJob ? 0 : stream.index + 1
  stream.payloadId = payloadId
  stream.executed = executed
  return {
    payload_id: payloadId,
    index: stream.index,
    ...(isNewJob ? { base: toBase(environment) } : {}),
    diff: toDiff(open, fresh),
    metadata: { block_number: environment.number },
  }
}
