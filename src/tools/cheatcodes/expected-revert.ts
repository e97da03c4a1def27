// `expectRevert`: the next calls have to revert, and count as successful. With a count of zero they must not revert.

import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import { type Address, bytesToHex, equalBytes } from '../../core/primitives/hex.ts'
import { type Declared, innerOf, plainWords, revertWords } from './revert-words.ts'

export interface RevertPattern {
  /** Any, if it is absent. */
  readonly reason: Uint8Array | undefined
  /** Only the first four bytes count. */
  readonly isPartial: boolean
  /** The account whose code fails first; any, if it is absent. */
  readonly reverter: Address | undefined
  /** The number of calls that revert, one after another. One, if it is absent. */
  readonly count: bigint | undefined
}

export interface RevertExpectation extends RevertPattern {
  /** The depth of the calls from where it was asked for. */
  readonly depth: number
  readonly count: bigint
  /** The reverts that have come. */
  readonly seen: bigint
  /** True from the next call on. */
  hasCalled: boolean
  /** The account whose code has failed first. */
  revertedBy: Address | undefined
}

const SELECTOR_BYTES = 4

/** Why a call that must not revert counts as one that has, in the words of forge. */
function unwantedEnd({ reason, reverter, revertedBy }: RevertExpectation, data: Uint8Array): string {
  if (reason === undefined && reverter === undefined)
    return 'call reverted when it was expected not to revert'
  const isSameReason = reason !== undefined && equalBytes(innerOf(data), innerOf(reason))
  const isSameReverter = reverter !== undefined && reverter === revertedBy
  const from = reverter === undefined ? '' : toChecksumAddress(reverter)
  const words = plainWords(innerOf(data))
  const by = toChecksumAddress(revertedBy ?? `0x${'0'.repeat(40)}`)
  if (reason === undefined) {
    if (isSameReverter) return `expected 0 reverts from address: ${from}, but got one`
    return `call reverted with '${words}' from ${by}, but expected 0 reverts from ${from}`
  }
  if (isSameReason && (reverter === undefined || isSameReverter)) {
    const address = reverter === undefined ? '' : `, from address: ${from}`
    return `expected 0 reverts with reason: ${plainWords(reason)}${address}, but got one`
  }
  if (reverter === undefined) return `call reverted with '${words}' when it was expected not to revert`
  return `call reverted with '${words}' from ${by}, but expected 0 reverts with reason '${plainWords(reason)}' from ${from}`
}

function otherError(actual: Uint8Array, expected: Uint8Array, declared: () => Declared): string {
  const [given, wanted] = [innerOf(actual), expected].map((data) => revertWords(data, declared()))
  return `Error != expected error: ${given} != ${wanted}`
}

/** Why the end of a call is not what was expected, in the words of forge; `undefined` if it is. */
export function unexpectedEnd(
  expected: RevertExpectation,
  hasFailed: boolean,
  returnData: Uint8Array,
  allowsInternal: boolean,
  declared: () => Declared,
): string | undefined {
  const { reason, isPartial, hasCalled, reverter, revertedBy, count } = expected
  if (!hasCalled && !allowsInternal) return "call didn't revert at a lower depth than cheatcode call depth"
  if (count === 0n) return hasFailed ? unwantedEnd(expected, returnData) : undefined
  if (!hasFailed) return 'next call did not revert as expected'
  if (reverter !== undefined && revertedBy !== undefined && reverter !== revertedBy) {
    const [by, other] = [revertedBy, reverter].map(toChecksumAddress)
    return `Reverter != expected reverter: ${by} != ${other}`
  }
  if (reason === undefined) return undefined
  if (returnData.length === 0 && reason.length > 0) return 'call reverted as expected, but without data'
  const isSame = isPartial
    ? equalBytes(returnData.subarray(0, SELECTOR_BYTES), reason.subarray(0, SELECTOR_BYTES))
    : equalBytes(returnData, reason) || equalBytes(innerOf(returnData), innerOf(reason))
  return isSame ? undefined : otherError(returnData, reason, declared)
}

/** Why the end of a cheatcode is not the refusal that was expected, whose words have to be among those of the reason. */
export function unexpectedRefusal(
  reason: Uint8Array | undefined,
  hasFailed: boolean,
  returnData: Uint8Array,
  declared: () => Declared,
): string | undefined {
  if (!hasFailed) return 'next call did not revert as expected'
  if (reason === undefined || equalBytes(returnData, reason)) return undefined
  if (bytesToHex(innerOf(returnData)).includes(bytesToHex(reason).slice(2))) return undefined
  return otherError(returnData, reason, declared)
}
