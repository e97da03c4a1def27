// The mutants that show in many programs only, and none in a correct interpreter.

import { beforeAll, expect, test } from 'vitest'
import { createRunner } from '../../../scripts/fuzz/execute.js'
import { fuzz } from '../../../scripts/fuzz/fuzz.js'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { library } from './library.ts'
import { testMutants } from './mutants.ts'

beforeAll(loadCrypto)

testMutants((programs) => programs > 50)

test('a correct interpreter has no findings', async () => {
  const pair = { reference: createRunner(library, 'reference'), other: createRunner(library, 'reference') }
  const { report, programs } = await fuzz(pair, { seed: 2, count: 40, fork: 'osaka' })
  expect(report).toBe(undefined)
  expect(programs).toBe(40)
})
