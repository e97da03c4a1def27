import { beforeAll } from 'vitest'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { testForesight } from './foresight.ts'

beforeAll(loadCrypto)

testForesight(21, 60)
