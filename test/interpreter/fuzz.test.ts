// Random programs on both interpreters; fuzz.deep.test.ts and `npm run fuzz` run more of them.

import { beforeAll, expect, test } from 'vitest'
import { disassemble } from '../../scripts/fuzz/assembly.js'
import { createRunner, runCase } from '../../scripts/fuzz/execute.js'
import { fuzz, interpreterPair } from '../../scripts/fuzz/fuzz.js'
import { FORKS, nameOf, OPCODES } from '../../scripts/fuzz/opcodes.js'
import { makeCase } from '../../scripts/fuzz/world.js'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { library } from './library.ts'
import { expectSamePrograms } from './programs.ts'

beforeAll(loadCrypto)

test('120 programs of seed 14, under all forks, do the same on both interpreters', async () => {
  await expectSamePrograms(14, 120)
})

test.each(FORKS)('6 programs under %s do the same on both interpreters', async (fork) => {
  await expectSamePrograms(3, 6, fork)
})

test('a seed and a number always make the same case', () => {
  const [once, again] = [makeCase(7, 42, 'prague'), makeCase(7, 42, 'prague')]
  expect(once).toEqual(again)
  expect(makeCase(7, 43, 'prague')).not.toEqual(once)
  expect(makeCase(8, 42, 'prague')).not.toEqual(once)
})

test('code is disassembled, also if its end truncates a constant', () => {
  expect(disassemble(Uint8Array.of(0x60, 0x5b, 0x5b, 0x0c, 0x61, 0x01))).toEqual([
    '0000  PUSH1 0x5b',
    '0002  JUMPDEST',
    '0003  UNDEFINED(0x0c)',
    '0004  PUSH2 0x01 (cut off)',
  ])
})

test('programs have every instruction of the newest fork', { timeout: 120_000 }, async () => {
  const runner = createRunner(library, 'reference')
  // PUSH1 to PUSH32, DUP1 to DUP16, SWAP1 to SWAP16.
  const pushDupSwap = Array.from({ length: 64 }, (_, i) => 0x60 + i)
  const missing = new Set([...OPCODES.map(({ code }) => code), ...pushDupSwap])
  for (let number = 0; number < 400 && missing.size > 0; number++) {
    const that = makeCase(1, number, 'osaka')
    if (that.isDeep) continue
    await runCase(runner, that, async ({ evm }, run) => {
      const listener = ({ opcode: { name, code } }: { opcode: { name: string; code: number } }): void => {
        // Events have another code for REVERT (src/execution/evm/create-evm.ts).
        missing.delete(name === 'REVERT' ? 0xfd : code)
      }
      evm.events.on('step', listener)
      try {
        return await run()
      } finally {
        evm.events.off('step', listener)
      }
    })
  }
  expect([...missing].map(nameOf)).toEqual([])
})

test('more than half of the programs succeed, and the others fail in every way', {
  timeout: 60_000,
}, async () => {
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
