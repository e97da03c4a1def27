// What came of a transaction beyond its receipt, which says nothing of why it failed and of what its contracts told.

import { blocksBetween } from '../chain/chain.ts'
import { failureOfTransaction } from '../execution/call/run-call.ts'
import { type ConsoleLog, readConsoleCall } from '../execution/result/console-log.ts'
import type { CustomErrors } from '../execution/result/custom-errors.ts'
import { decodeRevert, revertReason } from '../execution/result/revert-reason.ts'
import type { ExecutedTransaction } from '../execution/transaction/receipt.ts'
import { findTransaction } from '../node/lookup.ts'
import type { AbiValue } from '../primitives/abi.ts'
import { bytesToHex, type Hash, type Hex } from '../primitives/hex.ts'
import { withFlavorMessage } from './flavor/messages.ts'
import type { ReadContext } from './read-context.ts'

/** What a contract reverted with. */
export interface Revert {
  /** `Error`, `Panic`, or that of a custom error; absent where the bytes are empty, or of no ABI that is known. */
  readonly name: string | undefined
  /** Integers as bigint, addresses and bytes as lower-case hex, tuples as objects; empty where there is no name. */
  readonly args: readonly AbiValue[]
  /** The text of an `Error`, the meaning of a `Panic`, a custom error written as a call. */
  readonly reason: string | undefined
  readonly data: Hex
}

/** What came of a transaction. */
export interface TransactionOutcome {
  readonly transactionHash: Hash
  readonly status: 'success' | 'failed'
  readonly blockNumber: number
  readonly gasUsed: bigint
  /** What its outermost call returned; for a creation that succeeded, the code. */
  readonly returnData: Hex
  /** Why it failed, in the words of a call that fails so; absent where it succeeded. */
  readonly failure: string | undefined
  /** Absent where it succeeded, or failed otherwise than by reverting. */
  readonly revert: Revert | undefined
  /** What its contracts said with console.log, in order. */
  readonly consoleLogs: readonly ConsoleLog[]
}

export function namedReason(data: Uint8Array, errors: CustomErrors): Pick<Revert, 'name' | 'args'> {
  const reason = decodeRevert(data, errors)
  switch (reason.type) {
    case 'text':
      return { name: 'Error', args: [reason.text] }
    case 'panic':
      return { name: 'Panic', args: [reason.code] }
    default: {
      const { name, args = [] } = (reason.type === 'custom' ? reason.decoded : undefined) ?? {}
      return { name, args }
    }
  }
}

function revertOf({ failure, returnData }: ExecutedTransaction, errors: CustomErrors): Revert | undefined {
  if (failure !== 'execution reverted') return undefined
  const named = namedReason(returnData, errors)
  return { ...named, reason: revertReason(returnData, errors), data: bytesToHex(returnData) }
}

/** A sealed block, with what came of its transactions. */
export interface MinedBlock {
  readonly number: number
  readonly hash: Hash
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly gasUsed: bigint
  readonly transactions: readonly TransactionOutcome[]
}

function outcomeIn(
  { options, customErrors }: ReadContext,
  blockNumber: number,
  executed: ExecutedTransaction,
): TransactionOutcome {
  const error = failureOfTransaction(executed)
  return {
    transactionHash: executed.transaction.hash,
    status: error === undefined ? 'success' : 'failed',
    blockNumber,
    gasUsed: executed.receipt.gasUsed,
    returnData: bytesToHex(executed.returnData),
    failure: error && withFlavorMessage(options.flavor, error, customErrors).message,
    revert: revertOf(executed, customErrors),
    consoleLogs: executed.consoleCalls.map(readConsoleCall),
  }
}

/** The outcome of a transaction in a block, sealed or being built; `undefined` for any other. */
export function outcomeOf(context: ReadContext, hash: Hash): TransactionOutcome | undefined {
  const found = findTransaction(context.state, hash)
  if (found === undefined || 'pooled' in found) return undefined
  return outcomeIn(context, found.view.environment.number, found.executed)
}

/** The sealed blocks above a number. */
export function minedAbove(context: ReadContext, above: number): MinedBlock[] {
  const { chain } = context.state
  return Array.from(
    blocksBetween(chain, above + 1, chain.head.header.number),
    ({ header, hash, executed }) => ({
      number: header.number,
      hash,
      timestamp: header.timestamp,
      gasUsed: header.gasUsed,
      transactions: executed.map((each) => outcomeIn(context, header.number, each)),
    }),
  )
}
