// More of the programs of gas-bounds.test.ts.
import { beforeAll } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { allInLong, scaled } from '../../../size.ts'
import { testGasBounds } from './gas-bounds.ts'

beforeAll(loadCrypto)

for (const seed of allInLong([21], [21, 22, 23])) testGasBounds(seed, Math.max(20, scaled(80)))
