// The part of a fee history that the upstream of a fork has.

import { answeredArray, answeredObject, fieldIn, placeOf } from '../../fork/answers.ts'
import { type BlockSelector, numberUpToFork } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { toQuantity } from '../../primitives/hex.ts'

/** Lists of `eth_feeHistory`. The first two have one entry more than there are blocks. */
const FEES = ['baseFeePerGas', 'baseFeePerBlobGas'] as const
const LISTS = ['gasUsedRatio', 'blobGasUsedRatio', 'reward'] as const

/** Lists that nodes older than blobs do not have, and neither has a history that they are a part of. */
const OF_BLOBS: readonly string[] = ['baseFeePerBlobGas', 'blobGasUsedRatio']

/** A history with the lists of the upstream before its own. */
function joined<History extends object>(before: Record<string, unknown>, own: History): History {
  const place = placeOf('eth_feeHistory')
  const lists = (name: string): unknown[] => [...answeredArray(...fieldIn(before, name, place))]
  const all: Record<string, unknown> = { ...own, oldestBlock: before['oldestBlock'] }
  for (const name of OF_BLOBS) if (before[name] === undefined) delete all[name]
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
  const upTo = (number: number, blocks: number): Record<string, unknown> => {
    const params = [toQuantity(blocks), toQuantity(number), percentiles ?? []]
    return answeredObject(fork.answer('eth_feeHistory', params), placeOf('eth_feeHistory'))
  }
  const number = numberUpToFork(state, newest)
  if (number !== undefined) return upTo(number, count) as unknown as History
  const history = own()
  const missing = count - history.gasUsedRatio.length
  return missing <= 0 ? history : joined(upTo(fork.header.number, missing), history)
}
