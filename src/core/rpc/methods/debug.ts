// Blocks, headers, receipts and transactions as RLP or EIP-2718 bytes.

import { encodeSealedBlock } from '../../chain/block/block.ts'
import { encodeReceipt } from '../../execution/transaction/receipt.ts'
import { requireBlock } from '../../node/lookup.ts'
import { bytesToHex } from '../../primitives/hex.ts'
import { encodeHeader } from '../../rollup/header.ts'
import { block } from '../codecs/block.ts'
import { required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import { eth_getRawTransactionByHash } from './transaction.ts'

export const debug_getRawBlock = defineRead({
  summary: 'A block as RLP.',
  params: [required('block', block)],
  beforeFork: ['block', 0],
  result: 'data',
  example: { params: ['latest'] },
  handle: ({ config, state }, selector) =>
    bytesToHex(encodeSealedBlock(requireBlock(config, state, selector).block())),
})

export const debug_getRawHeader = defineRead({
  summary: 'The header of a block as RLP. Its keccak-256 is the hash of the block.',
  params: [required('block', block)],
  beforeFork: ['block', 0],
  result: 'data',
  example: { params: ['latest'] },
  handle({ config, state }, selector) {
    const { rules, header } = requireBlock(config, state, selector).block()
    return bytesToHex(encodeHeader(rules, header))
  },
})

export const debug_getRawReceipts = defineRead({
  summary: 'The receipts of a block as EIP-2718 bytes, as in the receipts trie.',
  params: [required('block', block)],
  beforeFork: ['block', 0],
  result: 'array of data',
  example: { params: ['latest'] },
  handle: ({ config, state }, selector) =>
    requireBlock(config, state, selector).executed.map((executed) => bytesToHex(encodeReceipt(executed))),
})

export const debug_getRawTransaction = defineRead({
  ...eth_getRawTransactionByHash,
  summary: 'The same as eth_getRawTransactionByHash.',
})
