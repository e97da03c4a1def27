// The `config` of a geth genesis file: which fork is active when.

import type { Address } from '../primitives/hex.ts'
import type { BombDelay } from './difficulty.ts'
import type { Hardfork } from './hardforks.ts'
import type { BlobParameters } from './rules.ts'
import { type Activation, createSchedule, type Schedule } from './schedule.ts'

/** What geth's chain configuration says, checked. */
export interface ChainConfig {
  readonly chainId: number
  /** `undefined` for a chain that does not merge. */
  readonly terminalTotalDifficulty: bigint | undefined
  readonly depositContract: Address | undefined
  /** By the names of forks, as geth has them. */
  readonly blobSchedule: Readonly<Record<string, BlobParameters>>
  /** Blocks and seconds of the forks that are set, by geth's keys. */
  readonly forks: Readonly<Record<string, number>>
}

interface GethFork {
  /** geth's key for it, which ends in `Block` or `Time`. */
  readonly key: string
  /** The rules that it brings; `undefined` where it changes none of execution. */
  readonly hardfork?: Hardfork
  /** By how many blocks it sets the difficulty bomb back. */
  readonly bombDelay?: number
  /** Whether later forks may be set without it (geth, CheckConfigForkOrder). */
  readonly presence: 'needed' | 'optional'
}

/** All forks in geth's order. Those that only change blob parameters keep the rules of osaka. */
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
  { key: 'bpo1Time', hardfork: 'osaka', presence: 'optional' },
  { key: 'bpo2Time', hardfork: 'osaka', presence: 'optional' },
  { key: 'bpo3Time', hardfork: 'osaka', presence: 'optional' },
  { key: 'bpo4Time', hardfork: 'osaka', presence: 'optional' },
  { key: 'bpo5Time', hardfork: 'osaka', presence: 'optional' },
]

/** Whether a fork comes with a block or with a time. */
export function isByBlock(key: string): boolean {
  return key.endsWith('Block')
}

/** The merge is told by a block's difficulty, unless the chain has been there from the start. */
function mergeActivation({ terminalTotalDifficulty: total }: ChainConfig): Activation[] {
  if (total === undefined) return []
  return [{ hardfork: 'paris', name: 'paris', at: total === 0n ? { block: 0 } : 'merge' }]
}

/** Forks by block, in order; a fork at a block takes the place of those before it. */
function blockActivations({ forks }: ChainConfig): Activation[] {
  return GETH_FORKS.flatMap(({ key, hardfork }) => {
    // Petersburg takes back what constantinople brought, and geth lets them come together.
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

/** When the rules change, in order and once each; what holds from genesis on does not count. */
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

/** The fork schedule of a geth genesis file. */
export function scheduleOf(chainId: number, config: ChainConfig): Schedule {
  const start: Activation = { hardfork: 'chainstart', name: 'chainstart', at: { block: 0 } }
  return createSchedule({
    chainId,
    activations: [start, ...blockActivations(config), ...mergeActivation(config), ...timeActivations(config)],
    depositContract: config.depositContract,
    forkPoints: { blocks: forkPoints(config, 'block'), times: forkPoints(config, 'time') },
    bombDelays: bombDelaysOf(config),
  })
}
