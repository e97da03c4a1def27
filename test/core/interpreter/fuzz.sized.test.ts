// Random programs on both interpreters; `npm run fuzz` runs them for as long as it is told.

import { beforeAll, test } from 'vitest'
import { FORKS } from '../../../scripts/fuzz/opcodes.js'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { sampled, scaled } from '../../size.ts'
import { expectSamePrograms } from './programs.ts'

beforeAll(loadCrypto)

test.each(sampled([11, 12, 13, 14, 15, 16, 17, 18]))(
  'programs of seed %i, under all forks, do the same on both interpreters',
  (seed) => expectSamePrograms(seed, scaled(80)),
)

test.each(sampled(FORKS))('programs under %s do the same on both interpreters', (fork) =>
  expectSamePrograms(3, scaled(16), fork),
)
