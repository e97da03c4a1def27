// Transactions held to @ethereumjs/tx.

import { scaled } from '../size.ts'
import { testTransactions } from './transactions.ts'

testTransactions(scaled(160))
