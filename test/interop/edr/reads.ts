// Calls, estimates, logs, filters, fees and fields of blocks and transactions.

import type { Scenario } from './scenario.ts'

export const READS: readonly Scenario[] = [
  { title: 'the number of accounts', steps: [{ method: 'eth_accounts', compare: 'result' }] },
]
