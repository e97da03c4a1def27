// Errors of Foundry's cheatcodes, as return data.

import { decodeAbi } from '../../primitives/abi.ts'
import { elementaryType } from '../../primitives/abi-type.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import { equalBytes, hexToBytes, utf8ToBytes } from '../../primitives/hex.ts'

/** `CheatcodeError(string)`. */
const ERROR = hexToBytes('0xeeaa9e6f')
const TEXT = elementaryType('string')
/** What an assumption that does not hold reverts with. */
export const ASSUMPTION = utf8ToBytes('FOUNDRY::ASSUME')

export function cheatcodeError(reason: string): Uint8Array {
  return encodeAbi([TEXT], [reason], ERROR)
}

/** Whether an execution has ended because something was assumed that does not hold. */
export function isAssumption(returnData: Uint8Array): boolean {
  return equalBytes(returnData, ASSUMPTION)
}

/** Why a cheatcode has reverted; `undefined` for what else an execution returns. */
export function cheatcodeReason(returnData: Uint8Array): string | undefined {
  if (isAssumption(returnData)) return 'an assumption does not hold'
  if (!equalBytes(returnData.subarray(0, 4), ERROR)) return undefined
  const [reason] = decodeAbi([TEXT], returnData.subarray(4)) ?? []
  return typeof reason === 'string' ? reason : undefined
}
