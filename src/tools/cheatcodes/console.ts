// Calls of cheatcodes and of the console, and those of the console that forge refuses, in its words.

import type { EvmMessage } from '../../core/execution/evm/covered-evm.ts'
import { CHEATCODES } from '../../core/execution/evm/pooled-evm.ts'
import { consoleParameters, selectorOf } from '../../core/execution/result/console-log.ts'
import { decodeAbi, elementaryType, signatureOf } from '../../core/primitives/abi.ts'
import { bytesToHex } from '../../core/primitives/hex.ts'
import { MALFORMED, revertingWith, tooShort } from './errors.ts'
import type { Mocking } from './mocking.ts'

const WORD = elementaryType('uint256')

/** Why a call of the console reverts; `undefined` for one that logs. */
function consoleRefusal(data: Uint8Array): string | undefined {
  if (data.length < 4) return tooShort('ConsoleCalls', data)
  const selector = bytesToHex(data.subarray(0, 4))
  const types = consoleParameters(data)
  // Old versions of console.sol have other selectors, which forge does not know.
  if (types === undefined || selectorOf(signatureOf('log', types)) !== selector)
    return `unknown selector \`${selector}\` for ConsoleCalls`
  // Bits above those of a type count for nothing.
  const loose = types.map((type) => (type.isDynamic ? type : WORD))
  return decodeAbi(loose, data.subarray(4)) === undefined ? MALFORMED : undefined
}

/** Begins a call of a cheatcode, which takes no ether, or of the console. */
export function beginForTest(message: EvmMessage, mocking: Mocking): void {
  if (message.to?.hex === CHEATCODES) {
    message.value = 0n
    return
  }
  const refusal = consoleRefusal(message.data)
  if (refusal !== undefined) mocking.refuse(message, revertingWith(refusal))
}
