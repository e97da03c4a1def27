// Transactions held to @ethereumjs/tx; transactions.deep.test.ts has more of them.

import { testTransactions } from './transactions.ts'

testTransactions(40)
