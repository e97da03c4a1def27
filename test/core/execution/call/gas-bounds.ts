// Gas bounds from single runs, compared with runs: random programs must have the same estimate with the interpreter
// that reports no bounds.

import { describe, expect, test } from 'vitest'
import { createRunner, messageOf, type Runner, stateOf } from '../../../../scripts/fuzz/execute.js'
import { type Case, forkOf, makeCase } from '../../../../scripts/fuzz/world.js'
import {
  estimateGas,
  type GasBounds,
  watchGasBounds,
} from '../../../../src/core/execution/call/estimate-gas.ts'
import { type CallMessage, type CallResult, runCall } from '../../../../src/core/execution/call/run-call.ts'
import { ZERO_HASH } from '../../../../src/core/primitives/hex.ts'
import { library } from '../../interpreter/library.ts'

const MOST_GAS = 3_000_000n

/** The first cases of a seed, except those with unlimited gas. */
function casesOf(seed: number, count: number): Case[] {
  const all = Array.from({ length: count }, (_, number) => makeCase(seed, number, forkOf(number)))
  return all.filter(({ isDeep }) => !isDeep)
}

function placeOf({ evmPools, rulesOf }: Runner, that: Case) {
  const state = library.updateAccount(stateOf(library, that), that.message.from, { balance: 10n ** 30n })
  const context = {
    evmPool: library.evmPoolFor(evmPools, rulesOf(that.fork)),
    blockHashOf: () => undefined,
  }
  const environment = {
    ...that.block,
    ...{ parentHash: ZERO_HASH, parentBeaconBlockRoot: ZERO_HASH, extraData: Uint8Array.of() },
    ...{ gasLimit: 30_000_000n, baseFeePerGas: 0n, excessBlobGas: 0n },
  }
  return { execution: context, state, environment }
}

function callOf(that: Case, gasPrice: bigint): CallMessage {
  const message = messageOf(that)
  const gasLimit = message.gasLimit < MOST_GAS ? message.gasLimit : MOST_GAS
  return { ...message, gasLimit, gasPrice, feeCap: gasPrice, maxFeePerBlobGas: 0n }
}

async function estimateOrError(runner: Runner, that: Case, gasPrice: bigint): Promise<bigint | string> {
  try {
    return await estimateGas({ ...placeOf(runner, that), message: callOf(that, gasPrice) })
  } catch (error) {
    return `${(error as Error).message}`
  }
}

async function outcomeOf(runner: Runner, that: Case, call: CallMessage): Promise<CallResult['outcome']> {
  try {
    return (await runCall({ ...placeOf(runner, that), message: call })).outcome
  } catch {
    // Less than the intrinsic gas.
    return 'failure'
  }
}

/** The tests of some programs of a seed. */
export function testGasBounds(seed: number, count: number): void {
  describe(`${count} programs of seed ${seed}`, () => {
    test.each([0n, 7n])(
      'have the same estimates on both interpreters, at a gas price of %i',
      async (gasPrice) => {
        const [reference, wasm] = [createRunner(library, 'reference'), createRunner(library, 'wasm')]
        let estimated = 0
        for (const that of casesOf(seed, count)) {
          const expected = await estimateOrError(reference, that, gasPrice)
          expect(await estimateOrError(wasm, that, gasPrice), `case ${that.number}`).toBe(expected)
          if (typeof expected === 'bigint') estimated++
        }
        expect(estimated).toBeGreaterThan(count / 2)
      },
    )

    test('succeed with their estimates, and not with one less', async () => {
      const wasm = createRunner(library, 'wasm')
      let exact = 0
      for (const that of casesOf(seed, count)) {
        const call = callOf(that, 0n)
        const estimate = await estimateOrError(wasm, that, 0n)
        if (typeof estimate === 'string') continue
        const withGas = (gasLimit: bigint) => outcomeOf(wasm, that, { ...call, gasLimit })
        expect(await withGas(estimate), `case ${that.number} with ${estimate}`).toBe('success')
        const isExact = (await withGas(estimate - 1n)) !== 'success'
        if (isExact) exact++
        // As in geth, no less is tried than what the run with all the gas used.
        const { gasUsed } = await runCall({ ...placeOf(wasm, that), message: call })
        expect(isExact || estimate === gasUsed, `case ${that.number} with one less than ${estimate}`).toBe(
          true,
        )
      }
      expect(exact).toBeGreaterThan(count / 2)
    })

    test('succeed with the reported gas, and mostly not with less', async () => {
      const [reference, wasm] = [createRunner(library, 'reference'), createRunner(library, 'wasm')]
      let leasts = 0
      for (const that of casesOf(seed, count)) {
        const call = callOf(that, 0n)
        let bounds: GasBounds | undefined
        const around = watchGasBounds(call, (seen) => {
          bounds = seen
        })
        await runCall({ ...placeOf(wasm, that), message: call }, around).catch(() => undefined)
        if (bounds === undefined) continue
        const { sufficient, isMinimal } = bounds as GasBounds
        const withIt = await outcomeOf(reference, that, { ...call, gasLimit: sufficient })
        expect(withIt, `case ${that.number} with ${sufficient}`).toBe('success')
        if (!isMinimal) continue
        leasts++
        const withLess = await outcomeOf(reference, that, { ...call, gasLimit: sufficient - 1n })
        expect(withLess, `case ${that.number} with one less than ${sufficient}`).toBe('failure')
      }
      expect(leasts).toBeGreaterThan(count / 20)
    })
  })
}
