// Engine API form of a built block: ExecutionPayloadV3, block value, blobs and requests.

import type { SealedBlock } from '../../chain/block/block.ts'
import { bloomToHex } from '../../execution/transaction/bloom.ts'
import { effectiveTip } from '../../execution/transaction/transaction.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { formatWithdrawal, type RpcWithdrawal } from './block.ts'

interface RpcExecutionPayload {
  readonly parentHash: Hash
  readonly feeRecipient: Address
  readonly stateRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom: Hex
  readonly prevRandao: Hash
  readonly blockNumber: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly timestamp: Hex
  readonly extraData: Hex
  readonly baseFeePerGas: Hex
  readonly blockHash: Hash
  readonly transactions: readonly Hex[]
  readonly withdrawals?: readonly RpcWithdrawal[]
  readonly blobGasUsed?: Hex
  readonly excessBlobGas?: Hex
}

export interface RpcBuiltBlock {
  readonly executionPayload: RpcExecutionPayload
  /** The sum of the tips, in wei. */
  readonly blockValue: Hex
  readonly blobsBundle: {
    readonly commitments: readonly Hex[]
    readonly proofs: readonly Hex[]
    readonly blobs: readonly Hex[]
  }
  readonly executionRequests: readonly Hex[]
  readonly shouldOverrideBuilder: boolean
}

function formatPayload({ rules, header, hash, body, executed }: SealedBlock): RpcExecutionPayload {
  const blobFields = {
    blobGasUsed: toQuantity(header.blobGasUsed),
    excessBlobGas: toQuantity(header.excessBlobGas),
  }
  return {
    parentHash: header.parentHash,
    feeRecipient: header.coinbase,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: bloomToHex(header.logsBloom),
    prevRandao: header.prevRandao,
    blockNumber: toQuantity(header.number),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    extraData: bytesToHex(header.extraData),
    baseFeePerGas: toQuantity(header.baseFeePerGas),
    blockHash: hash,
    transactions: executed.map(({ transaction }) => bytesToHex(transaction.raw)),
    ...(isForkActive(rules, 'shanghai') ? { withdrawals: body.withdrawals.map(formatWithdrawal) } : {}),
    ...(isForkActive(rules, 'cancun') ? blobFields : {}),
  }
}

export function formatBuiltBlock(block: SealedBlock): RpcBuiltBlock {
  const { header, body, executed } = block
  const tips = executed.map(
    ({ transaction, receipt }) => effectiveTip(transaction, header.baseFeePerGas) * receipt.gasUsed,
  )
  const sidecars = executed.flatMap(({ transaction }) => transaction.sidecar ?? [])
  return {
    executionPayload: formatPayload(block),
    blockValue: toQuantity(tips.reduce((sum, tip) => sum + tip, 0n)),
    blobsBundle: {
      commitments: sidecars.flatMap(({ commitments }) => commitments.map(bytesToHex)),
      proofs: sidecars.flatMap(({ proofs }) => proofs.map(bytesToHex)),
      blobs: sidecars.flatMap(({ blobs }) => blobs.map(bytesToHex)),
    },
    executionRequests: body.requests.map(bytesToHex),
    shouldOverrideBuilder: false,
  }
}
