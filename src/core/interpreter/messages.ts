// Opcodes that send a message: CALL, CALLCODE, DELEGATECALL, STATICCALL, CREATE and CREATE2. Each prepares its message and
// stops the frame, which takes over the result when the message has ended. The WebAssembly code has charged for memory
// and checked for static frames.

import { EVMError, type EVMResult } from '@ethereumjs/evm'
import { type Address, EMPTY_BYTES } from '../primitives/hex.ts'
import { MAX_UINT64 } from '../primitives/numbers.ts'
import { delegateOf, isDead, updateAccount } from '../state/world-state.ts'
import * as cores from './core.ts'
import { callAccess } from './dynamic-gas.ts'
import type { EvmAddress } from './evm-address.ts'
import * as frames from './frame.ts'
import { type Frame, operandAt } from './frame.ts'
import { leastGasToForward } from './gas-watch.ts'
import { accessAccount, accountAt, type Host, type HostCovering, payerOf } from './host.ts'
import * as layout from './layout.ts'
import { Message, REFUSED, type Sent } from './message.ts'

function chargeGas({ core }: Host, frame: Frame, cost: number): void {
  const left = frames.gasOf(core, frame) - cost
  if (left < 0) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  frames.setGas(core, frame, left)
}

/** Subtracts the gas of a message, which may be more than a double can represent. */
function chargeMessage(host: Host, frame: Frame, used: bigint): void {
  if (frame.surplus === 0n) {
    chargeGas(host, frame, Number(used))
    return
  }
  const left = frames.gasLeftOf(host.core, frame) - used
  if (left < 0n) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  frames.setGasLeft(host.core, frame, left)
}

/** The most gas for a message: all but one 64th of what is left (EIP-150). */
function maxMessageGas({ core }: Host, frame: Frame): bigint {
  if (frame.surplus === 0n) {
    const left = frames.gasOf(core, frame)
    return BigInt(left - Math.floor(left / 64))
  }
  const left = frames.gasLeftOf(core, frame)
  return left - left / 64n
}

/** Records the least gas of a message that has ended. One that ran out of gas might behave differently with more. */
function watchMessage(
  { core, gasWatch }: Host,
  frame: Frame,
  { execResult }: EVMResult,
  stipend: number,
): void {
  const { exceptionError, executionGasUsed } = execResult
  const isOutOfGas = exceptionError !== undefined && exceptionError.error !== EVMError.errorMessages.REVERT
  if (isOutOfGas) gasWatch.dependsOnGas = true
  const minimum = Math.max(gasWatch.minimumGas, Number(executionGasUsed))
  // The frame's gas already includes the stipend, which the frame does not pay for.
  frames.requireGas(core, frame, stipend + leastGasToForward(minimum - stipend))
}

export type CallOpcode = 0xf1 | 0xf2 | 0xf4 | 0xfa
const CALL = 0xf1
const CALLCODE = 0xf2
const DELEGATECALL = 0xf4
const STATICCALL = 0xfa

export type CreateOpcode = 0xf0 | 0xf5
const CREATE2 = 0xf5

/** Gives a message what the transaction has done so far. */
function prepare(host: Host, frame: Frame, message: Message): void {
  const { costs, gasWatch } = host
  message.inherit(frame, costs.tracksCreations, frames.refundOf(host.core, frame))
  host.top = frames.endOf(host.core, frame)
  gasWatch.hasMessageCalls = true
  gasWatch.minimumGas = 0
}

/** Takes over the self-destructs and creations of a message that succeeded. */
function takeOverMarks(frame: Frame, { selfdestruct, createdAddresses }: EVMResult['execResult']): void {
  if (selfdestruct !== undefined && selfdestruct.size > 0) {
    frame.selfdestruct ??= new Map()
    for (const [address, beneficiary] of selfdestruct) frame.selfdestruct.set(address, beneficiary)
  }
  if (createdAddresses !== undefined && createdAddresses.size > 0) {
    frame.createdAddresses ??= new Set()
    for (const address of createdAddresses) frame.createdAddresses.add(address)
  }
}

/** Lets GAS return to JavaScript in a frame while `heldGas` is set. */
export function askForGas({ core, evm }: Host, { base }: Frame): void {
  if (evm.heldGas !== undefined) cores.writeNumber(core, base + layout.HAS_SURPLUS, 1)
}

