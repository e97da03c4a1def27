// Steps told by the WebAssembly interpreter compared with those of @ethereumjs/evm, on random programs.

import { beforeAll, expect, test } from 'vitest'
import { createRunner, runCase } from '../../../scripts/fuzz/execute.js'
import { FORKS } from '../../../scripts/fuzz/opcodes.js'
import { makeCase } from '../../../scripts/fuzz/world.js'
import { watchSteps } from '../../../src/execution/evm/watch-steps.ts'
import { loadCrypto } from '../../../src/primitives/crypto.ts'
import { library } from '../../interpreter/library.ts'

beforeAll(loadCrypto)

/** Opcodes whose steps both interpreters tell, and the operands that are read. */
const TOLD: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  ...[0x31, 0x3b, 0x3c, 0x3f, 0x54, 0x55, 0x5c, 0x5d, 0xff].map((opcode) => [opcode, [0]] as const),
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4].map((opcode) => [opcode, [0, 1]] as const),
  ...[0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa].map((opcode) => [opcode, [0, 1]] as const),
])

type Case = ReturnType<typeof makeCase>

const runners = {
  wasm: createRunner(library, 'wasm'),
  reference: createRunner(library, 'reference'),
}

async function stepsOf(interpreter: 'wasm' | 'reference', that: Case): Promise<unknown[]> {
  const steps: unknown[] = []
  await runCase(runners[interpreter], that, (instance, run) =>
    watchSteps(
      instance,
      ({ opcode, address, peek }) => {
        const operands = TOLD.get(opcode)
        if (operands !== undefined) steps.push([opcode, address, ...operands.map(peek)])
      },
      run,
    ),
  )
  return steps
}

test.each(FORKS)('both interpreters tell the same under %s', { timeout: 120_000 }, async (fork) => {
  let count = 0
  for (let number = 0; number < 30; number++) {
    const that = makeCase(5, number, fork)
    if (that.isDeep) continue
    const [wasm, reference] = [await stepsOf('wasm', that), await stepsOf('reference', that)]
    expect(wasm, `case ${number}`).toEqual(reference)
    count += wasm.length
  }
  expect(count).toBeGreaterThan(20)
})
