// More of the programs of fuzz.test.ts. PROGRAMS sets how many of each seed:
// PROGRAMS=2000 npx vitest run test/interpreter/fuzz.deep.test.ts

import { beforeAll, test } from 'vitest'
import { FORKS } from '../../scripts/fuzz/opcodes.js'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { expectSamePrograms } from './programs.ts'

const { PROGRAMS = '600' } = process.env
const count = Number(PROGRAMS)

beforeAll(loadCrypto)

test.each([11, 12, 13, 14, 15, 16, 17, 18])(
  `${count} programs of seed %i, under all forks, do the same on both interpreters`,
  async (seed) => {
    await expectSamePrograms(seed, count)
  },
)

test.each(FORKS)(`${count / 4} programs under %s do the same on both interpreters`, async (fork) => {
  await expectSamePrograms(3, count / 4, fork)
})
