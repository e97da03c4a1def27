// Steps of the interpreter of @ethereumjs, for an observer. Its events come before an opcode and say neither whether it
// succeeds nor which messages it refuses, so a step ends when the next event shows what has become of it.

import { EVMError, type InterpreterStep } from '@ethereumjs/evm'
import { addressOfWord } from '../primitives/crypto.ts'
import { bigIntToBytes, bytesToHex, EMPTY_BYTES, hexToBytes, padLeft, toWord } from '../primitives/hex.ts'
import { readAccount, type StateWriter, type WorldState } from '../state/world-state.ts'
import { costsOf, storageCostsOf } from './costs.ts'
import { delegateFor, type FailedOpcode, OUT_OF_GAS_ERROR, refundOfStep, type Tariff } from './dynamic-gas.ts'
import { EvmAddress } from './evm-address.ts'
import type { Evm } from './evm-interface.ts'
import { describeFailure, isKnownOpcode } from './failed-step.ts'
import * as messaging from './message.ts'
import { REFUSED } from './message.ts'
import { type CallOpcode, callMessageOf } from './messages.ts'
import type { ObservedStep } from './observer.ts'

const STOP = 0x00
const SLOAD = 0x54
const SSTORE = 0x55
const LOG0 = 0xa0
const LOG4 = 0xa4
const CREATE2 = 0xf5
const SELFDESTRUCT = 0xff
const CALLS: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT: they access the account of their first operand. */
const READERS: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, SELFDESTRUCT])
/** STOP, RETURN, REVERT, SELFDESTRUCT. */
const HALTS: ReadonlySet<number> = new Set([STOP, 0xf3, 0xfd, SELFDESTRUCT])
const MAX_CALL_DEPTH = 1024
const NO_ADDRESS = new Uint8Array(20)

interface Frame {
  readonly message: messaging.Message
  readonly isCreation: boolean
  returnData: Uint8Array
  /** Warm since the frame began, as in a tariff: a frame that fails makes it cold again before it tells so. */
  warm: Set<string>
  /** The opcode that was told last. */
  last: number
  /** The step that has not ended. */
  open: OpenStep | undefined
}

interface OpenStep {
  readonly view: ObservedStep
  /** As the event says: without the gas of a message; the static gas, if there is an error in the computation. */
  readonly cost: number
  /** The state before it: a frame that fails takes its changes back before it tells so. */
  readonly state: WorldState
}

type End = Parameters<messaging.ReferenceSteps['end']>[0]

/** A reader of memory, which @ethereumjs makes longer only when it is written. */
function memoryReader(memory: Uint8Array, size: number) {
  return (from = 0, to = size): Uint8Array => {
    const part = new Uint8Array(to - from)
    part.set(memory.subarray(from, Math.max(from, to)))
    return part
  }
}

/** An operand; the opcode has not failed, so the stack has it. */
function operand({ peek }: ObservedStep, place: number): bigint {
  return peek(place) as bigint
}

export class ReferenceTranslator implements messaging.ReferenceSteps {
  private readonly tariff: Tariff
  private readonly observation: messaging.Observation
  private readonly frames: Frame[] = []

  constructor(evm: Evm, writer: StateWriter, observation: messaging.Observation) {
    this.tariff = { evm, writer, costs: costsOf(evm), storageCosts: storageCostsOf(evm.common) }
    this.observation = observation
  }

  begin(message: messaging.Message): void {
    const parent = this.frames.at(-1)
    if (parent?.open !== undefined) {
      this.observation.messageOpcode = parent.open.view.opcode
      this.endStep(parent, parent.open)
    }
    const isCreation = message.to === undefined
    const warm = new Set(parent?.warm)
    this.frames.push({ message, isCreation, returnData: EMPTY_BYTES, warm, last: STOP, open: undefined })
  }

  step(event: InterpreterStep): void {
    const frame = this.frames.at(-1) as Frame
    if (frame.open !== undefined) this.succeed(frame, frame.open)
    const { stack, memory, memoryWordCount, pc, gasLeft, gasRefund, opcode } = event
    const [gas, refund] = [Number(gasLeft), Number(gasRefund)]
    const view = this.viewOf(frame, pc, gas, stack, memory, memoryWordCount, refund)
    this.tell(frame, view, Number(opcode.dynamicFee ?? opcode.fee))
  }