/** Takes over logs, gas, refund and marks of a message that has ended, and its output. */
export function receive(host: Host, frame: Frame, sent: Sent, result: EVMResult): void {
  watchMessage(host, frame, result, sent.stipend)
  const { execResult } = result
  const { logs, executionGasUsed, exceptionError, gasRefund } = execResult
  if (logs !== undefined && logs.length > 0) frame.logs = frame.logs.concat(logs)
  chargeMessage(host, frame, executionGasUsed)
  askForGas(host, frame)
  if (exceptionError === undefined) {
    takeOverMarks(frame, execResult)
    frames.setRefund(host.core, frame, Number(gasRefund ?? 0n))
  }
  if (sent.output === undefined) receiveCreation(host, frame, sent, result)
  else receiveCall(host, frame, sent, sent.output, result)
}

function isRevert({ execResult }: EVMResult): boolean {
  return execResult.exceptionError?.error === EVMError.errorMessages.REVERT
}

function clearReturnData(host: Host, frame: Frame): void {
  frames.setReturnData(host.core, frame, EMPTY_BYTES)
}

function callCost(host: Host, opcode: CallOpcode, to: Address, hasValue: boolean): number {
  const { costs } = host
  let cost = costs.callFee[opcode] + accessAccount(host, to)
  if (hasValue) {
    cost += costs.callValue
    if (opcode === CALL && isDead(accountAt(host, to))) cost += costs.newAccount
  }
  const delegate = costs.hasDelegations ? delegateOf(accountAt(host, to).code.bytes) : undefined
  return delegate === undefined ? cost : cost + accessAccount(host, delegate)
}

export function callMessageOf(
  { message, account }: Pick<Frame, 'message' | 'account'>,
  opcode: CallOpcode,
  target: EvmAddress,
  value: bigint,
  data: Uint8Array,
  gasLimit: bigint,
) {
  const isDelegated = opcode === DELEGATECALL
  const isForeign = isDelegated || opcode === CALLCODE
  return new Message({
    caller: isDelegated ? message.caller : account,
    to: isForeign ? account : target,
    codeAddress: isForeign ? target : undefined,
    gasLimit,
    value: isDelegated ? message.value : value,
    data,
    isStatic: opcode === STATICCALL || message.isStatic,
    delegatecall: isDelegated,
    depth: message.depth + 1,
    blobVersionedHashes: message.blobVersionedHashes,
  })
}

/** Copies the output of a call into the caller's memory, up to the length that the caller asked for. */
function writeOutput({ core }: Host, frame: Frame, offsetAt: number, lengthAt: number): void {
  const { returnData } = frame
  const length = Math.min(returnData.length, cores.readNumber(core, lengthAt))
  if (length === 0) return
  const part = length === returnData.length ? returnData : returnData.subarray(0, length)
  core.bytes.set(part, frames.memoryAt(core, frame, cores.readNumber(core, offsetAt)))
}

function noteTarget(host: Host, covering: HostCovering, target: EvmAddress): void {
  covering.learnCode(host, target)
  const { reads } = covering
  // Other precompiles tell of nothing that they read.
  const isSilent = reads.isOn && host.evm.precompiles.has(target.bare) && !reads.tellers.has(target.bare)
  if (isSilent) reads.isPartial = true
}

/** Prepares the message of a call; `undefined` if it is refused. */
export function call(host: Host, frame: Frame, opcode: CallOpcode): Sent | undefined {
  const { core, costs, evm, gasWatch, observation, stepper } = host
  const takesValue = opcode === CALL || opcode === CALLCODE
  /** Index of the first operand after the value. */
  const rest = takesValue ? 3 : 2
  const valueAt = operandAt(core, frame, 2)
  const hasValue = takesValue && !cores.isZeroWord(core, valueAt)
  const value = hasValue ? cores.readWord(core, valueAt) : 0n
  const targetAt = operandAt(core, frame, 1)
  const requested = cores.readWord(core, operandAt(core, frame, 0))
  const target = cores.readEvmAddress(core, targetAt)
  if (host.covering !== undefined) noteTarget(host, host.covering, target)
  if (observation !== undefined) observation.access = callAccess(host, target.hex)
  chargeGas(host, frame, callCost(host, opcode, target.hex, hasValue))
  const maxGas = maxMessageGas(host, frame)
  const gas = requested > maxGas ? maxGas : requested
  stepper?.endAt(frames.gasOf(core, frame) - Number(gas))
  const stipend = hasValue ? costs.callStipend : 0
  if (hasValue) {
    gasWatch.readsBalance = true
    frames.setGas(core, frame, frames.gasOf(core, frame) + stipend)
  }
  const data = frames.readMemory(core, frame, operandAt(core, frame, rest), operandAt(core, frame, rest + 1))
  clearReturnData(host, frame)
  const place = frames.resultAt(core, frame)
  const message = callMessageOf(frame, opcode, target, value, data, gas + BigInt(stipend))
  if (observation !== undefined) observation.messageOpcode = opcode
  const isTooDeep = frame.message.depth >= costs.maxCallDepth
  // With cheatcodes, a call that cannot be paid begins, because they may count it or end it in another way.
  const isRefused = hasValue && evm.payerOf === undefined && accountAt(host, frame.address).balance < value
  if (isTooDeep || isRefused) {
    // The frame keeps the stipend, but could not use it for the costs before.
    frames.requireGas(core, frame, stipend)
    observation?.refuse(message, isTooDeep ? REFUSED.depth : REFUSED.balance)
    cores.writeInteger(core, place, 0)
    return undefined
  }
  prepare(host, frame, message)
  const output = [operandAt(core, frame, rest + 2), operandAt(core, frame, rest + 3)] as const
  return { message, stipend, place, output }
}

