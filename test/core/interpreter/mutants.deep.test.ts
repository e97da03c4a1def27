// The fuzzer can fail: it finds the mutants that show in few programs. mutants.long.test.ts has the others.

import { beforeAll } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { testMutants } from './mutants.ts'

beforeAll(loadCrypto)

testMutants((programs) => programs <= 50)
