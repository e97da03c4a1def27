// Networks of the OP stack, and the forks of any chain of it as a header shows them.

import { bytesToBigInt, bytesToHex, toWord } from '../../primitives/hex.ts'
import type { ForkedHeader, ReadAttributes, RulesOfStack, SchedulePlan } from '../stack.ts'
import { isOpForkActive, OP_FORK_ROWS, type OpFork, opForksUpTo } from './forks.ts'
import { scalarsOf } from './l1-attributes.ts'
import { parametersFromSlots } from './l1-costs.ts'

interface Network {
  readonly l1ChainId: number
  readonly elasticity: bigint
}

/** By chain id (superchain-registry). All began with a denominator of 50, and have 250 since canyon. */
const NETWORKS: Readonly<Record<number, Network>> = {
  10: { l1ChainId: 1, elasticity: 6n },
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

/** The attributes that L1Block has, as the last block's first transaction left them. */
export async function attributesFromSlots(
  rules: RulesOfStack,
  slotAt: (slot: ReturnType<typeof toWord>) => Promise<Uint8Array>,
): Promise<ReadAttributes> {
  const parameters = await parametersFromSlots(rules, slotAt)
  const [times, hash, sequence, batcherHash] = await Promise.all(
    [0, 2, 3, 4].map((slot) => slotAt(toWord(slot))),
  )
  const number = (word: Uint8Array | undefined, from: number): number =>
    Number(bytesToBigInt((word as Uint8Array).slice(from, from + 8)))
  const { l1BaseFee: baseFee, l1BlobBaseFee: blobBaseFee, overhead, scalar, operatorFeeConstant } = parameters
  const { isBeforeEcotone, baseFeeScalar, blobBaseFeeScalar } = parameters
  const scalars = {
    scalar,
    baseFeeScalar: Number(baseFeeScalar),
    blobBaseFeeScalar: Number(blobBaseFeeScalar),
  }
  return {
    form: isOpForkActive(rules, 'ecotone') ? 'ecotone' : 'bedrock',
    // The number below the timestamp.
    origin: {
      number: number(times, 24),
      timestamp: number(times, 16),
      hash: bytesToHex(hash as Uint8Array),
      baseFee,
      blobBaseFee,
    },
    sequenceNumber: number(sequence, 24),
    system: {
      batcherHash: bytesToHex(batcherHash as Uint8Array),
      overhead,
      ...(isBeforeEcotone ? scalarsOf(scalar) : scalars),
      operatorFeeScalar: Number(parameters.operatorFeeScalar),
      operatorFeeConstant,
      daFootprintGasScalar: Number(parameters.daFootprintGasScalar),
    },
  }
}
