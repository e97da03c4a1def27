// The precompiles of @ethereumjs/evm with @noble/curves, and this library's in their place.

import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { EVM, NobleBN254, type PrecompileFunc } from '@ethereumjs/evm'
import {
  installPrecompiles,
  lazyBls,
  lazyBn254,
  verifyKzgProof,
} from '../../../src/execution/precompiles/install.ts'
import { bytesToHex } from '../../../src/primitives/hex.ts'
import type { Hardfork } from '../../../src/rollup/hardforks.ts'
import { makeRules } from '../../../src/rollup/rules.ts'
import { nobleKzg } from './noble-kzg.ts'

export interface Outcome {
  readonly gas: bigint
  readonly output: string
  readonly error: string | undefined
}

/** Runs a precompile of `evm`. */
async function run(evm: EVM, number: number, data: Uint8Array, gasLimit: bigint): Promise<Outcome> {
  const precompile = evm.precompiles.get(number.toString(16).padStart(40, '0')) as PrecompileFunc
  const result = await precompile({ data, gasLimit, common: evm.common, _EVM: evm })
  const { executionGasUsed, returnValue, exceptionError } = result
  return { gas: executionGasUsed, output: bytesToHex(returnValue), error: exceptionError?.error }
}

export type Run = (number: number, data: Uint8Array, gasLimit?: bigint) => Promise<Outcome>

export const ENOUGH = 2n ** 40n

/** Both sets of precompiles under a fork. */
export function precompilesUnder(hardfork: Hardfork): { readonly ours: Run; readonly theirs: Run } {
  const common = (kzg: typeof nobleKzg): Common =>
    createCustomCommon({ chainId: 1 }, Mainnet, { hardfork, customCrypto: { kzg } })
  const ours = new EVM({
    common: common({ ...nobleKzg, verifyProof: verifyKzgProof }),
    bn254: lazyBn254,
    bls: lazyBls,
  })
  installPrecompiles(makeRules(1, hardfork), ours)
  const theirs = new EVM({ common: common(nobleKzg), bn254: new NobleBN254() })
  return {
    ours: (number, data, gasLimit = ENOUGH) => run(ours, number, data, gasLimit),
    theirs: (number, data, gasLimit = ENOUGH) => run(theirs, number, data, gasLimit),
  }
}
