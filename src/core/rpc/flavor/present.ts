// Blocks and transactions as the options of a session show them.

import type { BlockView } from '../../chain/view.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import type { Rules } from '../../rollup/rules.ts'
import { type PresentedBlock, present } from '../format/present.ts'
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts'
import type { RpcOptions } from '../options.ts'
import { transactionFields } from './fields.ts'

/** A block with the number and hash that it shows, and the flavor of its fields. */
export function presentAs(
  { flavor, pendingIdentity }: Pick<RpcOptions, 'flavor' | 'pendingIdentity'>,
  view: BlockView,
): PresentedBlock {
  return { ...present(view, pendingIdentity), flavor }
}

/** A transaction of the pool; `rules` are those of the block being built. */
export function formatPooled(
  { flavor }: Pick<RpcOptions, 'flavor'>,
  rules: Rules,
  transaction: Transaction,
): RpcTransaction {
  return transactionFields(flavor, rules, formatTransaction(transaction, undefined))
}
