// Fork schedules: the rules for each block, from one constant fork or a genesis file. Fork identifiers (EIP-2124, with
// timestamp forks of EIP-6122): a CRC-32 of the genesis hash and all passed forks.

import { crc32 } from '../primitives/crc32.ts'
import { type Address, bigIntToBytes, type Hash, type Hex, hexToBytes, padLeft } from '../primitives/hex.ts'
import { memoizeMany, memoizeWeak } from '../primitives/lru-cache.ts'
import type { BombDelay } from './difficulty.ts'
import type { Hardfork } from './hardforks.ts'
import { type BlobParameters, makeRules, type Rules } from './rules.ts'
import type { StackRules } from './stack.ts'

/** Blocks and times of a chain's forks, sorted; forks of genesis are not among them. */
export interface ForkPoints {
  readonly blocks: readonly number[]
  /** Seconds. */
  readonly times: readonly number[]
}

export const NO_FORKS: ForkPoints = { blocks: [], times: [] }

export interface ForkedGenesis {
  readonly hash: Hash
  /** Seconds. */
  readonly timestamp: number
}

/** The fork identifier at a time, after all forks by block number. */
export function forkIdAt({ blocks, times }: ForkPoints, genesis: ForkedGenesis, time: number): Hex {
  const passed = times.filter((fork) => fork > genesis.timestamp && fork <= time)
  const checksum = [...blocks, ...passed].reduce(
    (sum, fork) => crc32(padLeft(bigIntToBytes(BigInt(fork)), 8), sum),
    crc32(hexToBytes(genesis.hash)),
  )
  return `0x${checksum.toString(16).padStart(8, '0')}`
}

/** A fork of a chain and its activation point. */
export interface Activation {
  readonly hardfork: Hardfork
  /** Name in the schedule; differs from `hardfork` for a blob-parameter-only fork. */
  readonly name: string
  readonly at: { readonly block: number } | { readonly time: number } | 'merge'
  readonly blobs?: BlobParameters | undefined
  /** Set for a fork of a rollup's stack. */
  readonly rollup?: StackRules | undefined
}

/** The fields of a block that decide its fork. A difficulty of zero means after the merge. */
interface ForkPoint {
  readonly number: number
  readonly timestamp: number
  readonly difficulty: bigint
}

export interface Schedule {
  readonly chainId: number
  /** In the order of the forks. */
  readonly activations: readonly Activation[]
  /** Forks for the fork identifier, also those that do not change execution. */
  readonly forkPoints: ForkPoints
  /** Delays of the difficulty bomb, for a chain with proof of work before the merge. */
  readonly bombDelays: readonly BombDelay[] | undefined
  /**
   * True if blocks that are built before the merge have the difficulty of the formula, and earn a reward; else zero.
   */
  readonly buildsWithWork: boolean
  /** Where proof of work ends (EIP-3675); `undefined` for a chain without a merge. */
  readonly terminalTotalDifficulty: bigint | undefined
  /** The first block that is taken to be after the merge where nothing else tells (geth, IsPostMerge). */
  readonly mergeBlock: number | undefined
  readonly rulesAt: (point: ForkPoint) => Rules
}

type SchedulePlan = Omit<Schedule, 'rulesAt'> & { readonly depositContract: Address | undefined }

function isActive({ at }: Activation, { number, timestamp, difficulty }: ForkPoint): boolean {
  if (at === 'merge') return number > 0 && difficulty === 0n
  return 'block' in at ? number >= at.block : timestamp >= at.time
}

/** A schedule of activations, with one `Rules` value per activation. */
export function createSchedule({ depositContract, ...plan }: SchedulePlan): Schedule {
  const { chainId, activations } = plan
  const rules = activations.map(({ hardfork, blobs, rollup }) =>
    makeRules(chainId, hardfork, { blobs, depositContract, rollup }),
  )
  return {
    ...plan,
    rulesAt(point) {
      // Activations are cumulative and sorted, so the last active one applies.
      let last = activations.length - 1
      while (last > 0 && !isActive(activations[last] as Activation, point)) last--
      return rules[last] as Rules
    },
  }
}

const MOST_CHAIN_IDS = 1000

/** Caches the schedules that differ only in their chain id. */
export function perChainId(make: (chainId: number) => Schedule): (chainId: number) => Schedule {
  return memoizeMany(MOST_CHAIN_IDS, make)
}

/** A cap of the chain's own on the gas limit of a transaction, or none; `undefined` for that of the hardfork. */
export type TransactionGasCap = bigint | 'none' | undefined

export function withTransactionGasCap(schedule: Schedule, cap: TransactionGasCap): Schedule {
  if (cap === undefined) return schedule
  const transactionGasCap = cap === 'none' ? undefined : cap
  const capped = memoizeWeak((rules: Rules): Rules => ({ ...rules, transactionGasCap }))
  return { ...schedule, rulesAt: (point) => capped(schedule.rulesAt(point)) }
}

/** One fork from genesis on. With a delay of the difficulty bomb, all blocks have proof of work. */
export function constantSchedule(
  chainId: number,
  hardfork: Hardfork,
  bombDelay: number | undefined,
  blobs?: BlobParameters,
): Schedule {
  return createSchedule({
    chainId,
    activations: [{ hardfork, name: hardfork, at: { block: 0 }, blobs }],
    depositContract: undefined,
    forkPoints: NO_FORKS,
    bombDelays: bombDelay === undefined ? undefined : [{ block: 0, delay: bombDelay }],
    buildsWithWork: bombDelay !== undefined,
    terminalTotalDifficulty: undefined,
    mergeBlock: undefined,
  })
}
