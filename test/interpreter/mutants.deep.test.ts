// The mutants that show in many programs only.

import { beforeAll } from 'vitest'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { testMutants } from './mutants.ts'

beforeAll(loadCrypto)

testMutants((programs) => programs > 100)
