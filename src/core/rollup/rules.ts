// Hardforks in their order, and the rules of a block: hardfork, gas parameters and blob parameters. One value per fork of
// a chain, shared by all its blocks and EVMs.

import type { Address } from '../primitives/hex.ts'
import type { StackRules } from './stack.ts'

/** Hardforks in order, without bomb delays and blob-parameter-only forks, which do not change execution. */
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

/** Hardhat's names of the merge and of the forks that only delay the difficulty bomb. */
const HARDHAT_NAMES = {
  muirGlacier: 'istanbul',
  arrowGlacier: 'london',
  grayGlacier: 'london',
  merge: 'paris',
} as const satisfies Record<string, SelectableHardfork>

/** The names that the option `hardfork` takes, Hardhat's among them. */
export type HardforkName = SelectableHardfork | keyof typeof HARDHAT_NAMES

/** Translates Hardhat's names; returns any other value unchanged. */
export function hardforkNamed(name: unknown): unknown {
  const isOther = typeof name === 'string' && Object.hasOwn(HARDHAT_NAMES, name)
  return isOther ? HARDHAT_NAMES[name as keyof typeof HARDHAT_NAMES] : name
}

/** Precomputed, because every transaction compares forks dozens of times. */
const POSITIONS = Object.fromEntries(HARDFORKS.map((hardfork, index) => [hardfork, index])) as Record<
  Hardfork,
  number
>

/** True if a hardfork is `since` or later. */
export function isActiveUnder(hardfork: Hardfork, since: Hardfork): boolean {
  return POSITIONS[hardfork] >= POSITIONS[since]
}

/** Price and number of blobs in a block (EIP-4844, EIP-7840). */
export interface BlobParameters {
  readonly target: number
  readonly max: number
  readonly baseFeeUpdateFraction: number
}

const CANCUN_BLOBS: BlobParameters = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }
const PRAGUE_BLOBS: BlobParameters = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }

/**
 * Gas parameters of transactions by fork; the EVM has those of opcodes. Written out, because admission to the pool must not
 * load the EVM; a test compares them with @ethereumjs. A parameter of a later fork has its first value.
 */
function gasParametersOf(isActive: (since: Hardfork) => boolean) {
  return {
    txGas: 21_000n,
    txCreationGas: 32_000n,
    txDataZeroGas: 4n,
    /** EIP-2028. */
    txDataNonZeroGas: isActive('istanbul') ? 16n : 68n,
    /** EIP-2930. */
    accessListAddressGas: 2400n,
    accessListStorageKeyGas: 1900n,
    /** EIP-3860. */
    initCodeWordGas: 2n,
    /** EIP-7702. */
    perAuthBaseGas: 12_500n,
    perEmptyAccountCost: 25_000n,
    /** EIP-7623. */
    totalCostFloorPerToken: 10n,
    /** EIP-3529. */
    maxRefundQuotient: isActive('london') ? 5n : 2n,
  }
}

export type GasParameters = Readonly<ReturnType<typeof gasParametersOf>>

export interface Rules {
  readonly chainId: number
  readonly hardfork: Hardfork
  readonly gas: GasParameters
  readonly blobs: BlobParameters
  /** The contract whose logs are beacon chain deposits (EIP-6110); a layer 2 has none. */
  readonly depositContract: Address | undefined
  /** The highest gas limit of a transaction: 2²⁴ from osaka on (EIP-7825), unless the chain has another. */
  readonly transactionGasCap: bigint | undefined
  /** Set for a rollup. */
  readonly rollup: StackRules | undefined
}

/** Parameters that a chain configuration may set for a fork. */
export interface RuleParameters {
  readonly blobs?: BlobParameters | undefined
  readonly depositContract?: Address | undefined
  readonly rollup?: StackRules | undefined
}

export function makeRules(chainId: number, hardfork: Hardfork, parameters: RuleParameters = {}): Rules {
  const isActive = (since: Hardfork): boolean => isActiveUnder(hardfork, since)
  return {
    chainId,
    hardfork,
    gas: gasParametersOf(isActive),
    blobs: parameters.blobs ?? (isActive('prague') ? PRAGUE_BLOBS : CANCUN_BLOBS),
    depositContract: parameters.depositContract,
    transactionGasCap: isActive('osaka') ? 16_777_216n : undefined,
    rollup: parameters.rollup,
  }
}

export function isForkActive(rules: Rules, since: Hardfork): boolean {
  return isActiveUnder(rules.hardfork, since)
}
