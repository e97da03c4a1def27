// Times of imported blocks where a second has several: the deposit that tells them (Base, denim: block validity).

import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { bytesToHex, type Hex } from '../../primitives/hex.ts'
import { encodeDeposit } from '../../rollup/deposit.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { RulesOfStack } from '../../rollup/stack.ts'
import type { SealedBlock } from '../block/block.ts'
import { hasSlots, momentOf } from '../block/moment.ts'

/** Refuses the block: the check that failed, what it expected, and what it got. */
export type Refuse = (check: string, expected: unknown, got: unknown) => never

function rawOf({ rollup }: RulesOfStack, number: number, part: number): Hex | undefined {
  const deposit = rollup?.stack.timeDeposit(number, part)
  return deposit && bytesToHex(encodeDeposit(deposit))
}

/** A block has one deposit that tells its milliseconds, as its second transaction, from the fork on that brings it. */
export function checkTimeDeposit(
  refuse: Refuse,
  rules: Rules,
  parent: SealedBlock,
  timestamp: number,
  transactions: readonly Transaction[],
): void {
  const { rollup } = rules
  if (rollup === undefined) return
  const { stack, changes } = rollup
  const number = parent.header.number + 1
  const model = stack.timeDeposit(number, 0)
  const isTold = ({ deposit, sender, to }: Transaction): boolean =>
    deposit !== undefined && sender === model.from && to === model.to
  const told = transactions.flatMap((each, index) => (isTold(each) ? [index] : []))
  const { slotMs } = changes
  const expected = slotMs === undefined ? '' : '1'
  if (told.join() !== expected) {
    refuse('time deposits', expected === '' ? 'none' : 'one, transaction 1', told.join() || 'none')
  }
  if (slotMs === undefined) return
  const [, second] = transactions as readonly [Transaction, Transaction]
  const part = stack.readTimePart(second.input)
  const isOfSlot = part < 1000 && part % slotMs === 0
  if (!isOfSlot || bytesToHex(second.raw) !== rawOf(rules, number, part))
    refuse('transaction 1', `the deposit of a multiple of ${slotMs} ms`, bytesToHex(second.raw))
  const isFirst = !hasSlots(parent)
  if (isFirst && part !== 0) refuse('milliseconds', '0 in the first block', part)
  const [ms, least] = [timestamp * 1000 + part, momentOf(parent) + 1]
  if (ms < least) refuse('time in milliseconds', `at least ${least}`, ms)
}

/** The deposit that tells the milliseconds must have succeeded. */
export function checkTimeTold(refuse: Refuse, rules: Rules, executed: readonly ExecutedTransaction[]): void {
  const status = executed[1]?.receipt.status
  if (hasSlots({ rules }) && status !== 1) refuse('status of transaction 1', 1, status ?? 'none')
}
