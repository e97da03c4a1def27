// Random programs on the build for coverage, which makes calls of code that it knows itself, and on that of all executions.

import { expect } from 'vitest'
import { canBegin, createRunner, runCase } from '../../../scripts/fuzz/execute.js'
import { FORKS } from '../../../scripts/fuzz/opcodes.js'
import { makeCase } from '../../../scripts/fuzz/world.js'
import { createCoveredEvm, evmPoolFor } from '../../../src/core/execution/evm/evm-pool.ts'
import type { PooledEvm } from '../../../src/core/execution/evm/pooled-evm.ts'
import { library } from './library.ts'
import { blockHashOf } from './scene.ts'

/** What is told of an execution, but for what only estimates of gas ask: nobody estimates what is covered. */
const withoutWatch = ({ gasWatch: _, ...told }: Record<string, unknown>) => told

/** Runs programs of a seed, and expects the same of both; resolves to how many were compared. */
export async function expectSameCalls(seed: number, count: number, make = makeCase): Promise<number> {
  const plain = createRunner(library, 'wasm')
  const forks = FORKS.slice(FORKS.indexOf('berlin'))
  let compared = 0
  for (let number = 0; number < count; number++) {
    const made = make(seed, number, forks[number % forks.length] as (typeof FORKS)[number])
    const that = { ...made, steps: 'unwatched' as const }
    if (!canBegin(plain, that) || that.isDeep) continue
    // One for each case, because a code is known by its address.
    const covered = createRunner(library, 'wasm')
    const pool = evmPoolFor(covered.evmPools, covered.rulesOf(that.fork))
    const { instance } = await createCoveredEvm({ evmPool: pool, blockHashOf })
    pool.idle.push(instance as PooledEvm)
    const expected = await runCase(plain, that)
    for (const time of ['first', 'second', 'third']) {
      const { told, after } = await runCase(covered, that)
      const what = `${number}, ${time}`
      expect(withoutWatch(told), what).toEqual(withoutWatch(expected.told))
      expect([...(after?.entries() ?? [])], what).toEqual([...(expected.after?.entries() ?? [])])
    }
    compared++
  }
  return compared
}
