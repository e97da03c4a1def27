import { beforeAll } from 'vitest'
import { loadCrypto } from '../../src/primitives/crypto.ts'
import { FORKS, testTransactions } from './run-transaction.ts'

beforeAll(loadCrypto)

for (const fork of FORKS) testTransactions(fork, 12)
