// What random programs have and come to: every instruction, and every way to fail.

import { beforeAll, expect, test } from 'vitest'
import { createRunner, runCase } from '../../../scripts/fuzz/execute.js'
import { fuzz, interpreterPair } from '../../../scripts/fuzz/fuzz.js'
import { nameOf, OPCODES } from '../../../scripts/fuzz/opcodes.js'
import { makeCase } from '../../../scripts/fuzz/world.js'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { scaled } from '../../size.ts'
import { library } from './library.ts'

beforeAll(loadCrypto)

test('programs have every instruction of the newest fork', async () => {
  const runner = createRunner(library, 'reference')
  // PUSH1 to PUSH32, DUP1 to DUP16, SWAP1 to SWAP16.
  const pushDupSwap = Array.from({ length: 64 }, (_, i) => 0x60 + i)
  const missing = new Set([...OPCODES.map(({ code }) => code), ...pushDupSwap])
  for (let number = 0; number < 400 && missing.size > 0; number++) {
    const that = makeCase(1, number, 'osaka')
    if (that.isDeep) continue
    await runCase(runner, that, async ({ evm }, run) => {
      const listener = ({ opcode: { name, code } }: { opcode: { name: string; code: number } }): void => {
        // Events have another code for REVERT (src/core/execution/evm/create-evm.ts).
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

test('more than half of the programs succeed, and the others fail in every way', async () => {
  const pair = interpreterPair(library)
  const { outcomes, programs } = await fuzz(
    { ...pair, other: pair.reference },
    { seed: 1, count: scaled(990) },
  )
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
