// Rules of a block: hardfork, gas parameters and blob parameters. One value per fork of a chain, shared by all its
// blocks and EVMs.

import type { Address } from '../primitives/hex.ts'
import { type Hardfork, isActiveUnder } from './hardforks.ts'
import type { StackRules } from './stack.ts'

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
