// Changes of a message's result by what was expected of it.

import * as coveredEvm from '../../core/execution/evm/covered-evm.ts'
import { CHEATCODES } from '../../core/execution/evm/pooled-evm.ts'
import { bytesToHex, EMPTY_BYTES } from '../../core/primitives/hex.ts'
import { readAccount } from '../../core/state/world-state.ts'
import type { BrokenFrame, CheatRun } from './cheat-state.ts'
import { ASSUMPTION, cheatcodeError } from './errors.ts'
import type { MessageVerdict } from './expectations.ts'

/** Output of a call that reverts as expected: enough for any type. */
const EXPECTED_OUTPUT = new Uint8Array(8192)
/** Address of a creation that reverts as expected. */
const NO_CONTRACT = coveredEvm.toEvmAddress('0x0000000000000000000000000000000000000001')

/** Gives back the gas that was left when a frame failed. */
function keepGas(result: coveredEvm.CodeResult): void {
  result.executionGasUsed -= result.gasLeft ?? 0n
  result.gasLeft = 0n
}

function failResult(
  { reverted }: coveredEvm.CoveredEvm,
  { execResult }: coveredEvm.EvmResult,
  returnData: Uint8Array,
): void {
  const { exceptionError, returnValue } = reverted(returnData)
  execResult.returnValue = returnValue
  if (exceptionError !== undefined) execResult.exceptionError = exceptionError
}

function applyVerdict(covered: coveredEvm.CoveredEvm, result: coveredEvm.EvmResult, verdict: MessageVerdict) {
  const { execResult, createdAddress } = result
  keepGas(execResult)
  if (verdict.kind === 'failed') failResult(covered, result, cheatcodeError(verdict.reason, verdict.isBare))
  if (verdict.kind === 'assumption') execResult.returnValue = ASSUMPTION
  if (verdict.kind !== 'asExpected') return
  const isCreation = createdAddress !== undefined
  delete execResult.exceptionError
  execResult.returnValue = isCreation ? EMPTY_BYTES : EXPECTED_OUTPUT
  if (isCreation) result.createdAddress = NO_CONTRACT as never
}

function noteCreation({ covered, expected }: CheatRun, message: coveredEvm.EvmMessage): void {
  const { to, salt, caller } = message
  if (to === undefined || !expected.waitsFor('creations')) return
  const { bytes } = readAccount(covered.instance.writer.current, to.hex).code
  const deployer = bytesToHex(caller.bytes)
  expected.noteCreation({ code: bytesToHex(bytes), deployer, isSalted: salt !== undefined })
}

/** Gives a message whose frame was ended from outside its result. */
export function endBroken(
  covered: coveredEvm.CoveredEvm,
  result: coveredEvm.EvmResult,
  { returnData, gasLeft }: BrokenFrame,
): void {
  failResult(covered, result, returnData)
  if (gasLeft !== undefined) (result.execResult as coveredEvm.CodeResult).gasLeft = gasLeft
  keepGas(result.execResult)
}

/** Ends a message by what was expected of it; true if that changes its result. */
export function endExpectations(
  run: CheatRun,
  message: coveredEvm.EvmMessage,
  result: coveredEvm.EvmResult,
): boolean {
  const { execResult } = result
  const { depth, to, isStatic } = message
  const isCreation = result.createdAddress !== undefined
  if (isCreation) noteCreation(run, message)
  const { exceptionError, returnValue: returnData } = execResult
  const hasFailed = exceptionError !== undefined
  const hasHalted = hasFailed && exceptionError.error !== 'revert'
  const ended = { depth, to: to?.hex, isCreation, isStatic, hasFailed, hasHalted, returnData }
  const verdict = run.expected.end(ended)
  if (verdict !== undefined) applyVerdict(run.covered, result, verdict)
  return verdict !== undefined
}

/** Ends a cheatcode, which may have been expected to be refused. */
export function endCheatcode(
  run: CheatRun,
  { to, depth }: coveredEvm.EvmMessage,
  result: coveredEvm.EvmResult,
): void {
  const { exceptionError, returnValue } = result.execResult
  const isCheatcode = to?.hex === CHEATCODES
  const verdict = run.expected.endCheatcode(isCheatcode, depth, exceptionError !== undefined, returnValue)
  if (verdict !== undefined) applyVerdict(run.covered, result, verdict)
}
