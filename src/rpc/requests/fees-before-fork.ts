// The part of a fee history that the upstream of a fork has.

import { answeredArray, answeredObject, fieldIn, placeOf } from '../../fork/answers.ts'
import { numberUpToFork } from '../../node/before-fork.ts'
import type { BlockSelector } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { toQuantity } from '../../primitives/hex.ts'

/** Lists of `eth_feeHistory`. The first two have one entry more than there are blocks. */
const FEES = ['baseFeePerGas', 'baseFeePerBlobGas'] as const
const LISTS = ['gasUsedRatio', 'blobGasUsedRatio', 'reward'] as const

/** The upstream's history of a number of blocks up to one; throws a `Miss` while it is not known. */
function upstreamHistory(
  { chain }: NodeState,
  count: number,
  newest: number,
  percentiles: readonly number[] | undefined,
): Record<string, unknown> {
  const params = [toQuantity(count), toQuantity(newest), percentiles ?? []]
  return answeredObject(chain.fork?.answer('eth_feeHistory', params), placeOf('eth_feeHistory'))
}

/** The whole history, if it ends at the fork or before; `undefined` otherwise. */
export function feesUpToFork(
  state: NodeState,
  count: number,
  newest: BlockSelector,
  percentiles: readonly number[] | undefined,
): Record<string, unknown> | undefined {
  const number = numberUpToFork(state, newest)
  return number === undefined ? undefined : upstreamHistory(state, count, number, percentiles)
}

/** A history of the chain's own blocks, with that of `count` blocks up to the fork before it. */
export function withFeesBefore<History extends object>(
  state: NodeState,
  count: number,
  percentiles: readonly number[] | undefined,
  own: History,
): History {
  const { fork } = state.chain
  if (fork === undefined || count <= 0) return own
  const place = placeOf('eth_feeHistory')
  const before = upstreamHistory(state, count, fork.header.number, percentiles)
  const lists = (name: string): unknown[] => [...answeredArray(...fieldIn(before, name, place))]
  const joined: Record<string, unknown> = { ...own, oldestBlock: before['oldestBlock'] }
  for (const name of FEES) {
    // The upstream's last entry is of the block after the fork, which is one of our own.
    if (name in own) joined[name] = [...lists(name).slice(0, -1), ...(joined[name] as unknown[])]
  }
  for (const name of LISTS) if (name in own) joined[name] = [...lists(name), ...(joined[name] as unknown[])]
  return joined as History
}
