// A frame: the execution of one message. Its stack, memory and code are in linear memory from `base` on, the rest is in
// JavaScript. Frames nest: each begins where its caller's frame ends.

import type { Log } from '@ethereumjs/evm'
import { type Address, EMPTY_BYTES } from '../primitives/hex.ts'
import { type Core, copyBytes, reserve, writeAddress, writeNumber, writeWord } from './core.ts'
import { EvmAddress } from './evm-address.ts'
import * as layout from './layout.ts'
import type { Message } from './message.ts'

export interface Frame {
  readonly base: number
  readonly message: Message
  readonly code: Uint8Array
  /** The account whose storage and balance the code uses. */
  readonly account: EvmAddress
  readonly address: Address
  /** Gas at the start, without the surplus. */
  readonly gas: number
  /** Gas beyond what linear memory holds; only the GAS opcode and messages concern it. */
  surplus: bigint
  /** The least gas at the start with which the frame would have got this far, but for the writes that the module made. */
  minimumGas: number
  logs: Log[]
  /** Contracts to destroy at the end of the transaction, and their beneficiaries, if there are any. */
  selfdestruct: Map<Address, Address> | undefined
  createdAddresses: Set<Address> | undefined
  /** The output of the last call. */
  returnData: Uint8Array
}

const ZERO_ADDRESS = new EvmAddress(new Uint8Array(20))

/** JavaScript reads gas as a double, which is exact up to here. */
export const MAX_GAS = BigInt(Number.MAX_SAFE_INTEGER)
/** Gas in linear memory of a frame that has more than that: no code can use it up. */
const HELD_GAS = 2n ** 52n

function surplusOf(gas: bigint): bigint {
  return gas > MAX_GAS ? gas - HELD_GAS : 0n
}

function aligned(at: number): number {
  return (at + layout.WORD - 1) & -layout.WORD
}

/** Jump targets as a bit per byte of code. The state shares code by reference, so the byte array is the key. */
const jumpTargetsByCode = new WeakMap<Uint8Array, Uint8Array>()

/** Writes the jump targets of `code`, which is at `codeAt` in linear memory, to `targetsAt`. */
export function analyzed(core: Core, code: Uint8Array, codeAt: number, targetsAt: number): void {
  const targets = jumpTargetsByCode.get(code)
  if (targets !== undefined) {
    core.bytes.set(targets, targetsAt)
    return
  }
  core.exports.analyze(codeAt, code.length, targetsAt)
  jumpTargetsByCode.set(code, core.bytes.slice(targetsAt, targetsAt + ((code.length + 7) >>> 3)))
}

/** Where a code is in linear memory. */
export interface PlacedCode {
  readonly codeAt: number
  readonly targetsAt: number
}

/** Puts a code behind the stack of the frame at `base`. */
function place(core: Core, base: number, code: Uint8Array): PlacedCode {
  const codeAt = base + layout.STACK + layout.STACK_SIZE
  const end = codeAt + code.length
  const targetsAt = aligned(end + layout.PADDING)
  reserve(core, targetsAt + (code.length >>> 3) + 1)
  core.bytes.set(code, codeAt)
  core.bytes.fill(0, end, end + layout.PADDING)
  analyzed(core, code, codeAt, targetsAt)
  return { codeAt, targetsAt }
}

/** Lays a frame out in linear memory, from `base` on, with what is behind its stack from `dataAt` on. */
function layOut(
  core: Core,
  base: number,
  dataAt: number,
  { codeAt, targetsAt }: PlacedCode,
  codeLength: number,
  data: Uint8Array,
): void {
  const dataEnd = dataAt + data.length
  const memoryAt = aligned(dataEnd + layout.PADDING)
  reserve(core, memoryAt)
  const { bytes, numbers } = core
  bytes.set(data, dataAt)
  bytes.fill(0, dataEnd, dataEnd + layout.PADDING)
  const at = base >>> 2
  numbers[at + layout.PROGRAM_COUNTER / 4] = codeAt
  numbers[at + layout.STACK_POINTER / 4] = base + layout.STACK
  numbers[at + layout.CODE / 4] = codeAt
  numbers[at + layout.CODE_LENGTH / 4] = codeLength
  numbers[at + layout.JUMP_TARGETS / 4] = targetsAt
  numbers[at + layout.CALLDATA / 4] = dataAt
  numbers[at + layout.CALLDATA_LENGTH / 4] = data.length
  numbers[at + layout.RETURN_DATA_LENGTH / 4] = 0
  numbers[at + layout.GAS_READ / 4] = 0
  numbers[at + layout.FAULT / 4] = 0
  numbers[at + layout.OWNER / 4] = 0
  numbers[at + layout.PARENT / 4] = 0
  numbers[at + layout.RETURN_DATA / 4] = 0
  numbers[at + layout.MEMORY / 4] = memoryAt
  numbers[at + layout.MEMORY_SIZE / 4] = 0
  core.doubles[(base + layout.MEMORY_COST) >>> 3] = 0
}

