// The build for coverage executes as the other does, also where it makes calls of code that it knows itself.

import { beforeAll, expect, test } from 'vitest'
import { canBegin, createRunner, runCase } from '../../../scripts/fuzz/execute.js'
import { FORKS } from '../../../scripts/fuzz/opcodes.js'
import { makeCase } from '../../../scripts/fuzz/world.js'
import { createCoveredEvm, evmPoolFor } from '../../../src/core/execution/evm/evm-pool.ts'
import type { PooledEvm } from '../../../src/core/execution/evm/pooled-evm.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { scaled } from '../../size.ts'
import { makeCallTree } from './call-trees.ts'
import { expectSameCalls } from './covered-calls.ts'
import { library } from './library.ts'
import { blockHashOf } from './scene.ts'

beforeAll(loadCrypto)

test('random programs have the same effects', async () => {
  const [plain, covered] = [createRunner(library, 'wasm'), createRunner(library, 'wasm')]
  const forks = FORKS.slice(FORKS.indexOf('byzantium'))
  let compared = 0
  for (let number = 0; number < scaled(60); number++) {
    const that = makeCase(12, number, forks[number % forks.length] as (typeof FORKS)[number])
    if (!canBegin(plain, that)) continue
    const pool = evmPoolFor(covered.evmPools, covered.rulesOf(that.fork))
    if (pool.idle.length === 0) {
      const { instance, covering } = await createCoveredEvm({ evmPool: pool, blockHashOf })
      covering.watchComparisons()
      pool.idle.push(instance as PooledEvm)
    }
    const [a, b] = [await runCase(plain, that), await runCase(covered, that)]
    expect(b.told).toEqual(a.told)
    expect([...(b.after?.entries() ?? [])]).toEqual([...(a.after?.entries() ?? [])])
    compared++
  }
  expect(compared).toBeGreaterThan(scaled(60) / 2)
})

test('random programs have the same effects when the module makes calls of code that it knows', async () => {
  expect(await expectSameCalls(13, scaled(60))).toBeGreaterThan(scaled(60) / 2)
})

test('contracts that call each other, log and fail have the same effects when the module makes the calls', {
  tags: 'gate',
}, async () => {
  // More gas than the module counts in a call.
  const withMuchGas: typeof makeCallTree = (...its) => makeCallTree(its[0], its[1], its[2], 1n << 40n)
  expect(await expectSameCalls(5, scaled(60), withMuchGas)).toBe(scaled(60))
})

test('random trees of calls have the same effects when the module makes them', { tags: 'gate' }, async () => {
  expect(await expectSameCalls(31, scaled(60), makeCallTree)).toBe(scaled(60))
})
