// Transaction outcome: what a receipt lacks.

import { toQuantity } from '../../primitives/hex.ts'
import { hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { formatDecoded } from '../format/decoded-value.ts'
import { defineRead } from '../method.ts'
import { outcomeOf } from '../transaction-outcome.ts'

export const tickchain_getTransactionOutcome = defineRead({
  summary:
    'What the receipt of a transaction lacks: return data, failure decoded with the registered ABIs, and console.log calls.',
  params: [required('transactionHash', hash)],
  beforeFork: ['transaction', 0],
  result:
    'object with status, returnData, failure, revert and consoleLogs, decoded integers in decimal; or null if the transaction is in no block',
  example: { params: [`0x${'11'.repeat(32)}`] },
  handle(context, transactionHash) {
    const outcome = outcomeOf(context, transactionHash)
    if (outcome === undefined) return null
    const { status, blockNumber, gasUsed, failure = null, revert, consoleLogs } = outcome
    const { name = null, reason = null, args = [], data } = revert ?? {}
    return {
      transactionHash,
      blockNumber: toQuantity(blockNumber),
      status: status === 'success' ? '0x1' : '0x0',
      gasUsed: toQuantity(gasUsed),
      returnData: outcome.returnData,
      failure,
      revert: revert === undefined ? null : { name, args: args.map(formatDecoded), reason, data },
      consoleLogs: consoleLogs.map((log) => ({ ...log, args: log.args.map(formatDecoded) })),
    }
  },
})
