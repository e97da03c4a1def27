// Fork schedules of the OP stack.

import { expect, test } from 'vitest'
import { OP_FORKS, opForksUpTo } from '../../../../src/core/rollup/op/forks.ts'
import { forkOrderProblem, opSchedule } from '../../../../src/core/rollup/op/schedule.ts'

const EIP_1559 = { denominator: 250n, elasticity: 6n }

function rulesAt(
  plan: Omit<Parameters<typeof opSchedule>[0], 'chainId' | 'eip1559'>,
  timestamp: number,
  number = 1,
) {
  return opSchedule({ chainId: 10, eip1559: EIP_1559, ...plan }).rulesAt({
    number,
    timestamp,
    difficulty: 0n,
  })
}

test('a named fork is active from genesis on, over its hardfork', () => {
  // OP stack specification, superchain upgrades: canyon is shapella, ecotone is cancun, isthmus is pectra.
  const expected = ['paris', 'paris', 'shanghai', 'cancun', 'cancun', 'cancun', 'cancun', 'prague', 'prague']
  // Karst and azul are fusaka, and Base goes on with it.
  expected.push('osaka', 'osaka', 'osaka', 'osaka', 'osaka')
  const hardforks = OP_FORKS.map((fork) => rulesAt({ forks: fork }, 0, 0))
  expect(hardforks.map(({ hardfork }) => hardfork)).toEqual(expected)
  expect(hardforks.map(({ rollup }) => rollup?.fork)).toEqual(OP_FORKS)
  expect(hardforks.every(({ chainId }) => chainId === 10)).toBe(true)
})

test('forks activate at their times', () => {
  const forks = { regolith: 0, canyon: 0, ecotone: 100, fjord: 200, granite: 200, holocene: 300 }
  const forkAt = (timestamp: number) => rulesAt({ forks }, timestamp).rollup?.fork
  expect([0, 99, 100, 199, 200, 299, 300, 10_000].map(forkAt)).toEqual([
    ...['canyon', 'canyon', 'ecotone', 'ecotone'],
    ...['granite', 'granite', 'holocene', 'holocene'],
  ])
  const schedule = opSchedule({ chainId: 10, forks, eip1559: EIP_1559 })
  expect(schedule.forkPoints).toEqual({ blocks: [], times: [100, 200, 300] })
  const [early, late] = [150, 160].map((timestamp) =>
    schedule.rulesAt({ number: 9, timestamp, difficulty: 0n }),
  )
  // One value a fork, for EVMs and caches.
  expect(early).toBe(late)
})

test('a chain may have had another denominator until canyon', () => {
  const plan = { forks: { regolith: 0, canyon: 50 }, denominatorBeforeCanyon: 50n }
  expect(rulesAt(plan, 49).rollup?.eip1559).toEqual({ denominator: 50n, elasticity: 6n })
  expect(rulesAt(plan, 50).rollup?.eip1559).toEqual({ denominator: 250n, elasticity: 6n })
})

test('orders that cannot be', () => {
  expect(forkOrderProblem({ regolith: 0, canyon: 5, ecotone: 5, fjord: 7 })).toBeUndefined()
  expect(forkOrderProblem({})).toBeUndefined()
  const upToJovian = Object.fromEntries(opForksUpTo('jovian').map((fork) => [fork, 5]))
  expect(forkOrderProblem({ ...upToJovian, karst: 6 })).toBeUndefined()
  expect(forkOrderProblem({ ...upToJovian, azul: 6, beryl: 7, cobalt: 7, denim: 9 })).toBeUndefined()
  expect(forkOrderProblem({ ...upToJovian, azul: 6, cobalt: 7 })).toBe(
    'unsupported fork ordering: beryl not enabled, but cobalt enabled at timestamp 7',
  )
  expect(forkOrderProblem({ ...upToJovian, azul: 4 })).toBe(
    'unsupported fork ordering: jovian enabled at timestamp 5, but azul enabled at timestamp 4',
  )
  expect(forkOrderProblem({ ...upToJovian, karst: 6, azul: 6 })).toBe(
    'unsupported fork ordering: karst is a fork of the OP stack, azul of Base, and no chain has both',
  )
  expect(forkOrderProblem({ regolith: 0, ecotone: 7 })).toBe(
    'unsupported fork ordering: canyon not enabled, but ecotone enabled at timestamp 7',
  )
  expect(forkOrderProblem({ regolith: 0, canyon: 8, ecotone: 7 })).toBe(
    'unsupported fork ordering: canyon enabled at timestamp 8, but ecotone enabled at timestamp 7',
  )
})