function receiveCall(
  host: Host,
  frame: Frame,
  { place }: Sent,
  output: NonNullable<Sent['output']>,
  result: EVMResult,
): void {
  const { exceptionError, returnValue } = result.execResult
  if (exceptionError === undefined || isRevert(result)) frames.setReturnData(host.core, frame, returnValue)
  writeOutput(host, frame, ...output)
  cores.writeInteger(host.core, place, exceptionError === undefined ? 1 : 0)
}

function createCost({ costs }: Host, opcode: CreateOpcode, length: number): number {
  const words = Math.ceil(length / 32)
  const own = opcode === CREATE2 ? costs.create2 + words * costs.keccakWord : costs.create
  return own + (costs.limitsInitCode ? words * costs.initCodeWord : 0)
}

/** Why a creation may not begin: depth, balance or nonce (EIP-2681). */
function creationRefusal(host: Host, frame: Frame, value: bigint): string | undefined {
  const { nonce } = accountAt(host, frame.address)
  if (frame.message.depth >= host.costs.maxCallDepth) return REFUSED.depth
  if (payerOf(host, frame).balance < value) return REFUSED.balance
  return nonce < MAX_UINT64 ? undefined : REFUSED.nonce
}

/** Prepares the message of a creation; `undefined` if it is refused. */
export function create(host: Host, frame: Frame, opcode: CreateOpcode): Sent | undefined {
  const { core, costs, evm, gasWatch, journal, writer } = host
  const { account, address, message } = frame
  if (host.covering !== undefined) host.covering.reads.isPartial = true
  const value = cores.readWord(core, operandAt(core, frame, 0))
  const lengthAt = operandAt(core, frame, 2)
  const length = cores.readNumber(core, lengthAt)
  if (costs.hasAccessLists) journal.warmUp(address)
  chargeGas(host, frame, createCost(host, opcode, length))
  const gas = maxMessageGas(host, frame)
  if (costs.limitsInitCode && length > costs.maxInitCodeSize && !evm.allowUnlimitedInitCodeSize)
    throw new EVMError(EVMError.errorMessages.INITCODE_SIZE_VIOLATION)
  host.stepper?.endAt(frames.gasOf(core, frame))
  const data = frames.readMemory(core, frame, operandAt(core, frame, 1), lengthAt)
  const place = frames.resultAt(core, frame)
  const salt = opcode === CREATE2 ? cores.readBytes(core, operandAt(core, frame, 3), 32) : undefined
  cores.writeInteger(core, place, 0)
  if (value > 0n) gasWatch.readsBalance = true
  clearReturnData(host, frame)
  const creation = new Message({
    depth: message.depth + 1,
    blobVersionedHashes: message.blobVersionedHashes,
    caller: account,
    to: undefined,
    gasLimit: gas,
    value,
    data,
    salt,
  })
  const refusal = creationRefusal(host, frame, value)
  if (refusal !== undefined) {
    host.observation?.refuse(creation, refusal)
    if (evm.onRefusedCreation?.(address, creation.depth) !== true) return undefined
  }
  journal.touch(address)
  writer.current = updateAccount(writer.current, address, { nonce: accountAt(host, address).nonce + 1n })
  prepare(host, frame, creation)
  return { message: creation, stipend: 0, place, output: undefined }
}

function receiveCreation({ core }: Host, frame: Frame, { place }: Sent, result: EVMResult): void {
  const { execResult, createdAddress } = result
  if (isRevert(result)) frames.setReturnData(core, frame, execResult.returnValue)
  if (execResult.exceptionError === undefined && createdAddress !== undefined)
    cores.writeBytes(core, place, createdAddress.bytes)
}
