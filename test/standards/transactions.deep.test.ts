// More transactions than in transactions.test.ts.

import { testTransactions } from './transactions.ts'

testTransactions(400)
