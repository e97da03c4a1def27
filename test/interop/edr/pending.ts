// Pending block, automine and mining the state after each command.

import type { Scenario } from './scenario.ts'

export const PENDING: readonly Scenario[] = [
  { title: 'the number of accounts', steps: [{ method: 'eth_accounts', compare: 'result' }] },
]
