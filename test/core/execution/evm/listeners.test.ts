// Observers of an EVM instance, which is pooled: a listener left behind would run in every later call.

import { describe, expect, test } from 'vitest'
import { watchInternalGas } from '../../../../src/core/execution/call/estimate-gas.ts'
import { createEvmPools, evmPoolFor, withEvm } from '../../../../src/core/execution/evm/evm-pool.ts'
import type { EvmInstance } from '../../../../src/core/execution/evm/pooled-evm.ts'
import { observe } from '../../../../src/core/execution/trace/observe.ts'
import { runWithLogs } from '../../../../src/core/execution/transaction/simulate-transaction.ts'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'
import { EMPTY_WORLD_STATE } from '../../../../src/core/state/world-state.ts'

type Observer = (instance: EvmInstance, run: () => Promise<never>) => Promise<unknown>

const observers: readonly (readonly [string, Observer])[] = [
  ['gas inside a call', (instance, run) => watchInternalGas(instance, run, () => {})],
  ['logs', (instance, run) => runWithLogs(instance, 'traced', run)],
  ['steps', (instance, run) => observe(instance, { step: () => {} }, run)],
]

describe.each(['wasm', 'reference'] as const)('on the interpreter %s', (interpreter) => {
  test.each(observers)('the observer of %s ends with a run that fails', async (_, runObserved) => {
    await loadCrypto()
    const pools = createEvmPools({ allowUnlimitedContractSize: false, interpreter })
    const context = { evmPool: evmPoolFor(pools, makeRules(1, 'prague')), blockHashOf: () => undefined }
    await withEvm(context, EMPTY_WORLD_STATE, async (instance) => {
      const { events } = instance.evm
      const listening = () => ({
        before: events.listenerCount('beforeMessage'),
        after: events.listenerCount('afterMessage'),
        step: events.listenerCount('step'),
        isObserved: instance.observed.current !== undefined,
      })
      const idle = listening()
      const run = async () => {
        expect(listening()).not.toEqual(idle)
        throw new Error('out of luck')
      }
      await expect(runObserved(instance, run)).rejects.toThrow('out of luck')
      expect(listening()).toEqual(idle)
    })
  })
})
