// Deposits of imported blocks of the OP stack (specification, derivation): the L1 attributes come first, and no deposit
// comes after a transaction that is none.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { DEPOSITOR, OP_PREDEPLOYS } from '../../rollup/op/predeploys.ts'
import type { Rules } from '../../rollup/rules.ts'
import { type Claim, refuseClaim } from './check-header.ts'

function hasAttributesIn({ deposit, sender, to }: Transaction): boolean {
  return deposit !== undefined && sender === DEPOSITOR && to === OP_PREDEPLOYS.L1Block
}

/** Throws `invalidBlock` for deposits at the wrong places. */
export function checkDeposits(claim: Claim, rules: Rules, transactions: readonly Transaction[]): void {
  if (rules.op === undefined) return
  const [first] = transactions
  if (first === undefined || !hasAttributesIn(first))
    refuseClaim(claim, 'transaction 0', 'a deposit of L1 attributes', first?.hash ?? 'none')
  const late = transactions.findIndex(
    ({ deposit }, index) =>
      deposit !== undefined && transactions[index - 1]?.deposit === undefined && index > 0,
  )
  if (late !== -1)
    refuseClaim(claim, `transaction ${late}`, 'no deposit after other transactions', 'a deposit')
}
