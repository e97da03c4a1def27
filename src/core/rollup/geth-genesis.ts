// Fork schedules from the `config` of a geth genesis file.

import type { Address } from '../primitives/hex.ts'
import type { BombDelay } from './difficulty.ts'
import type { Hardfork } from './hardforks.ts'
import type { BlobParameters } from './rules.ts'
import { type Activation, createSchedule, type Schedule } from './schedule.ts'

/** geth's chain configuration, validated. */
export interface ChainConfig {
  readonly chainId: number
  /** `undefined` for a chain without the merge. */
  readonly terminalTotalDifficulty: bigint | undefined
  readonly depositContract: Address | undefined
  /** By geth's fork names. */
  readonly blobSchedule: Readonly<Record<string, BlobParameters>>
  /** Blocks and times (seconds) of the forks that are set, by geth's keys. */
  readonly forks: Readonly<Record<string, number>>
}

interface GethFork {
  /** geth's key, which ends in `Block` or `Time`. */
  readonly key: string
  /** Its rules; `undefined` if it does not change execution. */
  readonly hardfork?: Hardfork
  /** Blocks by which it delays the difficulty bomb. */
  readonly bombDelay?: number
  /** The need of later forks for it (geth, CheckConfigForkOrder). */
  readonly presence: 'needed' | 'optional'
}

/** All forks in geth's order. Blob-parameter-only forks keep the rules of osaka. */
export const GETH_FORKS: readonly GethFork[] = [
  { key: 'homesteadBlock', hardfork: 'homestead', presence: 'needed' },
  { key: 'daoForkBlock', presence: 'optional' },
  { key: 'eip150Block', hardfork: 'tangerineWhistle', presence: 'needed' },
  { key: 'eip155Block', presence: 'needed' },
  { key: 'eip158Block', hardfork: 'spuriousDragon', presence: 'needed' },
  // EIP-649
  { key: 'byzantiumBlock', hardfork: 'byzantium', bombDelay: 3_000_000, presence: 'needed' },
  // EIP-1234
  { key: 'constantinopleBlock', hardfork: 'constantinople', bombDelay: 5_000_000, presence: 'needed' },
  { key: 'petersburgBlock', hardfork: 'petersburg', presence: 'needed' },
  { key: 'istanbulBlock', hardfork: 'istanbul', presence: 'needed' },
  // EIP-2384
  { key: 'muirGlacierBlock', bombDelay: 9_000_000, presence: 'optional' },
  { key: 'berlinBlock', hardfork: 'berlin', presence: 'needed' },
  // EIP-3554
  { key: 'londonBlock', hardfork: 'london', bombDelay: 9_700_000, presence: 'needed' },
  // EIP-4345
  { key: 'arrowGlacierBlock', bombDelay: 10_700_000, presence: 'optional' },
  // EIP-5133
  { key: 'grayGlacierBlock', bombDelay: 11_400_000, presence: 'optional' },
  { key: 'mergeNetsplitBlock', presence: 'optional' },
  { key: 'shanghaiTime', hardfork: 'shanghai', presence: 'needed' },
  { key: 'cancunTime', hardfork: 'cancun', presence: 'optional' },
  { key: 'pragueTime', hardfork: 'prague', presence: 'optional' },
  { key: 'osakaTime', hardfork: 'osaka', presence: 'optional' },
  ...[1, 2, 3, 4, 5].map((n): GethFork => ({ key: `bpo${n}Time`, hardfork: 'osaka', presence: 'optional' })),
]

export function isByBlock(key: string): boolean {
  return key.endsWith('Block')
}

/** The difficulty of a block shows the merge, unless the chain starts merged. */
function mergeActivation({ terminalTotalDifficulty: total }: ChainConfig): Activation[] {
  if (total === undefined) return []
  return [{ hardfork: 'paris', name: 'paris', at: total === 0n ? { block: 0 } : 'merge' }]
}

/** Forks by block number, in order; of two at one block, the later one applies. */
function blockActivations({ forks }: ChainConfig): Activation[] {
  return GETH_FORKS.flatMap(({ key, hardfork }) => {
    // Petersburg reverts a part of constantinople; by default geth activates both at once.
    const block = forks[key] ?? (key === 'petersburgBlock' ? forks['constantinopleBlock'] : undefined)
    return hardfork !== undefined && isByBlock(key) && block !== undefined
      ? [{ hardfork, name: hardfork, at: { block } }]
      : []
  })
}

function timeActivations({ forks, blobSchedule }: ChainConfig): Activation[] {
  let blobs: BlobParameters | undefined
  return GETH_FORKS.flatMap(({ key, hardfork }) => {
    const time = forks[key]
    if (hardfork === undefined || isByBlock(key) || time === undefined) return []
    const name = key.slice(0, -'Time'.length)
    blobs = blobSchedule[name] ?? blobs
    return [{ hardfork, name, at: { time }, blobs }]
  })
}

/** Distinct blocks or times of forks, sorted, without those of genesis. */
function forkPoints({ forks }: ChainConfig, kind: 'block' | 'time'): number[] {
  const points = Object.entries(forks).flatMap(([key, point]) =>
    isByBlock(key) === (kind === 'block') && point > 0 ? [point] : [],
  )
  return [...new Set(points)].sort((a, b) => a - b)
}

function bombDelaysOf({ forks }: ChainConfig): BombDelay[] {
  return GETH_FORKS.flatMap(({ key, bombDelay: delay }) => {
    const block = forks[key]
    return delay === undefined || block === undefined ? [] : [{ block, delay }]
  })
}

export function scheduleOf(chainId: number, config: ChainConfig): Schedule {
  const start: Activation = { hardfork: 'chainstart', name: 'chainstart', at: { block: 0 } }
  return createSchedule({
    chainId,
    activations: [start, ...blockActivations(config), ...mergeActivation(config), ...timeActivations(config)],
    depositContract: config.depositContract,
    forkPoints: { blocks: forkPoints(config, 'block'), times: forkPoints(config, 'time') },
    bombDelays: bombDelaysOf(config),
    buildsWithWork: false,
    terminalTotalDifficulty: config.terminalTotalDifficulty,
    mergeBlock: config.forks['mergeNetsplitBlock'],
  })
}
