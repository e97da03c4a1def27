// Which rules hold: a hardfork by name, with what it charges. One value per chain id and fork is shared by every
// transaction, block and EVM of it.

import type { Address } from '../primitives/hex.ts'
import { type GasParameters, gasParametersOf } from './gas-parameters.ts'

/** Hardforks in order. Delays of the difficulty bomb and blob-parameter forks change no rule of execution. */
const HARDFORKS = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const

export type Hardfork = (typeof HARDFORKS)[number]

/**
 * The forks that a chain can be built under. Receipts before byzantium carry state roots: such a chain can be
 * imported, not built.
 */
export type SelectableHardfork = Exclude<
  Hardfork,
  'chainstart' | 'homestead' | 'tangerineWhistle' | 'spuriousDragon'
>

export const SELECTABLE_HARDFORKS = HARDFORKS.slice(
  HARDFORKS.indexOf('byzantium'),
) as readonly SelectableHardfork[]

/** Hardhat's names of the merge, and of forks that put off the bomb and change nothing else. */
const HARDHAT_NAMES = {
  muirGlacier: 'istanbul',
  arrowGlacier: 'london',
  grayGlacier: 'london',
  merge: 'paris',
} as const satisfies Record<string, SelectableHardfork>

export type HardforkName = SelectableHardfork | keyof typeof HARDHAT_NAMES

/** What Hardhat calls otherwise by our name; anything else as it is. */
export function hardforkNamed(name: unknown): unknown {
  const isOther = typeof name === 'string' && Object.hasOwn(HARDHAT_NAMES, name)
  return isOther ? HARDHAT_NAMES[name as keyof typeof HARDHAT_NAMES] : name
}

/** How blobs are priced and how many a block may carry (EIP-4844, EIP-7840). */
export interface BlobParameters {
  readonly target: number
  readonly max: number
  readonly baseFeeUpdateFraction: number
}

const CANCUN_BLOBS: BlobParameters = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }
const PRAGUE_BLOBS: BlobParameters = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }

export interface Rules {
  readonly chainId: number
  readonly hardfork: Hardfork
  readonly gas: GasParameters
  readonly blobs: BlobParameters
  /** Whose logs are deposits to the layer below (EIP-6110); a layer 2 has none. */
  readonly depositContract: Address | undefined
}

/** What a fork can leave to the chain. */
export interface RuleParameters {
  readonly blobs?: BlobParameters | undefined
  readonly depositContract?: Address | undefined
}

/** Asked dozens of times for a transaction. */
const POSITIONS = Object.fromEntries(HARDFORKS.map((hardfork, index) => [hardfork, index])) as Record<
  Hardfork,
  number
>

function isActiveUnder(hardfork: Hardfork, since: Hardfork): boolean {
  return POSITIONS[hardfork] >= POSITIONS[since]
}

export function makeRules(chainId: number, hardfork: Hardfork, parameters: RuleParameters = {}): Rules {
  const isActive = (since: Hardfork): boolean => isActiveUnder(hardfork, since)
  return {
    chainId,
    hardfork,
    gas: gasParametersOf(isActive),
    blobs: parameters.blobs ?? (isActive('prague') ? PRAGUE_BLOBS : CANCUN_BLOBS),
    depositContract: parameters.depositContract,
  }
}

export function isForkActive(rules: Rules, since: Hardfork): boolean {
  return isActiveUnder(rules.hardfork, since)
}
