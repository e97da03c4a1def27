// The engine's build of a block over RPC, in the Engine API's form: the `testing` namespace that test suites of execution
// clients use.

import type { SealedBlock } from '../../chain/block/block.ts'
import { formatWithdrawal } from '../../chain/block/body.ts'
import { bloomToHex } from '../../execution/transaction/bloom.ts'
import { effectiveTip } from '../../execution/transaction/transaction.ts'
import { buildForEngine, type PayloadAttributes } from '../../node/production/engine-build.ts'
import { decodeIncluded, decodeTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import { bytesToHex, toQuantity, ZERO_HASH } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { address, arrayOf, boolean, data, hash } from '../codecs/basic.ts'
import { type Codec, optional, required } from '../codecs/codec.ts'
import { integer, uint64 } from '../codecs/numbers.ts'
import { need, or, recordCodec, type WireOf } from '../codecs/object.ts'
import { withdrawals } from '../codecs/overrides.ts'
import { defineRead } from '../method.ts'
import { NO_HASH, ZEROS } from './examples.ts'

/** As many as a block of 2^31 gas can hold. */
const MAX_TRANSACTIONS = 100_000

/** Denominator and elasticity, 32 bits each (OP stack specification, holocene). */
function eip1559Of(bytes: Uint8Array | undefined): PayloadAttributes['eip1559'] {
  if (bytes === undefined) return undefined
  if (bytes.length !== 8)
    throw failure('invalidPayloadAttributes', { reason: `eip1559Params of ${bytes.length} bytes, not 8` })
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { denominator: view.getUint32(0), elasticity: view.getUint32(4) }
}

const fields = recordCodec(
  {
    timestamp: need(integer),
    timestampMillisPart: or(integer, undefined),
    prevRandao: need(hash),
    suggestedFeeRecipient: need(address),
    withdrawals: or(withdrawals, []),
    parentBeaconBlockRoot: or(hash, ZERO_HASH),
    transactions: or(arrayOf(data, MAX_TRANSACTIONS), undefined),
    noTxPool: or(boolean, undefined),
    gasLimit: or(uint64, undefined),
    eip1559Params: or(data, undefined),
    minBaseFee: or(uint64, undefined),
  },
  'payload attributes',
  'ignored',
)

export interface PayloadAttributesWire extends WireOf<typeof fields> {}

const payloadAttributes: Codec<PayloadAttributes, PayloadAttributesWire> = {
  name: fields.name,
  decode(value, path) {
    const { transactions, eip1559Params, ...rest } = fields.decode(value, path)
    const eip1559 = eip1559Of(eip1559Params)
    return { ...rest, eip1559, transactions: transactions?.map((raw) => decodeIncluded(raw)) }
  },
}

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

export const testing_buildBlockV1 = defineRead({
  summary:
    'Builds a block on a block of the chain, with the given transactions or, without the parameter, from the pool. Changes nothing.',
  params: [
    required('parentHash', hash),
    required('payloadAttributes', payloadAttributes),
    optional('transactions', arrayOf(data, MAX_TRANSACTIONS), undefined),
    optional('extraData', data, undefined),
  ],
  result:
    'object with executionPayload, blockValue, blobsBundle, executionRequests and shouldOverrideBuilder',
  example: {
    params: [
      NO_HASH,
      {
        timestamp: '0x6592008c',
        prevRandao: ZEROS,
        suggestedFeeRecipient: `0x${'00'.repeat(20)}`,
        withdrawals: [],
        parentBeaconBlockRoot: ZEROS,
      },
      [],
      '0x',
    ],
    error: 'blockNotFound',
  },
  async handle({ config, state }, parentHash, attributes, raw, extraData): Promise<RpcBuiltBlock> {
    const transactions = raw?.map((bytes) => decodeTransaction(bytes))
    return formatBuiltBlock(
      await buildForEngine(config, state, { parentHash, attributes, transactions, extraData }),
    )
  },
})
