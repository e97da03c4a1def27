// The loop that runs a frame: WebAssembly until it returns an opcode, JavaScript for that opcode, and on to the end or to a
// message.

import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { keccak256 } from '../primitives/crypto.ts'
import { bytesToHex, EMPTY_BYTES } from '../primitives/hex.ts'
import { readNumber, refreshViews } from './core.ts'
import { type Frame, gasLeftOf, gasOf, readOutput, refundOf } from './frame.ts'
import { type Host, type HostCovering, type Operation, tellReturn } from './host.ts'
import * as layout from './layout.ts'
import type { Sent } from './message.ts'
import { type CallOpcode, type CreateOpcode, call, create } from './messages.ts'
import { OPERATIONS, selfDestruct } from './operations.ts'

/** A frame that the module has begun, and that stopped for this reason. */
export interface Inner {
  readonly reason: number
}

/** Opcodes that read the block and the transaction, for any frame. */
function isEnvironment(reason: number): boolean {
  return (
    reason === 0x32 ||
    reason === 0x3a ||
    (reason >= 0x41 && reason <= 0x4a && reason !== 0x47 && reason !== 0x49)
  )
}

/**
 * Goes on where a frame of the module has stopped, in as far as that needs no frame of JavaScript; false otherwise. Also
 * checks what a frame of JavaScript asks for.
 */
function goesOn(host: Host, { callees }: HostCovering, frame: Frame, reason: number): boolean {
  const isOwn = callees.current() === frame.base
  if (reason === layout.UNCHECKED) {
    callees.check(host, isOwn)
    return true
  }
  if (isOwn) return false
  const { journal, writer } = host
  if (reason === layout.MISSING && !journal.slots.isFull) {
    journal.slots.lookUp(writer, callees.currentAddress())
    return true
  }
  if (isEnvironment(reason)) (OPERATIONS[reason] as Operation)(host, frame)
  else if (reason >= 0xa0 && reason <= 0xa4) callees.emit(host, frame, OPERATIONS[reason] as Operation)
  else return reason === layout.PAUSED
  return true
}

/**
 * Runs a frame until it sends a message, or ends: STOPPED, RETURNED, REVERTED or an error of layout.ts; or until a frame
 * that the module has begun in it has to become one of JavaScript. `stopped` is why it has stopped already.
 */
export function runFrame(host: Host, frame: Frame, stopped?: number): number | Sent | Inner {
  const { core, journal, observation, stepper, noter, writer, covering } = host
  const { run } = core.exports
  let charge = 0
  let at = frame.base
  let known = stopped
  for (;;) {
    if (observation !== undefined) {
      stepper?.resume(host, observation, frame)
      noter?.resume(observation, frame)
    }
    const reason = known ?? run(at, charge)
    known = undefined
    // Growing linear memory detaches the buffer of the views.
    if (core.bytes.length === 0) refreshViews(core)
    noter?.flush()
    if (observation !== undefined) tellReturn(host, observation, frame, reason, charge)
    charge = 0
    if (covering !== undefined) {
      const isOver = !goesOn(host, covering, frame, reason)
      at = covering.callees.current()
      if (!isOver) continue
      if (at !== frame.base) return { reason }
      covering.callees.settleLogs(frame)
    }
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
export function frameError(
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

/** The result of code; of code that has failed with other than a revert, also the gas that was left then. */
export interface FrameResult extends ExecResult {
  gasLeft?: bigint
}

/** Opcodes that fail before they charge: SSTORE with the gas of a stipend, RETURNDATACOPY behind the end of the data. */
const BEFORE_CHARGE: ReadonlySet<number> = new Set([0x55, 0x3e])

/** False if a lack of gas has taken what was left. */
function keepsGas({ core }: Host, frame: Frame, { error }: EVMError): boolean {
  if (error !== errorMessages.OUT_OF_GAS) return true
  const gas = gasOf(core, frame)
  // One that has charged a part leaves more than there can be.
  const isBefore = gas >= 0 && gas < Number(frame.message.gasLimit)
  return isBefore && BEFORE_CHARGE.has(readNumber(core, frame.base + layout.FAULT))
}

export function frameResult(
  host: Host,
  frame: Frame,
  reason: number,
  error: EVMError | undefined,
): FrameResult {
  const { gasLimit } = frame.message
  const hasOutput = reason === layout.RETURNED || reason === layout.REVERTED
  const returnValue = hasOutput ? readOutput(host.core, frame) : EMPTY_BYTES
  const gasRefund = BigInt(refundOf(host.core, frame))
  if (error === undefined) {
    const executionGasUsed = gasLimit - gasLeftOf(host.core, frame)
    const result: ExecResult = { returnValue, executionGasUsed, gasRefund, logs: frame.logs }
    if (frame.selfdestruct !== undefined) result.selfdestruct = frame.selfdestruct
    if (frame.createdAddresses !== undefined) result.createdAddresses = frame.createdAddresses
    return result
  }
  // A revert returns the gas that is left; other failures consume it. No object is copied by spreading: an engine is slow to
  // write to such copies.
  const gasLeft = keepsGas(host, frame, error) ? gasLeftOf(host.core, frame) : 0n
  const logs: ExecResult['logs'] = []
  if (reason === layout.REVERTED)
    return { returnValue, exceptionError: error, gasRefund, logs, executionGasUsed: gasLimit - gasLeft }
  return { returnValue, exceptionError: error, gasRefund, logs, executionGasUsed: gasLimit, gasLeft }
}
