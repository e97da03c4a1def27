// Parameter sets (`Common`) for the EVM, one per rules and shared by its EVMs. Loads with the EVM.

import { Common, type CustomCrypto, Mainnet, type ParamsDict } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { keccak256, recoverPublicKey, sha256 } from '../../primitives/crypto.ts'
import { bytesToBigInt } from '../../primitives/hex.ts'
import type { Rules } from '../../rollup/rules.ts'

/** Merges all parameters once: most of the time to construct an EVM goes into merging them into a copy. */
class SharedCommon extends Common {
  private isComplete = false

  complete(): this {
    super.updateParams(paramsEVM)
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

function recover(digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v < 2n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const key =
    yParity === 0n || yParity === 1n
      ? recoverPublicKey(digest, bytesToBigInt(r), bytesToBigInt(s), Number(yParity))
      : undefined
  if (key === undefined) throw new RangeError('invalid signature')
  return key
}

/** Cryptography that @ethereumjs takes from this library. */
export const evmCrypto: CustomCrypto = { keccak256, sha256, ecrecover: recover }

const made = new WeakMap<Rules, Common>()

export function evmParameters(rules: Rules): Common {
  let common = made.get(rules)
  if (common === undefined) {
    const chain = { ...Mainnet, chainId: rules.chainId }
    common = new SharedCommon({ chain, hardfork: rules.hardfork, customCrypto: evmCrypto }).complete()
    made.set(rules, common)
  }
  return common
}
