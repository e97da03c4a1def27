// `expectRevert` of Foundry's cheatcodes: the next call has to revert, and counts as one that has not.

import { decodeAbi } from '../../primitives/abi.ts'
import { elementaryType } from '../../primitives/abi-type.ts'
import { bytesToHex, equalBytes, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { revertReason } from '../result/revert-reason.ts'

export interface ExpectedRevert {
  /** The depth of the calls from where it was asked for. */
  readonly depth: number
  /** Any, if it is absent. */
  readonly reason: Uint8Array | undefined
  /** Whether only the first four bytes count. */
  readonly isPartial: boolean
  /** Whether there has been a call since. */
  hasCalled: boolean
}

/** What an expected revert returns instead, enough for any type. */
export const EXPECTED_OUTPUT_BYTES = 8192

/** `Error(string)` and `CheatcodeError(string)`. */
const WRAPPERS = ['0x08c379a0', '0xeeaa9e6f']
const BYTES = elementaryType('bytes')

/** The text of an error with a text, as bytes; another error as it is. */
function innerOf(data: Uint8Array): Uint8Array {
  if (!WRAPPERS.includes(bytesToHex(data.subarray(0, 4)))) return data
  const [inner] = decodeAbi([BYTES], data.subarray(4)) ?? []
  return typeof inner === 'string' ? hexToBytes(inner as Hex) : data
}

function wordsOf(data: Uint8Array): string {
  const inner = innerOf(data)
  const text = new TextDecoder().decode(inner)
  if (inner !== data || /^[\x20-\x7e]+$/.test(text)) return text
  return revertReason(data) ?? bytesToHex(data)
}

/** Why the end of a call is not what was expected, in the words of forge; `undefined` if it is. */
export function unexpectedEnd(
  { reason, isPartial, hasCalled }: ExpectedRevert,
  hasFailed: boolean,
  returnData: Uint8Array,
): string | undefined {
  if (!hasCalled) return "call didn't revert at a lower depth than cheatcode call depth"
  if (!hasFailed) return 'next call did not revert as expected'
  if (reason === undefined) return undefined
  const isSame = isPartial
    ? equalBytes(returnData.subarray(0, 4), reason)
    : equalBytes(returnData, reason) || equalBytes(innerOf(returnData), innerOf(reason))
  return isSame ? undefined : `Error != expected error: ${wordsOf(returnData)} != ${wordsOf(reason)}`
}
