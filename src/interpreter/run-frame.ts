// The loop that runs a frame: WebAssembly until it returns an opcode, JavaScript for that opcode, and on to the end or to a
// message.

import { EVMError } from '@ethereumjs/evm'
import { keccak256 } from '../primitives/crypto.ts'
import { bytesToHex } from '../primitives/hex.ts'
import { readNumber, refreshViews } from './core.ts'
import type { Frame } from './frame.ts'
import type { Host } from './host.ts'
import * as layout from './layout.ts'
import { type CallOpcode, type CreateOpcode, call, create, type Sent } from './messages.ts'
import { OPERATIONS } from './operations.ts'
import { selfDestruct } from './self-destruct.ts'
import { tellReturn } from './tell-frame.ts'

/** Runs a frame until it sends a message, or ends: STOPPED, RETURNED, REVERTED or an error of layout.ts. */
export function runFrame(host: Host, frame: Frame): number | Sent {
  const { core, journal, observation, stepper, noter, writer } = host
  const { run } = core.exports
  let charge = 0
  for (;;) {
    if (observation !== undefined) {
      stepper?.resume(host, observation, frame)
      noter?.resume(observation, frame)
    }
    const reason = run(frame.base, charge)
    // Growing linear memory detaches the buffer of the views.
    if (core.bytes.length === 0) refreshViews(core)
    noter?.flush()
    if (observation !== undefined) tellReturn(host, observation, frame, reason, charge)
    charge = 0
    if (reason < layout.FIRST_OPCODE) {
      if (reason === layout.MISSING) journal.slots.lookUp(writer, frame.address)
      else if (reason !== layout.PAUSED) return reason
      continue
    }
    const operation = OPERATIONS[reason]
    if (operation !== undefined) {
      charge = operation(host, frame)
      continue
    }
    if (reason === 0xff) {
      selfDestruct(host, frame)
      return layout.STOPPED
    }
    const isCreation = reason === 0xf0 || reason === 0xf5
    const sent = isCreation
      ? create(host, frame, reason as CreateOpcode)
      : call(host, frame, reason as CallOpcode)
    if (sent !== undefined) return sent
  }
}

const { errorMessages } = EVMError

const ERRORS: Readonly<Record<number, string>> = {
  [layout.REVERTED]: errorMessages.REVERT,
  [layout.OUT_OF_GAS]: errorMessages.OUT_OF_GAS,
  [layout.STACK_UNDERFLOW]: errorMessages.STACK_UNDERFLOW,
  [layout.STACK_OVERFLOW]: errorMessages.STACK_OVERFLOW,
  [layout.INVALID_OPCODE]: errorMessages.INVALID_OPCODE,
  [layout.STATIC_STATE_CHANGE]: errorMessages.STATIC_STATE_CHANGE,
  [layout.REFUND_EXHAUSTED]: errorMessages.REFUND_EXHAUSTED,
}

/** The error for the reason why a frame ended; `undefined` for a success. */
export function errorOf(
  { core }: Host,
  { base, code, address }: Frame,
  reason: number,
): EVMError | undefined {
  if (reason === layout.STOPPED || reason === layout.RETURNED) return undefined
  if (reason === layout.OUT_OF_MEMORY) throw new RangeError('out of memory')
  if (reason === layout.INVALID_JUMP) {
    const at = readNumber(core, base + layout.PROGRAM_COUNTER) - readNumber(core, base + layout.CODE) - 1
    // With the position in the code, as in @ethereumjs.
    const place = `${bytesToHex(keccak256(code))}/${address}:${at}`
    return new EVMError(`${errorMessages.INVALID_JUMP} at ${place}` as typeof errorMessages.INVALID_JUMP)
  }
  return new EVMError(ERRORS[reason] as typeof errorMessages.REVERT)
}
