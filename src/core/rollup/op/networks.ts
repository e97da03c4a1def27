// Networks of the OP stack, and the forks of any chain of it as a header shows them.

import type { ForkedHeader, SchedulePlan } from '../stack.ts'
import { OP_FORK_ROWS, type OpFork, opForksUpTo } from './forks.ts'

/** By chain id (superchain-registry). All began with a denominator of 50, and have 250 since canyon. */
const NETWORKS: Readonly<Record<number, { l1ChainId: number; elasticity: bigint }>> = {
  10: { l1ChainId: 1, elasticity: 6n },
  130: { l1ChainId: 1, elasticity: 6n },
  1301: { l1ChainId: 11_155_111, elasticity: 6n },
  8453: { l1ChainId: 1, elasticity: 6n },
  11155420: { l1ChainId: 11_155_111, elasticity: 6n },
  84532: { l1ChainId: 11_155_111, elasticity: 10n },
}

/** The first of the forks whose headers look alike. */
function lookOf(fork: OpFork): OpFork {
  if (opForksUpTo(fork).includes('jovian')) return 'jovian'
  if (fork === 'regolith') return 'bedrock'
  return fork === 'fjord' || fork === 'granite' ? 'ecotone' : fork
}

/** The last fork whose headers look like this one. */
function forkShown({ extraData, hasMillis, has }: ForkedHeader): OpFork {
  if (hasMillis) return 'denim'
  if (extraData.length === 17 && extraData[0] === 1) return 'jovian'
  if (has('requestsHash')) return 'isthmus'
  if (extraData.length === 9 && extraData[0] === 0) return 'holocene'
  if (has('parentBeaconBlockRoot')) return 'granite'
  return has('withdrawalsRoot') ? 'canyon' : 'regolith'
}

/** True if a header shows by its extraData that it is of the OP stack. */
function isShownBy({ extraData: { length, 0: version } }: Pick<ForkedHeader, 'extraData'>): boolean {
  return (length === 9 && version === 0) || (length === 17 && version === 1)
}

/** The schedule of a chain: that of its network, unless the header is of another. */
function planAt(chainId: number, header: ForkedHeader): SchedulePlan {
  const rows = Object.entries(OP_FORK_ROWS) as [OpFork, (typeof OP_FORK_ROWS)[OpFork]][]
  const times = rows.flatMap(([fork, row]): [OpFork, number][] => {
    const time = (row.times as Readonly<Record<number, number>>)[chainId]
    return time === undefined ? [] : [[fork, time]]
  })
  const active = times.filter(([, time]) => time <= header.timestamp).at(-1)?.[0]
  const shown = forkShown(header)
  const isAlike = active !== undefined && lookOf(active) === lookOf(shown)
  const isKnown = header.hasMillis ? active === 'denim' : isAlike
  const elasticity = NETWORKS[chainId]?.elasticity ?? 6n
  return {
    forks: isKnown ? Object.fromEntries(times) : shown,
    eip1559: { denominator: 250n, elasticity },
    denominatorBeforeCanyon: 50n,
  }
}

export const networks = {
  isShownBy,
  l1ChainIdOf: (chainId: number) => NETWORKS[chainId]?.l1ChainId,
  planAt,
}
