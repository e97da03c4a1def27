// More of the programs of gas-bounds.test.ts. PROGRAMS sets how many of each seed.
import { beforeAll } from 'vitest'
import { loadCrypto } from '../../../src/primitives/crypto.ts'
import { testGasBounds } from './gas-bounds.ts'

const { PROGRAMS = '400' } = process.env

beforeAll(loadCrypto)

for (const seed of [21, 22, 23]) testGasBounds(seed, Number(PROGRAMS))
