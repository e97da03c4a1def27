// The explainer of the core: what compiled contracts say of calls, failures, accounts and storage.

import { withErrors } from '../../core/execution/result/custom-errors.ts'
import type { KnownContracts } from '../../core/rpc/read-context.ts'
import { withContracts } from './artifacts/add-contracts.ts'
import { contractsOf } from './model/contract-index.ts'

export { describeAccount, describeStorage } from './calls/described-accounts.ts'
export { traceRun, traceTransaction, traceWith } from './calls/trace.ts'
export { explainCall, explainTransaction } from './failures/explain.ts'

export function addContracts(known: KnownContracts, source: unknown): void {
  const { index, added } = withContracts(contractsOf(known), source)
  known.contracts = index
  known.customErrors = withErrors(
    known.customErrors,
    added.flatMap((contract) => [...contract.errors.values()]),
  )
}
