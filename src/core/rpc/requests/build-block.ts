// The answer of testing_buildBlockV1, in the Engine API's shapes.

import type { SealedBlock } from '../../chain/block/block.ts'
import { formatWithdrawal } from '../../chain/block/body.ts'
import { bloomToHex, effectiveTip } from '../../execution/transaction/transaction.ts'
import { buildForEngine, type EngineBuild } from '../../node/production/engine-build.ts'
import { bytesToHex, toQuantity } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { ReadContext } from '../session.ts'

function formatPayload({ rules, header, hash, body, executed }: SealedBlock) {
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
    ...(rules.rollup?.changes.withdrawalsFrom ? { withdrawalsRoot: header.withdrawalsRoot } : {}),
  }
}

/** A built block; its value is the sum of the tips, in wei. */
function formatBuiltBlock(block: SealedBlock) {
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

export interface RpcBuiltBlock extends ReturnType<typeof formatBuiltBlock> {}

export async function buildBlock({ state }: ReadContext, build: EngineBuild): Promise<RpcBuiltBlock> {
  return formatBuiltBlock(await buildForEngine(state, build))
}
