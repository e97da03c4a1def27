// Transactions held to @ethereumjs/tx.

import { scaled } from '../size.ts'
import { testTransactions } from './transactions.ts'

// Fewer have not every type of transaction.
testTransactions(Math.max(20, scaled(60)))
