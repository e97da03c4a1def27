// Which rules hold: a hardfork by name, as the EVM's parameter set. One parameter set per chain id and fork is
// shared by every transaction, block and EVM of it.

import { Common, type CustomCrypto, Mainnet, type ParamsDict } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { paramsTx } from '@ethereumjs/tx'
import { paramsVM } from '@ethereumjs/vm'
import { keccak256, recoverPublicKey, sha256 } from '../primitives/crypto.ts'
import { type Address, padLeft } from '../primitives/hex.ts'
import { kzg } from './kzg.ts'

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

/**
 * The EVM's parameter set, shared and complete: copying one for each transaction, and merging the parameters
 * of four packages into each copy, is where plain use of @ethereumjs spends most of its time.
 */
class SharedCommon extends Common {
  private isComplete = false

  complete(): this {
    for (const params of [paramsTx, paramsEVM, paramsVM]) super.updateParams(params)
    this.isComplete = true
    return this
  }

  override updateParams(params: ParamsDict): void {
    if (!this.isComplete) super.updateParams(params)
  }

  override copy(): Common {
    return this
  }
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
  readonly common: Common
  readonly blobs: BlobParameters
  /** Whose logs are deposits to the layer below (EIP-6110); a layer 2 has none. */
  readonly depositContract: Address | undefined
}

/** What a fork can leave to the chain. */
export interface RuleParameters {
  readonly blobs?: BlobParameters | undefined
  readonly depositContract?: Address | undefined
}

function recover(digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v < 2n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const key =
    yParity === 0n || yParity === 1n
      ? recoverPublicKey(digest, padLeft(r, 32), padLeft(s, 32), Number(yParity))
      : undefined
  if (key === undefined) throw new RangeError('invalid signature')
  return key
}

const customCrypto: CustomCrypto = { keccak256, sha256, ecrecover: recover, kzg }

export function makeRules(chainId: number, hardfork: Hardfork, parameters: RuleParameters = {}): Rules {
  const chain = { ...Mainnet, chainId }
  const isPrague = HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('prague')
  return {
    chainId,
    hardfork,
    common: new SharedCommon({ chain, hardfork, customCrypto }).complete(),
    blobs: parameters.blobs ?? (isPrague ? PRAGUE_BLOBS : CANCUN_BLOBS),
    depositContract: parameters.depositContract,
  }
}

export function isForkActive(rules: Rules, since: Hardfork): boolean {
  return HARDFORKS.indexOf(rules.hardfork) >= HARDFORKS.indexOf(since)
}
