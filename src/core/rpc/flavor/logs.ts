// Flavor of log queries and filters. Hardhat takes any range, and its filters begin with what is there already.

import { blockByHash } from '../../chain/chain.ts'
import { numberOfTag } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import type { LogFilter } from '../codecs/filter.ts'
import { INVALID_PARAMS } from './hardhat-messages.ts'

/** The sealed block that a bound means; beyond the head for a number there. */
function numberOf(state: NodeState, bound: LogFilter['fromBlock']): number {
  if (typeof bound === 'number') return bound
  return numberOfTag(state, bound === undefined || bound === 'pending' ? 'latest' : bound)
}

/** The sealed blocks of a filter: the part of its range that exists; `from` is above `to` if there are none. */
export function existingRange(
  state: NodeState,
  { fromBlock, toBlock }: LogFilter,
): { readonly from: number; readonly to: number } {
  const head = state.chain.head.header.number
  return { from: numberOf(state, fromBlock), to: Math.min(head, numberOf(state, toBlock)) }
}

/** The filter with a number as its end if that is in the past, so that it gathers nothing above it. */
export function withEnd(state: NodeState, filter: LogFilter): LogFilter {
  const { toBlock } = filter
  const isOpen = toBlock === undefined || toBlock === 'latest' || toBlock === 'pending'
  return isOpen ? filter : { ...filter, toBlock: numberOf(state, toBlock) }
}

/** Refuses a filter by the hash of a block that does not exist. */
export function checkBlockHash({ chain }: NodeState, { blockHash }: LogFilter): void {
  if (blockHash === undefined || blockByHash(chain, blockHash) !== undefined) return
  const refusal = failure('blockNotFound', { block: blockHash, latest: chain.head.header.number })
  throw reworded(refusal, INVALID_PARAMS, 'blockHash cannot be found')
}
