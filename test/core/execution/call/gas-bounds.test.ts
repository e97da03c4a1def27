import { beforeAll } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { testGasBounds } from './gas-bounds.ts'

beforeAll(loadCrypto)

testGasBounds(21, 12)
