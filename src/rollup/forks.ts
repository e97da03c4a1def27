// Which rules hold: a hardfork by name, as the EVM's parameter set. One parameter set per chain id and fork is
// shared by every transaction, block and EVM of it.

import { Common, type CustomCrypto, Mainnet, type ParamsDict } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { paramsTx } from '@ethereumjs/tx'
import { paramsVM } from '@ethereumjs/vm'
import { keccak256, recoverPublicKey, sha256 } from '../primitives/crypto.ts'
import { padLeft } from '../primitives/hex.ts'
import { kzg } from './kzg.ts'

/** Hardforks in order. */
export const HARDFORKS = [
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

export interface Rules {
  readonly chainId: number
  readonly hardfork: Hardfork
  readonly common: Common
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

export function makeRules(chainId: number, hardfork: Hardfork): Rules {
  const chain = { ...Mainnet, chainId }
  return { chainId, hardfork, common: new SharedCommon({ chain, hardfork, customCrypto }).complete() }
}

export function isForkActive(rules: Rules, since: Hardfork): boolean {
  return HARDFORKS.indexOf(rules.hardfork) >= HARDFORKS.indexOf(since)
}