/** Opens a frame at `base`. A code that is in linear memory already stays where it is. */
export function openFrame(
  core: Core,
  base: number,
  message: Message,
  code: Uint8Array,
  placed?: PlacedCode,
): Frame {
  const { to: account = ZERO_ADDRESS, caller, value, data, isStatic } = message
  if (placed === undefined) {
    const own = place(core, base, code)
    layOut(core, base, aligned(own.targetsAt + (code.length >>> 3) + 1), own, code.length, data)
  } else layOut(core, base, base + layout.STACK + layout.STACK_SIZE, placed, code.length, data)
  const surplus = surplusOf(message.gasLimit)
  const gas = Number(message.gasLimit - surplus)
  writeNumber(core, base + layout.HAS_SURPLUS, surplus === 0n ? 0 : 1)
  core.doubles[(base + layout.GAS) >>> 3] = gas
  core.doubles[(base + layout.LIMIT) >>> 3] = gas
  core.doubles[(base + layout.MINIMUM) >>> 3] = 0
  core.doubles[(base + layout.REFUND) >>> 3] = Number(message.gasRefund)
  writeNumber(core, base + layout.IS_STATIC, isStatic ? 1 : 0)
  writeNumber(core, base + layout.DEPTH, message.depth)
  writeAddress(core, base + layout.ADDRESS, account)
  writeAddress(core, base + layout.CALLER, caller)
  writeWord(core, base + layout.CALL_VALUE, value)
  return frameAt(base, message, code, gas, surplus)
}

/** The frame of a message that is laid out already. */
export function frameAt(
  base: number,
  message: Message,
  code: Uint8Array,
  gas: number,
  surplus: bigint,
): Frame {
  const { to: account = ZERO_ADDRESS } = message
  return {
    base,
    message,
    code,
    account,
    address: account.hex,
    gas,
    surplus,
    minimumGas: 0,
    logs: [],
    selfdestruct: message.selfdestruct,
    createdAddresses: message.createdAddresses,
    returnData: EMPTY_BYTES,
  }
}

/** The end of a frame, where the frame of its next call begins. */
export function endOf({ numbers }: Core, { base }: Frame): number {
  const at = base >>> 2
  const memory = numbers[at + layout.MEMORY / 4] as number
  return aligned(memory + (numbers[at + layout.MEMORY_SIZE / 4] as number))
}

export function gasOf({ doubles }: Core, { base }: Frame): number {
  return doubles[(base + layout.GAS) >>> 3] as number
}

export function setGas({ doubles }: Core, { base }: Frame, gas: number): void {
  doubles[(base + layout.GAS) >>> 3] = gas
}

/** All gas of a frame. */
export function gasLeftOf(core: Core, frame: Frame): bigint {
  return frame.surplus + BigInt(gasOf(core, frame))
}

/** Sets all gas of a frame. */
export function setGasLeft(core: Core, frame: Frame, gas: bigint): void {
  frame.surplus = surplusOf(gas)
  writeNumber(core, frame.base + layout.HAS_SURPLUS, frame.surplus === 0n ? 0 : 1)
  setGas(core, frame, Number(gas - frame.surplus))
}

/** The refund counter of the transaction, as far as the frame knows it. */
export function refundOf({ doubles }: Core, { base }: Frame): number {
  return doubles[(base + layout.REFUND) >>> 3] as number
}

export function setRefund({ doubles }: Core, { base }: Frame, refund: number): void {
  doubles[(base + layout.REFUND) >>> 3] = refund
}

/** The least gas at the start with which the frame would have done the same. */
export function minimumGasOf({ doubles }: Core, { base, minimumGas }: Frame): number {
  return Math.max(minimumGas, doubles[(base + layout.MINIMUM) >>> 3] as number)
}

/** Records that the frame needs `left` gas at this point. */
export function requireGas(core: Core, frame: Frame, left: number): void {
  const required = frame.gas - gasOf(core, frame) + left
  if (required > frame.minimumGas) frame.minimumGas = required
}

/** The address of an operand of the current opcode; index 0 is the top of the stack. */
export function operandAt({ numbers }: Core, { base }: Frame, index: number): number {
  return (numbers[(base + layout.OPERAND) >>> 2] as number) - layout.WORD * index
}

/** The address for the result of the current opcode: the top of the stack. */
export function resultAt({ numbers }: Core, { base }: Frame): number {
  return (numbers[(base + layout.STACK_POINTER) >>> 2] as number) - layout.WORD
}

/** A copy of a part of the frame's memory. A length of zero permits any offset. */
export function readMemory(core: Core, { base }: Frame, offsetAt: number, lengthAt: number): Uint8Array {
  const { numbers } = core
  const length = numbers[lengthAt >>> 2] as number
  if (length === 0) return EMPTY_BYTES
  const start = (numbers[(base + layout.MEMORY) >>> 2] as number) + (numbers[offsetAt >>> 2] as number)
  return copyBytes(core, start, length)
}

export function memoryAt({ numbers }: Core, { base }: Frame, offset: number): number {
  return (numbers[(base + layout.MEMORY) >>> 2] as number) + offset
}

export function setReturnData(core: Core, frame: Frame, data: Uint8Array): void {
  frame.returnData = data
  writeNumber(core, frame.base + layout.RETURN_DATA_LENGTH, data.length)
  writeNumber(core, frame.base + layout.RETURN_DATA, 0)
}

export function outputLength({ numbers }: Core, base: number): number {
  return numbers[(base + layout.OUTPUT_LENGTH) >>> 2] as number
}

/** The address of the output of RETURN or REVERT. */
export function outputAt({ numbers }: Core, base: number): number {
  return (numbers[(base + layout.MEMORY) >>> 2] as number) + (numbers[(base + layout.OUTPUT) >>> 2] as number)
}

/** The output of RETURN or REVERT. */
export function readOutput(core: Core, { base }: Frame): Uint8Array {
  const length = outputLength(core, base)
  return length === 0 ? EMPTY_BYTES : copyBytes(core, outputAt(core, base), length)
}
