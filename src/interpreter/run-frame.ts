// The loop that runs a frame: WebAssembly until it returns an opcode, JavaScript for that opcode, and on to the end.

import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { keccak256 } from '../primitives/crypto.ts'
import { bytesToHex } from '../primitives/hex.ts'
import { readNumber, refreshViews } from './core.ts'
import { type Frame, gasOf, readOutput } from './frame.ts'
import type { Host } from './host.ts'
import * as layout from './layout.ts'
import { type CallOpcode, type CreateOpcode, call, create } from './messages.ts'
import { OPERATIONS } from './operations.ts'
import { selfDestruct } from './self-destruct.ts'
import { tellReturn } from './tell-frame.ts'

/** Runs a frame; resolves to STOPPED, RETURNED, REVERTED or an error of layout.ts. */
export async function runFrame(host: Host, frame: Frame): Promise<number> {
  const { core, observation, stepper, noter } = host
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
      if (reason !== layout.PAUSED) return reason
      continue
    }
    const operation = OPERATIONS[reason]
    if (operation !== undefined) charge = operation(host, frame)
    else if (reason === 0xff) {
      selfDestruct(host, frame)
      return layout.STOPPED
    } else if (reason === 0xf0 || reason === 0xf5) await create(host, frame, reason as CreateOpcode)
    else await call(host, frame, reason as CallOpcode)
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

/** The result of a frame that has ended, in the form of @ethereumjs. */
export function resultOf(host: Host, frame: Frame, reason: number, error: EVMError | undefined): ExecResult {
  const { gasLimit } = frame.message
  const hasOutput = reason === layout.RETURNED || reason === layout.REVERTED
  const returnValue = hasOutput ? readOutput(host.core, frame) : new Uint8Array(0)
  const { gasRefund, createdAddresses } = frame
  if (error === undefined) {
    return {
      returnValue,
      executionGasUsed: gasLimit - BigInt(gasOf(host.core, frame)),
      gasRefund,
      logs: frame.logs,
      selfdestruct: frame.selfdestruct,
      ...(createdAddresses === undefined ? {} : { createdAddresses }),
    }
  }
  return {
    returnValue,
    exceptionError: error,
    // A revert returns the gas that is left; other failures consume it.
    executionGasUsed: reason === layout.REVERTED ? gasLimit - BigInt(gasOf(host.core, frame)) : gasLimit,
    gasRefund,
    logs: [],
    selfdestruct: new Map(),
    createdAddresses: new Set(),
  }
}
