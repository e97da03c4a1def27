// Calls, estimates, logs, filters, fees and fields of blocks and transactions.

import { CALLS } from './calls.ts'
import { FIELDS } from './fields.ts'
import { LOGS } from './logs.ts'
import type { Scenario } from './scenario.ts'

export const READS: readonly Scenario[] = [...CALLS, ...LOGS, ...FIELDS]
