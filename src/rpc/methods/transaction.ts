// Transactions and receipts by hash: sealed, pre-confirmed or pooled, without a tag.

import { findTransaction } from '../../node/lookup.ts'
import { hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { formatReceipt } from '../format/receipt.ts'
import { formatTransaction } from '../format/transaction.ts'
import { defineRead } from '../method.ts'

const EXAMPLE_HASH = `0x${'11'.repeat(32)}`

export const eth_getTransactionByHash = defineRead({
  summary: 'A transaction by hash; one that waits in the pool has no block.',
  params: [required('transactionHash', hash)],
  result: 'transaction, or null where it is unknown',
  example: { params: [EXAMPLE_HASH] },
  handle({ state, present }, transactionHash) {
    const found = findTransaction(state, transactionHash)
    if (found === undefined) return null
    if ('pooled' in found) return formatTransaction(found.pooled.transaction, undefined)
    const { view, executed } = found
    return formatTransaction(executed.transaction, { block: present(view), index: executed.index })
  },
})

export const eth_getTransactionReceipt = defineRead({
  summary: 'The receipt of a transaction, from its pre-confirmation on.',
  params: [required('transactionHash', hash)],
  result: 'receipt, or null where the transaction is in no block',
  example: { params: [EXAMPLE_HASH] },
  handle({ state, present }, transactionHash) {
    const found = findTransaction(state, transactionHash)
    return found === undefined || 'pooled' in found
      ? null
      : formatReceipt(present(found.view), found.executed)
  },
})
