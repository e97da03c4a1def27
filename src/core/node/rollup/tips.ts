// Suggested tips on a rollup (op-geth, SuggestOptimismPriorityFee).

import type { SealedBlock } from '../../chain/block/block.ts'
import { effectiveTip } from '../../execution/transaction/transaction.ts'

/** In wei. */
const LEAST_TIP = 1_000_000n
const MOST_TIP = 500_000_000_000n

/** A tenth more than the median tip of the block. */
function overMedian({ executed, header }: SealedBlock): bigint {
  const tips = executed
    .map(({ transaction }) => effectiveTip(transaction, header.baseFeePerGas))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const median = tips[Math.floor(tips.length / 2)] ?? 0n
  return median + median / 10n
}

/** The tip for the block after a head: the least, unless the head had no room for another of its transactions. */
export function rollupTipAfter(head: SealedBlock): bigint {
  const most = head.executed.reduce((gas, { receipt }) => (receipt.gasUsed > gas ? receipt.gasUsed : gas), 0n)
  if (head.header.gasUsed + most <= head.header.gasLimit) return LEAST_TIP
  const suggested = overMedian(head)
  if (suggested <= LEAST_TIP) return LEAST_TIP
  return suggested < MOST_TIP ? suggested : MOST_TIP
}