  end(result: End): void {
    const frame = this.frames.pop() as Frame
    const { exceptionError, returnValue } = result
    const hasFailed = frame.open !== undefined && this.endLast(frame, frame.open, result)
    if (!hasFailed) this.stop(frame, result)
    const parent = this.frames.at(-1)
    if (parent === undefined) return
    if (exceptionError === undefined) parent.warm = frame.warm
    // A creation makes its account warm even if it fails (EIP-2929).
    const { to } = frame.message
    if (frame.isCreation && to !== undefined) parent.warm.add(bytesToHex(to.bytes))
    const isRevert = exceptionError?.error === EVMError.errorMessages.REVERT
    const hasOutput = isRevert || (exceptionError === undefined && !frame.isCreation)
    parent.returnData = hasOutput ? returnValue : EMPTY_BYTES
  }

  private viewOf(
    { message, returnData }: Frame,
    pc: number,
    gas: number,
    stack: readonly bigint[],
    memory: Uint8Array,
    memoryWords: bigint,
    refund: number,
  ): ObservedStep {
    const { depth, to, code } = message
    const { authorizationRefund } = this.observation
    const memorySize = 32 * Number(memoryWords)
    const view = {
      depth,
      pc,
      gas,
      opcode: (code as Uint8Array)[pc] ?? STOP,
      address: bytesToHex(to?.bytes ?? NO_ADDRESS),
      stackSize: stack.length,
      memorySize,
      refund: authorizationRefund + refund,
      peek: (place: number) => stack[stack.length - 1 - place],
      stack: () => [...stack],
      memory: memoryReader(memory, memorySize),
      returnData: () => returnData.slice(),
    }
    // geth counts it before it tells of the opcode, @ethereumjs after, but where a static frame refuses SSTORE.
    if (view.opcode !== SSTORE || message.isStatic)
      view.refund += refundOfStep(this.tariff, view, message.selfdestruct)
    return view
  }

  private tell(frame: Frame, view: ObservedStep, cost: number): void {
    const { writer } = this.tariff
    const { observer } = this.observation
    frame.open = { view, cost, state: writer.current }
    frame.last = view.opcode
    if (messaging.STATE_OPCODES.has(view.opcode) && isKnownOpcode(this.tariff, view.opcode))
      observer.access?.(view)
    observer.place?.(view.pc)
    observer.step?.(view)
  }

  private endStep(frame: Frame, { view, cost, state }: OpenStep): void {
    frame.open = undefined
    const isCall = CALLS.has(view.opcode)
    if (isCall || READERS.has(view.opcode)) {
      const account = addressOfWord(operand(view, isCall ? 1 : 0))
      const delegate = isCall ? delegateFor({ ...this.tariff, state }, account) : undefined
      frame.warm.add(account)
      if (delegate !== undefined) frame.warm.add(delegate)
    }
    if (view.opcode === SLOAD || view.opcode === SSTORE)
      frame.warm.add(view.address + toWord(operand(view, 0)))
    const sent = isCall ? this.messageGas(view, cost) : 0
    if (messaging.SENDERS.has(view.opcode)) frame.returnData = EMPTY_BYTES
    this.observation.observer.stepEnd?.({ cost: cost + sent, error: undefined })
  }

  /** The gas that a call gets, without the stipend. */
  private messageGas(view: ObservedStep, cost: number): number {
    const most = this.mostGas(view.gas - cost)
    const requested = operand(view, 0)
    return requested > BigInt(most) ? most : Number(requested)
  }

  /** The most gas for a message (EIP-150). */
  private mostGas(left: number): number {
    const { common } = this.tariff.evm
    return common.gteHardfork('tangerineWhistle') ? left - Math.floor(left / 64) : left
  }

  /** Ends a step that has neither failed nor sent a message. */
  private succeed(frame: Frame, open: OpenStep): void {
    const { view } = open
    const { opcode } = view
    this.endStep(frame, open)
    if (opcode >= LOG0 && opcode <= LOG4) this.log(view)
    else if (opcode === SELFDESTRUCT) {
      const to = addressOfWord(operand(view, 0))
      const { balance } = readAccount(open.state, view.address)
      messaging.tellSelfDestruct(this.observation, view.depth, view.address, to, balance)
    } else if (CALLS.has(opcode)) this.refuseCall(frame, open)
    else if (messaging.SENDERS.has(opcode)) this.refuseCreation(frame, open)
  }

  private log({ opcode, address, peek, memory }: ObservedStep): void {
    const { log } = this.observation.observer
    if (log === undefined) return
    const [from, length] = [Number(peek(0)), Number(peek(1))]
    const topics = Array.from({ length: opcode - LOG0 }, (_, i) => toWord(peek(2 + i) as bigint))
    log({ address, topics, data: length === 0 ? EMPTY_BYTES : memory(from, from + length) })
  }

