// Creations that cheatcodes and settings change.

import { type EvmMessage, toEvmAddress } from '../../core/execution/evm/covered-evm.ts'
import { bytesToHex, concatBytes } from '../../core/primitives/hex.ts'
import type { StateWriter } from '../../core/state/state-writer.ts'
import { revertTail, SCRIPT_FACTORY } from './addresses.ts'
import { moveNonce } from './pranks.ts'

export class Creations {
  private readonly writer: StateWriter
  /** True if the next creation fails with its code. */
  isIntercepted = false

  constructor(writer: StateWriter) {
    this.writer = writer
  }

  /** Changes a creation that begins; the common factory may create what a test creates with a salt. */
  change(message: EvmMessage, usesFactory: boolean): void {
    const { writer } = this
    const { salt, depth, caller, data } = message
    if (this.isIntercepted) message.data = concatBytes(revertTail(data.length), data)
    this.isIntercepted = false
    if (!usesFactory || salt === undefined || depth !== 1) return
    writer.current = moveNonce(writer.current, bytesToHex(caller.bytes), SCRIPT_FACTORY)
    message.caller = toEvmAddress(SCRIPT_FACTORY)
  }
}
