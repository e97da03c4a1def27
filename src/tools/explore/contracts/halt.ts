// Why a call has failed, in words.

import { cheatcodeReason } from '../../../core/execution/call/cover-calls.ts'
import type { BareResult } from '../../../core/execution/evm/run-bare-message.ts'
import type { CustomErrors } from '../../../core/execution/result/custom-errors.ts'
import { revertReason } from '../../../core/execution/result/revert-reason.ts'
import { bytesToHex } from '../../../core/primitives/hex.ts'

export function haltOf({ outcome, failure, returnData }: BareResult, errors?: CustomErrors): string {
  if (outcome === 'failure') return failure ?? 'unknown'
  const data = returnData.length === 0 ? 'without a reason' : bytesToHex(returnData)
  return `execution reverted: ${cheatcodeReason(returnData) ?? revertReason(returnData, errors) ?? data}`
}