  private refuseCall({ message }: Frame, { view, cost }: OpenStep): void {
    const { opcode, depth } = view
    const hasValue = opcode === 0xf1 || opcode === 0xf2
    const value = hasValue ? operand(view, 2) : 0n
    const [from, length] = hasValue ? [3, 4] : [2, 3]
    const target = new EvmAddress(hexToBytes(addressOfWord(operand(view, 1))))
    const sender = { message, account: message.to as EvmAddress }
    const gas = this.messageGas(view, cost) + (value > 0n ? this.tariff.costs.callStipend : 0)
    const data = readRange(view, from, length)
    const refused = callMessageOf(sender, opcode as CallOpcode, target, value, data, BigInt(gas))
    this.observation.messageOpcode = opcode
    this.observation.refuse(refused, depth >= MAX_CALL_DEPTH ? REFUSED.depth : REFUSED.balance)
  }

  private refuseCreation({ message }: Frame, { view, cost }: OpenStep): void {
    const { opcode, depth, address, gas } = view
    const data = readRange(view, 1, 2)
    // @ethereumjs creates nothing from the magic of EOF, in every fork; the standards execute it (EIP-3540 is in none).
    if (data[0] === 0xef && data[1] === 0) return
    const value = operand(view, 0)
    const { balance } = readAccount(this.tariff.writer.current, address)
    const error = depth >= MAX_CALL_DEPTH ? REFUSED.depth : balance < value ? REFUSED.balance : REFUSED.nonce
    const gasLimit = BigInt(this.mostGas(gas - cost))
    const salt = opcode === CREATE2 ? padLeft(bigIntToBytes(operand(view, 3)), 32) : undefined
    const sent = { caller: message.to as EvmAddress, to: undefined, gasLimit, value, data, salt }
    this.observation.refuse(new messaging.Message({ ...sent, depth: depth + 1 }), error)
  }

  /** Ends the last step of a frame, if it has not sent a message; returns whether the frame has failed with it. */
  private endLast(frame: Frame, open: OpenStep, { exceptionError }: End): boolean {
    const { view } = open
    const failed = exceptionError === undefined ? undefined : this.failureOf(frame, open, exceptionError)
    // A creation may have failed after its code, by the size of what it deploys.
    if (failed === undefined || (failed.reason === undefined && HALTS.has(view.opcode))) {
      this.succeed(frame, open)
      return false
    }
    frame.open = undefined
    const { observer } = this.observation
    observer.stepEnd?.({ cost: failed.cost, error: failed.error })
    if (failed.error !== undefined && messaging.STATE_OPCODES.has(view.opcode)) observer.accessFailed?.()
    this.observation.failure = failed.reason
    return true
  }

  /** Tells of the STOP at the end of the code, which @ethereumjs does not execute. */
  private stop(frame: Frame, { runState, gasRefund = 0n }: End): void {
    if (runState === undefined || HALTS.has(frame.last)) return
    const { programCounter, gasLeft, stack, memory, memoryWordCount } = runState
    const [gas, refund] = [Number(gasLeft), Number(gasRefund)]
    const view = this.viewOf(
      frame,
      programCounter,
      gas,
      stack.getStack(),
      memory._store,
      memoryWordCount,
      refund,
    )
    this.tell(frame, view, 0)
    this.succeed(frame, frame.open as OpenStep)
  }

  private failureOf(
    { message, returnData, warm }: Frame,
    { view, cost, state }: OpenStep,
    { error }: EVMError,
  ) {
    const isOutOfGas = error === EVMError.errorMessages.OUT_OF_GAS
    const isInvalidJump = error.startsWith(EVMError.errorMessages.INVALID_JUMP)
    const failed: FailedOpcode = {
      opcode: view.opcode,
      gas: view.gas,
      address: view.address,
      isStatic: message.isStatic,
      stackSize: view.stackSize,
      peek: view.peek,
      memorySize: view.memorySize,
      returnDataSize: returnData.length,
      cost: isOutOfGas && cost > view.gas ? cost : undefined,
    }
    const isHalt = HALTS.has(view.opcode)
    const ended = isInvalidJump
      ? 'invalid jump destination'
      : isOutOfGas && !isHalt
        ? OUT_OF_GAS_ERROR
        : undefined
    return describeFailure({ ...this.tariff, state, warm }, failed, ended)
  }
}

function readRange(view: ObservedStep, offset: number, length: number): Uint8Array {
  const size = Number(operand(view, length))
  const from = Number(operand(view, offset))
  return size === 0 ? EMPTY_BYTES : view.memory(from, from + size)
}
