// Random programs on both interpreters, a fixed number for each seed; `npm run fuzz` runs more. PROGRAMS sets the
// number: PROGRAMS=2000 npx vitest run test/interpreter/fuzz.test.ts

import { beforeAll, expect, test } from 'vitest'
import { disassemble } from '../../scripts/fuzz/assembly.js'
import { createRunner, runCase } from '../../scripts/fuzz/execute.js'
import { fuzz, interpreterPair } from '../../scripts/fuzz/fuzz.js'
import { FORKS, nameOf, OPCODES } from '../../scripts/fuzz/opcodes.js'
import { makeCase } from '../../scripts/fuzz/world.js'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { library } from './library.ts'

const { PROGRAMS = '240' } = process.env
const count = Number(PROGRAMS)

beforeAll(loadCrypto)

test.each([11, 12, 13, 14, 15, 16, 17, 18])(
  `${count} programs of seed %i, under all forks, do the same on both interpreters`,
  { timeout: 600_000 },
  async (seed) => {
    const { report, programs } = await fuzz(interpreterPair(library), { seed, count })
    // The report is what a reader wants to see of a failure.
    expect(report ?? '').toBe('')
    expect(programs).toBe(count)
  },
)

test.each(FORKS)('programs under %s do the same on both interpreters', { timeout: 600_000 }, async (fork) => {
  const { report, programs } = await fuzz(interpreterPair(library), { seed: 3, count: count / 4, fork })
  expect(report ?? '').toBe('')
  expect(programs).toBe(count / 4)
})

test('a seed and a number always make the same case', () => {
  const [once, again] = [makeCase(7, 42, 'prague'), makeCase(7, 42, 'prague')]
  expect(once).toEqual(again)
  expect(makeCase(7, 43, 'prague')).not.toEqual(once)
  expect(makeCase(8, 42, 'prague')).not.toEqual(once)
})

test('code is told instruction by instruction, also where its end cuts a constant off', () => {
  expect(disassemble(Uint8Array.of(0x60, 0x5b, 0x5b, 0x0c, 0x61, 0x01))).toEqual([
    '0000  PUSH1 0x5b',
    '0002  JUMPDEST',
    '0003  UNDEFINED(0x0c)',
    '0004  PUSH2 0x01 (cut off)',
  ])
})

test('programs have every instruction of the newest fork', { timeout: 120_000 }, async () => {
  const runner = createRunner(library, 'reference')
  const executed = new Set<number>()
  for (let number = 0; number < 400; number++) {
    const that = makeCase(1, number, 'osaka')
    if (that.isDeep) continue
    await runCase(runner, that, async ({ evm }, run) => {
      const listener = ({ opcode }: { opcode: { code: number } }): void => {
        executed.add(opcode.code)
      }
      evm.events.on('step', listener)
      try {
        return await run()
      } finally {
        evm.events.off('step', listener)
      }
    })
  }
  // PUSH1 to PUSH32, DUP1 to DUP16, SWAP1 to SWAP16.
  const pushDupSwap = Array.from({ length: 64 }, (_, i) => 0x60 + i)
  const missing = [...OPCODES.map(({ code }) => code), ...pushDupSwap].filter((code) => !executed.has(code))
  expect(missing.map(nameOf)).toEqual([])
})

test('programs get far: most of them by far do more than fail', { timeout: 60_000 }, async () => {
  const pair = interpreterPair(library)
  const { outcomes, programs } = await fuzz({ ...pair, other: pair.reference }, { seed: 1, count: 200 })
  expect((outcomes['success'] ?? 0) / programs).toBeGreaterThan(0.5)
  // And all the ways to fail are among them.
  for (const way of [
    'out of gas',
    'revert',
    'invalid jump destination',
    'stack underflow',
    'stack overflow',
  ]) {
    expect(outcomes, way).toHaveProperty([way])
  }
})
