// The `config` of a geth genesis file: which fork is active when.

import type { Address } from '../primitives/hex.ts'
import type { BlobParameters, Hardfork } from './forks.ts'
import { type Activation, createSchedule, type Schedule } from './schedule.ts'

/** The part of geth's chain configuration that matters here. */
export interface GethChainConfig {
  readonly chainId?: number
  readonly terminalTotalDifficulty?: number | string
  readonly depositContractAddress?: string
  readonly blobSchedule?: Readonly<Record<string, GethBlobParameters>>
  readonly [fork: string]: unknown
}

interface GethBlobParameters {
  readonly target: number
  readonly max: number
  readonly baseFeeUpdateFraction: number
}

/** Forks by block number, in geth's names. */
const BLOCK_FORKS: readonly (readonly [key: string, hardfork: Hardfork])[] = [
  ['homesteadBlock', 'homestead'],
  ['eip150Block', 'tangerineWhistle'],
  ['eip158Block', 'spuriousDragon'],
  ['byzantiumBlock', 'byzantium'],
  ['constantinopleBlock', 'constantinople'],
  ['petersburgBlock', 'petersburg'],
  ['istanbulBlock', 'istanbul'],
  ['berlinBlock', 'berlin'],
  ['londonBlock', 'london'],
]

/** Forks by timestamp, in geth's names; those that only change blob parameters keep the rules of osaka. */
const TIME_FORKS: readonly (readonly [name: string, hardfork: Hardfork])[] = [
  ['shanghai', 'shanghai'],
  ['cancun', 'cancun'],
  ['prague', 'prague'],
  ['osaka', 'osaka'],
  ['bpo1', 'osaka'],
  ['bpo2', 'osaka'],
  ['bpo3', 'osaka'],
  ['bpo4', 'osaka'],
  ['bpo5', 'osaka'],
]

function isScheduled(value: unknown): value is number {
  return typeof value === 'number'
}

/** The merge is told by a block's difficulty, unless the chain has been there from the start. */
function mergeActivation({ terminalTotalDifficulty: total }: GethChainConfig): Activation[] {
  if (total === undefined || total === null) return []
  const isFromStart = BigInt(total) === 0n
  return [{ hardfork: 'paris', name: 'paris', at: isFromStart ? { block: 0 } : 'merge' }]
}

/** The values of all keys with an ending, in order and once each; geth finds them by the names of its fields. */
function forksNamed(config: GethChainConfig, ending: 'Block' | 'Time'): number[] {
  const found = Object.entries(config).flatMap(([key, value]) =>
    key.endsWith(ending) && isScheduled(value) && value > 0 ? [value] : [],
  )
  return [...new Set(found)].sort((a, b) => a - b)
}

/** The fork schedule of a geth genesis file. */
export function scheduleOf(chainId: number, config: GethChainConfig): Schedule {
  const activations: Activation[] = [{ hardfork: 'chainstart', name: 'chainstart', at: { block: 0 } }]
  for (const [key, hardfork] of BLOCK_FORKS) {
    const block = config[key]
    if (isScheduled(block)) activations.push({ hardfork, name: hardfork, at: { block } })
  }
  activations.push(...mergeActivation(config))
  let blobs: BlobParameters | undefined
  for (const [name, hardfork] of TIME_FORKS) {
    const time = config[`${name}Time`]
    if (!isScheduled(time)) continue
    blobs = config.blobSchedule?.[name] ?? blobs
    activations.push({ hardfork, name, at: { time }, blobs })
  }
  const { depositContractAddress } = config
  const depositContract = depositContractAddress?.toLowerCase() as Address | undefined
  const forkPoints = { blocks: forksNamed(config, 'Block'), times: forksNamed(config, 'Time') }
  return createSchedule(chainId, activations, depositContract, forkPoints)
}
