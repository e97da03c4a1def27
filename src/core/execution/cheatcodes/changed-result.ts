// Changes of the result of a message, by what was expected of it.

import type { EVMResult } from '@ethereumjs/evm'
import { toEvmAddress } from '../../interpreter/evm-address.ts'
import { EMPTY_BYTES } from '../../primitives/hex.ts'
import type { CheatTools } from './cheats.ts'
import { ASSUMPTION, cheatcodeError } from './errors.ts'
import type { Verdict } from './expectations.ts'
import { EXPECTED_OUTPUT_BYTES } from './expected-revert.ts'

/** What an expected revert of a creation returns. */
const NO_CONTRACT = toEvmAddress('0x0000000000000000000000000000000000000001')

/** Makes a message fail. */
export function failResult({ reverted }: CheatTools, { execResult }: EVMResult, reason: string): void {
  const { exceptionError, returnValue } = reverted(cheatcodeError(reason))
  execResult.returnValue = returnValue
  if (exceptionError !== undefined) execResult.exceptionError = exceptionError
}

export function applyVerdict(tools: CheatTools, result: EVMResult, verdict: Verdict): void {
  const { execResult, createdAddress } = result
  if (verdict.kind === 'failed') failResult(tools, result, verdict.reason)
  if (verdict.kind === 'assumption') execResult.returnValue = ASSUMPTION
  if (verdict.kind !== 'asExpected') return
  const isCreation = createdAddress !== undefined
  delete execResult.exceptionError
  execResult.returnValue = isCreation ? EMPTY_BYTES : new Uint8Array(EXPECTED_OUTPUT_BYTES)
  if (isCreation) result.createdAddress = NO_CONTRACT as never
}
