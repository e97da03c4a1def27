// The part of a fee history that the upstream of a fork has.

import { answerTo } from '../../fork/answers.ts'
import { type BlockSelector, numberUpToFork } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { toQuantity } from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'

/** Lists of `eth_feeHistory`. The first two have one entry more than there are blocks. */
const FEES = ['baseFeePerGas', 'baseFeePerBlobGas'] as const
const LISTS = ['gasUsedRatio', 'blobGasUsedRatio', 'reward'] as const

/** Lists that nodes older than blobs do not have, and neither has a history that they are a part of. */
const OF_BLOBS: readonly string[] = ['baseFeePerBlobGas', 'blobGasUsedRatio']

/** A history with the lists of the upstream before its own. */
function joined<History extends object>(before: ForeignJson, own: History): History {
  const lists = (name: string): unknown[] => [...before.field(name).array()]
  const all: Record<string, unknown> = { ...own, oldestBlock: before.field('oldestBlock').value }
  for (const name of OF_BLOBS) if (before.field(name).value === undefined) delete all[name]
  for (const name of FEES) {
    // The upstream's last entry is of the block after the fork, which is one of our own.
    if (name in all) all[name] = [...lists(name).slice(0, -1), ...(all[name] as unknown[])]
  }
  for (const name of LISTS) if (name in all) all[name] = [...lists(name), ...(all[name] as unknown[])]
  return all as History
}

/** The history of blocks up to the fork, which the upstream has, and after it. Throws a `Miss` while it is not known. */
export function joinFees<History extends { readonly gasUsedRatio: readonly number[] }>(
  state: NodeState,
  newest: BlockSelector,
  count: number,
  percentiles: readonly number[] | undefined,
  own: () => History,
): History {
  const fork = state.chain.fork as NonNullable<NodeState['chain']['fork']>
  const upTo = (number: number, blocks: number): ForeignJson => {
    const params = [toQuantity(blocks), toQuantity(number), percentiles ?? []]
    return answerTo(fork.answer('eth_feeHistory', params), 'eth_feeHistory')
  }
  const number = numberUpToFork(state, newest)
  if (number !== undefined) return upTo(number, count).object() as unknown as History
  const history = own()
  const missing = count - history.gasUsedRatio.length
  return missing <= 0 ? history : joined(upTo(fork.header.number, missing), history)
}
