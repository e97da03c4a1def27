// Places of opcodes: an observer that needs no more of a step is told the same places as one that is told of steps.

import { concat, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { canBegin, createRunner, runCase } from '../../../scripts/fuzz/execute.js'
import { FORKS } from '../../../scripts/fuzz/opcodes.js'
import { makeCase } from '../../../scripts/fuzz/world.js'
import type { Observer } from '../../../src/core/execution/trace/observer.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { library } from './library.ts'
import { codeOf, OTHER, push, type Run, runCode } from './scene.ts'

beforeAll(loadCrypto)

type Told = readonly (number | 'enter' | 'exit')[]

/** Observers that gather places with the frames around them, by places or by steps. */
function gatherer(by: 'place' | 'step') {
  const told: (number | 'enter' | 'exit')[] = []
  const observer: Observer = {
    enter: () => told.push('enter'),
    exit: () => told.push('exit'),
    ...(by === 'place' ? { place: (pc) => told.push(pc) } : { step: ({ pc }) => told.push(pc) }),
  }
  return { observer, told }
}

async function placesOf(code: Hex, run: Run = {}): Promise<Told> {
  const { observer, told } = gatherer('place')
  await runCode(code, { ...run, observer })
  return told
}

describe.each(['wasm', 'reference'] as const)('by hand: %s', (interpreter) => {
  test('a jump, and an opcode of the block, whose result is cached on the way', async () => {
    // PUSH1 4, JUMP, STOP, JUMPDEST, TIMESTAMP, TIMESTAMP.
    expect(await placesOf('0x600456005b4242', { interpreter })).toEqual(['enter', 0, 2, 4, 5, 6, 7, 'exit'])
  })

  test('before and after a call', async () => {
    const call = concat(['0x5f5f5f5f5f', push(BigInt(OTHER)), '0x5af150'])
    const accounts = { [OTHER]: { balance: 0n, ...codeOf('0x5f50') } }
    const told = await placesOf(call, { interpreter, accounts })
    const inner = told.slice(told.lastIndexOf('enter'), told.indexOf('exit') + 1)
    // The end of a code is a STOP.
    expect(inner).toEqual(['enter', 0, 1, 2, 'exit'])
    expect(told.filter((place) => typeof place === 'number')).toHaveLength(8 + 3 + 2)
  })

  test('a loop of more places than are noted at once', { tags: 'gate' }, async () => {
    // PUSH2 2000; JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 3, JUMPI: seven opcodes 2000 times.
    const told = await placesOf('0x6107d05b6001900380600357', { interpreter })
    const times = (pc: number) => told.filter((place) => place === pc).length
    expect([0, 3, 4, 6, 7, 8, 9, 11, 12].map(times)).toEqual([1, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 1])
  })

  test('up to an opcode that fails', async () => {
    expect(await placesOf('0x5ffe00', { interpreter })).toEqual(['enter', 0, 1, 'exit'])
    expect(await placesOf('0x600556', { interpreter })).toEqual(['enter', 0, 2, 'exit'])
  })
})

test('in random programs, places are those of steps', { tags: 'gate' }, async () => {
  const runner = createRunner(library, 'wasm')
  let compared = 0
  for (let number = 0; number < 60; number++) {
    const that = makeCase(11, number, FORKS[number % FORKS.length] as (typeof FORKS)[number])
    if (!canBegin(runner, that)) continue
    const [places, steps] = [gatherer('place'), gatherer('step')]
    for (const { observer } of [places, steps])
      await runCase(runner, that, (instance, run) => library.observe(instance, observer, run))
    expect(places.told).toEqual(steps.told)
    compared += places.told.length
  }
  expect(compared).toBeGreaterThan(1000)
})
