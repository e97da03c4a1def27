// Transaction outcomes: what a receipt lacks, that is return data, failure reason and console.log calls.

import { blocksBetween } from '../chain/chain.ts'
import { failureOfTransaction } from '../execution/call/run-call.ts'
import { type ConsoleLog, type CustomErrors, readConsoleCall } from '../execution/result/console-log.ts'
import * as results from '../execution/result/revert-reason.ts'
import type { ExecutedTransaction } from '../execution/transaction/transaction.ts'
import { findIncluded } from '../node/lookup.ts'
import type { AbiValue } from '../primitives/abi.ts'
import { bytesToHex, type Hash, type Hex } from '../primitives/hex.ts'
import { withFlavorMessage } from './flavor/messages.ts'
import type { ReadContext } from './session.ts'

/** A decoded revert. */
export interface Revert {
  /** `Error`, `Panic` or the name of a custom error; absent for empty data and for errors of no registered ABI. */
  readonly name: string | undefined
  /** Integers as bigint, addresses and bytes as lower-case hex, tuples as objects; empty without a name. */
  readonly args: readonly AbiValue[]
  /** The text of an `Error`, the meaning of a `Panic` code, or a custom error written as a call. */
  readonly reason: string | undefined
  readonly data: Hex
}

/** The outcome of a transaction in a block. */
export interface TransactionOutcome {
  readonly transactionHash: Hash
  readonly status: 'success' | 'failed'
  readonly blockNumber: number
  readonly gasUsed: bigint
  /** The return data of the outermost call; for a successful creation, the code. */
  readonly returnData: Hex
  /** The message of an eth_call that fails for the same reason; absent on success. */
  readonly failure: string | undefined
  /** Absent unless the transaction reverted. */
  readonly revert: Revert | undefined
  /** Its console.log calls, in order. */
  readonly consoleLogs: readonly ConsoleLog[]
}

export function namedReason(data: Uint8Array, errors: CustomErrors): Pick<Revert, 'name' | 'args'> {
  const reason = results.decodeRevert(data, errors)
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

/** A sealed block with the outcomes of its transactions. */
export interface MinedBlock {
  readonly number: number
  readonly hash: Hash
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly gasUsed: bigint
  readonly transactions: readonly TransactionOutcome[]
}

function outcomeIn(
  { options, known: { customErrors } }: ReadContext,
  blockNumber: number,
  executed: ExecutedTransaction,
): TransactionOutcome {
  const error = failureOfTransaction(executed)
  const { returnData } = executed
  return {
    transactionHash: executed.transaction.hash,
    status: error === undefined ? 'success' : 'failed',
    blockNumber,
    gasUsed: executed.receipt.gasUsed,
    returnData: bytesToHex(returnData),
    failure: error && withFlavorMessage(options.flavor, error, customErrors).message,
    revert:
      executed.failure !== 'execution reverted'
        ? undefined
        : {
            ...namedReason(returnData, customErrors),
            reason: results.revertReason(returnData, customErrors),
            data: bytesToHex(returnData),
          },
    consoleLogs: executed.consoleCalls.map(readConsoleCall),
  }
}

/** The outcome of a transaction in a sealed or open block; `undefined` for any other. */
export function outcomeOf(context: ReadContext, hash: Hash): TransactionOutcome | undefined {
  const found = findIncluded(context.state, hash)
  return found && outcomeIn(context, found.view.environment.number, found.executed)
}

/** The sealed blocks above a number. */
export function minedBlocksAbove(context: ReadContext, above: number): MinedBlock[] {
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
