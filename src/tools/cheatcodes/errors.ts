// Failures of cheatcodes, and the return data in which code sees them.

import { decodeAbi, elementaryType } from '../../core/primitives/abi.ts'
import { encodeAbi } from '../../core/primitives/encode-abi.ts'
import * as hex from '../../core/primitives/hex.ts'

/** Thrown by a cheatcode that reverts. */
export class CheatcodeRefusal {
  readonly kind: 'refused' | 'assertion' | 'assumption'
  readonly reason: string
  /** Return data instead of the reason. */
  readonly data: Uint8Array | undefined

  constructor(reason: string, kind: CheatcodeRefusal['kind'] = 'refused', data?: Uint8Array) {
    this.reason = reason
    this.kind = kind
    this.data = data
  }
}

export function refuseWith(...refusal: ConstructorParameters<typeof CheatcodeRefusal>): never {
  throw new CheatcodeRefusal(...refusal)
}

/** `CheatcodeError(string)`. */
const ERROR = hex.hexToBytes('0xeeaa9e6f')
const TEXT = elementaryType('string')
/** The beginning of the return data of a test that skips itself; the reason follows. */
export const SKIP = hex.utf8ToBytes('FOUNDRY::SKIP')
/** Return data of an assumption that does not hold. */
export const ASSUMPTION = hex.utf8ToBytes('FOUNDRY::ASSUME')

const REVERT = hex.hexToBytes('0x08c379a0')
/** The words for arguments that are not encoded as their types are. */
export const MALFORMED = 'ABI decoding failed: buffer overrun while deserializing'

export function revertingWith(reason: string): Uint8Array {
  return encodeAbi([TEXT], [reason], REVERT)
}

/** The words for a call without a selector, to cheatcodes or the console. */
export function tooShort(name: string, data: Uint8Array): string {
  return `type check failed for "${name}" with data: ${hex.bytesToHex(data).slice(2)}`
}

/** The reason as an error; as a text alone, if it is bare. */
export function cheatcodeError(reason: string, isBare = false): Uint8Array {
  return encodeAbi([TEXT], [reason], isBare ? hex.EMPTY_BYTES : ERROR)
}

/** The reason for which a test skips itself, maybe empty; `undefined` for other return data. */
export function skippedReason(returnData: Uint8Array): string | undefined {
  const { length } = SKIP
  return hex.equalBytes(returnData.subarray(0, length), SKIP)
    ? hex.bytesToText(returnData.subarray(length))
    : undefined
}

export function isAssumption(returnData: Uint8Array): boolean {
  return hex.equalBytes(returnData, ASSUMPTION)
}

/** The reason in the return data of a cheatcode that has reverted; `undefined` for other return data. */
export function cheatcodeReason(returnData: Uint8Array): string | undefined {
  if (isAssumption(returnData)) return 'an assumption does not hold'
  const isError = hex.equalBytes(returnData.subarray(0, 4), ERROR)
  // Expectations that are not met give the text alone.
  const [reason] = decodeAbi([TEXT], isError ? returnData.subarray(4) : returnData) ?? []
  return typeof reason === 'string' ? reason : undefined
}
