// Results of tests, and the words on what came of a call.

import { readConsoleCall } from '../../../core/execution/result/console-log.ts'
import type { CustomErrors } from '../../../core/execution/result/custom-errors.ts'

import { decodeEvent } from '../../../core/primitives/abi-event.ts'
import { bytesToHex, type Hash } from '../../../core/primitives/hex.ts'
import { skippedReason } from '../../cheatcodes/errors.ts'
import { abiEvents } from '../../solidity/artifacts/abi.ts'
import { type CoveredCall, haltOf } from '../contracts/machine.ts'

/** Return data of a test that is skipped; the reason, if it gives one. */
export type TestVerdict =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'skipped'; readonly reason: string | undefined }
  | { readonly status: 'rejected' }

const PREFIX = 'execution reverted: '

/** The verdict on a call of a test or of its set-up. */
export function verdictOf(
  { result, failedTest }: Pick<CoveredCall, 'result' | 'failedTest'>,
  isAssumption: boolean,
  errors: CustomErrors,
): TestVerdict {
  if (result.outcome === 'success') {
    return failedTest === undefined ? { status: 'passed' } : { status: 'failed', reason: failedTest.reason }
  }
  const skipped = skippedReason(result.returnData)
  if (skipped !== undefined) return { status: 'skipped', reason: skipped === '' ? undefined : skipped }
  if (isAssumption) return { status: 'rejected' }
  const words = failedTest?.reason ?? haltOf(result, errors)
  return { status: 'failed', reason: words.startsWith(PREFIX) ? words.slice(PREFIX.length) : words }
}

/** Events of DSTest that are logs: `log(string)`, `logs(bytes)`, `log_named_uint(string,uint256)` and the like. */
function dsTestLog(
  abi: readonly unknown[],
  topics: readonly Uint8Array[],
  data: Uint8Array,
): string | undefined {
  const [first] = topics
  const event = first && abiEvents(abi).get(bytesToHex(first))
  if (event === undefined || !/^logs?(_|$)/.test(event.name)) return undefined
  const hex = topics.map((topic) => bytesToHex(topic) as Hash)
  const args = decodeEvent(event, { topics: hex, data } as never)
  if (args === undefined) return undefined
  return args.length === 1 ? `${args[0]}` : `${args[0]}: ${args.slice(1).join(' ')}`
}

/** The lines that a call has logged. */
export function logsOf({ result }: Pick<CoveredCall, 'result'>, abi: readonly unknown[]): string[] {
  return [
    ...result.consoleCalls.map((call) => readConsoleCall(call).message),
    ...result.logs.flatMap(([, topics, data]) => dsTestLog(abi, topics, data) ?? []),
  ]
}
