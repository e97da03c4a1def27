// What a frame of the WebAssembly interpreter tells an observer: accesses, and how it ended.

import { EVMError } from '@ethereumjs/evm'
import { bytesToHex } from '../primitives/hex.ts'
import { readNumber, readWord } from './core.ts'
import { type FailedOpcode, OUT_OF_GAS_ERROR } from './dynamic-gas.ts'
import { describeFailure, isKnownOpcode } from './failed-step.ts'
import { type Frame, gasOf } from './frame.ts'
import type { Host } from './host.ts'
import * as layout from './layout.ts'
import { type Observation, SENDERS, STATE_OPCODES } from './observation.ts'

const SELFBALANCE = 0x47

function peekFrom({ core }: Host, { base }: Frame, top: number) {
  return (depth: number): bigint | undefined => {
    const at = top - layout.WORD * depth
    return at < base + layout.STACK ? undefined : readWord(core, at)
  }
}

function tellAccess(host: Host, { observer }: Observation, frame: Frame, opcode: number): void {
  if (!STATE_OPCODES.has(opcode) || !isKnownOpcode(host, opcode)) return
  const first = readNumber(host.core, frame.base + layout.OPERAND)
  // SELFBALANCE has no operand; OPERAND is the place of its result.
  const top = opcode === SELFBALANCE ? first - layout.WORD : first
  observer.access?.({ opcode, address: frame.address, peek: peekFrom(host, frame, top) })
}

/** The opcode that has failed, as far as the frame knows it: without steps, its gas may be unknown. */
function failedOpcode(
  host: Host,
  observation: Observation,
  frame: Frame,
  opcode: number,
  gas: number,
): FailedOpcode {
  const { core, stepper } = host
  const { base, address, message, returnData } = frame
  const top = readNumber(core, base + layout.OPERAND)
  return {
    ...{ opcode, address, isStatic: message.isStatic, returnDataSize: returnData.length },
    gas: SENDERS.has(opcode)
      ? (core.doubles[(base + layout.MESSAGE_GAS) >>> 3] as number)
      : (stepper?.last.gas ?? gas),
    stackSize: (top + layout.WORD - base - layout.STACK) / layout.WORD,
    peek: peekFrom(host, frame, top),
    memorySize: stepper?.last.memorySize ?? readNumber(core, base + layout.MEMORY_SIZE),
    ...{ cost: observation.failedCost, access: observation.access },
  }
}

function tellFailure(host: Host, observation: Observation, failed: FailedOpcode, ended: string): void {
  const { cost, error, reason } = describeFailure(host, failed, ended)
  host.stepper?.end(cost, error)
  if (error !== undefined && STATE_OPCODES.has(failed.opcode)) observation.observer.accessFailed?.()
  observation.failure = reason
}

/** Ends a frame by an opcode that the WebAssembly code has refused, or by one that JavaScript could not charge. */
function tellFault(host: Host, observation: Observation, frame: Frame, charge: number): void {
  const { core } = host
  const left = gasOf(core, frame)
  const fault = readNumber(core, frame.base + layout.FAULT)
  if (fault === 0) {
    const opcode = core.bytes[readNumber(core, frame.base + layout.PROGRAM_COUNTER) - 1] as number
    observation.failedCost = host.stepper === undefined ? undefined : host.stepper.last.gas - left + charge
    tellFailure(host, observation, failedOpcode(host, observation, frame, opcode, Infinity), OUT_OF_GAS_ERROR)
    return
  }
  const fee = core.numbers[(core.exports.opcodes.value + 8 * fault) >>> 2] as number
  tellFailure(host, observation, failedOpcode(host, observation, frame, fault, left + fee), OUT_OF_GAS_ERROR)
}

/** Tells of what the WebAssembly code has returned: an opcode for JavaScript, or the end of the frame. */
export function tellReturn(
  host: Host,
  observation: Observation,
  frame: Frame,
  reason: number,
  charge: number,
): void {
  const { core, stepper } = host
  observation.failedCost = undefined
  observation.access = undefined
  const isEnd = reason < layout.FIRST_OPCODE && reason !== layout.PAUSED
  if (stepper === undefined && reason !== layout.PAUSED) {
    const opcode = isEnd ? readNumber(core, frame.base + layout.FAULT) : reason
    tellAccess(host, observation, frame, opcode)
  }
  if (!isEnd) return
  switch (reason) {
    case layout.STOPPED:
    case layout.RETURNED:
    case layout.REVERTED:
    case layout.INVALID_JUMP:
      stepper?.endAt(gasOf(core, frame))
      break
    default:
      tellFault(host, observation, frame, charge)
  }
}

/** Tells of the end of a frame by an error of an opcode that JavaScript executes. */
export function tellThrown(host: Host, observation: Observation, frame: Frame, thrown: EVMError): void {
  const { core } = host
  const opcode = core.bytes[readNumber(core, frame.base + layout.PROGRAM_COUNTER) - 1] as number
  const ended = thrown.error === EVMError.errorMessages.OUT_OF_GAS ? OUT_OF_GAS_ERROR : thrown.error
  tellFailure(host, observation, failedOpcode(host, observation, frame, opcode, gasOf(core, frame)), ended)
}

export function tellLog(host: Host, frame: Frame, topics: readonly Uint8Array[], data: Uint8Array): void {
  const { core, observation, stepper } = host
  stepper?.endAt(gasOf(core, frame))
  const { address } = frame
  observation?.observer.log?.({ address, topics: topics.map((topic) => bytesToHex(topic)), data })
}
