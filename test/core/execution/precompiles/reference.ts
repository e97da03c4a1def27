// The precompiles of @ethereumjs/evm with @noble/curves, and this library's in their place.

import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { EVM, type ExecResult, NobleBN254, type PrecompileFunc } from '@ethereumjs/evm'
import { referencePrecompiles } from '../../../../src/core/execution/evm/reference-evm.ts'
import { ownPrecompilesOf } from '../../../../src/core/execution/precompiles/install.ts'
import { haltReason } from '../../../../src/core/execution/result/revert-reason.ts'
import type { Precompile } from '../../../../src/core/interpreter/evm-interface.ts'
import { forkParametersOf } from '../../../../src/core/interpreter/fork-parameters.ts'
import { bytesToHex } from '../../../../src/core/primitives/hex.ts'
import type { Hardfork } from '../../../../src/core/rollup/hardforks.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'
import { nobleKzg } from './noble-kzg.ts'

export interface Outcome {
  readonly gas: bigint
  readonly output: string
  readonly isFailure: boolean
}

async function outcomeOf(result: ExecResult | Promise<ExecResult>): Promise<Outcome> {
  const { executionGasUsed, returnValue, exceptionError } = await result
  return { gas: executionGasUsed, output: bytesToHex(returnValue), isFailure: exceptionError !== undefined }
}

export type Run = (number: number, data: Uint8Array, gasLimit?: bigint) => Promise<Outcome>

export const ENOUGH = 2n ** 40n

/** Both sets of precompiles under a fork. */
export function precompilesUnder(hardfork: Hardfork): {
  readonly ours: Run
  readonly theirs: Run
  /** Why ours fails, in geth's words, which theirs does not have. */
  readonly words: (number: number, data: Uint8Array, gasLimit?: bigint) => Promise<string | undefined>
} {
  const rules = makeRules(1, hardfork)
  const ours = ownPrecompilesOf(rules, async () => referencePrecompiles(rules))
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork, customCrypto: { kzg: nobleKzg } })
  const theirs = new EVM({ common, bn254: new NobleBN254() })
  const addressOf = (number: number): string => number.toString(16).padStart(40, '0')
  const fork = forkParametersOf(rules)
  const run = (number: number, data: Uint8Array, gasLimit = ENOUGH) =>
    (ours.get(addressOf(number)) as Precompile)({ data, gasLimit, common: fork })
  return {
    ours: async (...input) => outcomeOf(run(...input)),
    async words(...input) {
      const { exceptionError } = await run(...input)
      return exceptionError && haltReason(exceptionError)
    },
    theirs: async (number, data, gasLimit = ENOUGH) => {
      const precompile = theirs.precompiles.get(addressOf(number)) as PrecompileFunc
      return outcomeOf(precompile({ data, gasLimit, common, _EVM: theirs }))
    },
  }
}
