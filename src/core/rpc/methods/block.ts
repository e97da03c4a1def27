import type { Uncle } from '../../chain/block/body.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { type BlockSelector, findBlock } from '../../node/lookup.ts'
import type { PayloadAttributes } from '../../node/production/engine-build.ts'
import { decodeIncluded, decodeTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import { bytesToHex, type Hex, toQuantity, ZERO_HASH } from '../../primitives/hex.ts'
import { loadOnce } from '../../primitives/loading.ts'
import { shorten, textOf } from '../../primitives/text-of.ts'
import { address, arrayOf, block, blockTagOrNumber, boolean, data, hash } from '../codecs/basic.ts'
import { integer, optional, required, uint64 } from '../codecs/codec.ts'
import { converted, need, or, recordCodec } from '../codecs/object.ts'
import { withdrawals } from '../codecs/overrides.ts'
import { formatBlock, formatHeader, formatUncle, type RpcBlock, type RpcUncle } from '../format/block.ts'
import { formatReceipt, type PresentedBlock } from '../format/receipt.ts'
import { defineRead } from '../method.ts'
import type { ReadContext } from '../session.ts'
import { NO_HASH, ZEROS } from './examples.ts'

/** A block as a function shows it; null if there is none. */
function shown<Shown>(
  { state, present }: ReadContext,
  selector: BlockSelector,
  show: (block: PresentedBlock) => Shown,
): Shown | null {
  const view = findBlock(state, selector)
  return view === undefined ? null : show(present(view))
}

function blockAs(isFull: boolean): (block: PresentedBlock) => RpcBlock {
  return (block) => formatBlock(block, isFull ? 'full' : 'hashes')
}

function transactionCount({ view }: PresentedBlock): Hex {
  return toQuantity(view.executed.length)
}

function unclesOf({ view }: PresentedBlock): readonly Uncle[] {
  // The open block never has any.
  return view.isPending ? [] : view.block().body.uncles
}

function uncleCount(block: PresentedBlock): Hex {
  return toQuantity(unclesOf(block).length)
}

function uncleAt(index: number): (block: PresentedBlock) => RpcUncle | null {
  return (block) => {
    const uncle = unclesOf(block)[index]
    return uncle === undefined ? null : formatUncle(uncle)
  }
}

export const eth_blockNumber = defineRead({
  summary: 'The number of the latest sealed block.',
  hardhat: { params: [] },
  result: 'quantity',
  handle: ({ state }) => toQuantity(state.chain.head.header.number),
})

export const eth_getBlockByNumber = defineRead({
  summary:
    'A block by number or tag. `pending` is the block being built, with the transactions pre-confirmed so far.',
  params: [required('block', blockTagOrNumber, 'block'), required('fullTransactions', boolean)],
  hardhat: { variant: 'GetBlockByNumber', params: ['oldBlockSpec', 'bool'] },
  result: 'block, or null if there is none',
  handle: (context, selector, isFull) => shown(context, selector, blockAs(isFull)),
})

export const eth_getBlockByHash = defineRead({
  summary: 'A sealed block by hash.',
  params: [required('blockHash', hash, 'block'), required('fullTransactions', boolean)],
  hardhat: { variant: 'GetBlockByHash', params: ['hash', 'bool'] },
  result: 'block, or null if there is none',
  handle: (context, blockHash, isFull) => shown(context, { blockHash }, blockAs(isFull)),
})

export const eth_getBlockReceipts = defineRead({
  summary: 'The receipts of all transactions of a block; with `pending`, of those pre-confirmed so far.',
  params: [required('block', block, 'block')],
  isPrivate: true,
  result: 'array of receipts, or null if there is no such block',
  handle: (context, selector) =>
    shown(context, selector, (block) => block.view.executed.map((each) => formatReceipt(block, each))),
})

export const eth_getHeaderByNumber = defineRead({
  summary: 'The header of a block by number or tag.',
  params: [required('block', blockTagOrNumber, 'block')],
  result: 'header, or null if there is none',
  handle: (context, selector) => shown(context, selector, formatHeader),
})

export const eth_getHeaderByHash = defineRead({
  summary: 'The header of a sealed block by hash.',
  params: [required('blockHash', hash, 'block')],
  result: 'header, or null if there is none',
  handle: (context, blockHash) => shown(context, { blockHash }, formatHeader),
})

export const eth_getBlockTransactionCountByNumber = defineRead({
  summary: 'How many transactions a block has; with `pending`, how many are pre-confirmed so far.',
  params: [required('block', blockTagOrNumber, 'block')],
  hardhat: { params: ['oldBlockSpec'] },
  result: 'quantity, or null if there is no such block',
  handle: (context, selector) => shown(context, selector, transactionCount),
})

export const eth_getBlockTransactionCountByHash = defineRead({
  summary: 'How many transactions a sealed block has.',
  params: [required('blockHash', hash, 'block')],
  hardhat: { params: ['hash'] },
  result: 'quantity, or null if there is no such block',
  handle: (context, blockHash) => shown(context, { blockHash }, transactionCount),
})

export const eth_getUncleCountByBlockNumber = defineRead({
  summary: 'How many uncles a block has: zero, except in imported proof-of-work blocks.',
  params: [required('block', blockTagOrNumber, 'block')],
  hardhat: 'absent',
  result: 'quantity, or null if there is no such block',
  handle: (context, selector) => shown(context, selector, uncleCount),
})

export const eth_getUncleCountByBlockHash = defineRead({
  summary: 'How many uncles a sealed block has.',
  params: [required('blockHash', hash, 'block')],
  hardhat: 'absent',
  result: 'quantity, or null if there is no such block',
  handle: (context, blockHash) => shown(context, { blockHash }, uncleCount),
})

export const eth_getUncleByBlockNumberAndIndex = defineRead({
  summary: 'An uncle of a block by its position.',
  params: [required('block', blockTagOrNumber, 'block'), required('index', integer)],
  hardhat: 'absent',
  result: 'header with size and uncles, or null if there is none',
  handle: (context, selector, index) => shown(context, selector, uncleAt(index)),
})

export const eth_getUncleByBlockHashAndIndex = defineRead({
  summary: 'An uncle of a sealed block by its position.',
  params: [required('blockHash', hash, 'block'), required('index', integer)],
  hardhat: 'absent',
  result: 'header with size and uncles, or null if there is none',
  handle: (context, blockHash, index) => shown(context, { blockHash }, uncleAt(index)),
})

/** As many as a block of 2^31 gas can hold. */
const MAX_TRANSACTIONS = 100_000

/** Denominator and elasticity, 32 bits each (OP stack specification, holocene). */
function eip1559Of(bytes: Uint8Array | undefined): PayloadAttributes['eip1559'] {
  if (bytes === undefined) return undefined
  if (bytes.length !== 8)
    throw failure('invalidPayloadAttributes', { reason: `eip1559Params of ${bytes.length} bytes, not 8` })
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [denominator, elasticity] = [view.getUint32(0), view.getUint32(4)]
  const reason = `eip1559Params ${bytesToHex(bytes)}: denominator and elasticity are both zero, or neither`
  if ((denominator === 0) !== (elasticity === 0)) throw failure('invalidPayloadAttributes', { reason })
  return { denominator, elasticity }
}

function includedAt(raw: Uint8Array, index: number): Transaction {
  try {
    return decodeIncluded(raw)
  } catch (error) {
    const reason = `transactions[${index}], ${shorten(bytesToHex(raw))}: ${textOf(error)}`
    throw failure('invalidPayloadAttributes', { reason })
  }
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

const payloadAttributes = converted(fields, ({ transactions, eip1559Params, ...rest }): PayloadAttributes => {
  const eip1559 = eip1559Of(eip1559Params)
  return { ...rest, eip1559, transactions: transactions?.map(includedAt) }
})

// Loaded with the first build.
const loadBuild = loadOnce(() => import('../requests/build-block.ts'))

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
  async handle(context, parentHash, attributes, raw, extraData) {
    const transactions = raw?.map((bytes) => decodeTransaction(bytes))
    return (await loadBuild()).buildBlock(context, { parentHash, attributes, transactions, extraData })
  },
})

export { eth_getHeaderByNumber as erigon_getHeaderByNumber }
