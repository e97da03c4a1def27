import { beforeAll } from 'vitest'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { testTransactions } from './run-transaction.ts'

beforeAll(loadCrypto)

testTransactions('osaka', 8)
