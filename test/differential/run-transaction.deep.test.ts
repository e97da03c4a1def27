// More chains than in run-transaction.test.ts.
import { beforeAll } from 'vitest'
import { loadCrypto } from '../../src/core/primitives/crypto.ts'
import { scaled } from '../size.ts'
import { FORKS, testTransactions } from './run-transaction.ts'

beforeAll(loadCrypto)

for (const fork of FORKS) testTransactions(fork, scaled(24))
