import { beforeAll } from 'vitest'
import { loadCrypto } from '../../src/core/primitives/crypto.ts'
import { testTransactions } from './run-transaction.ts'

beforeAll(loadCrypto)

testTransactions('osaka', 8)
