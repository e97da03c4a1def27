// Context of the opcodes that need state, one per EVM, and account access with its gas (EIP-2929). It tells an observer
// accesses, and how a frame ended.

import { EVMError } from '@ethereumjs/evm'
import { type Address, bytesToHex, type Hash } from '../primitives/hex.ts'
import { type Account, EMPTY_ACCOUNT } from '../state/world-state.ts'
import { type Core, readNumber, readWord } from './core.ts'
import { type FailedOpcode, OUT_OF_GAS_ERROR, type Tariff } from './dynamic-gas.ts'
import type { EvmAddress } from './evm-address.ts'
import type { Environment } from './evm-interface.ts'
import { describeFailure, isKnownOpcode } from './failed-step.ts'
import { type Frame, gasOf } from './frame.ts'
import type { GasWatch } from './gas-watch.ts'
import type { AccessJournal, TransientStorage } from './journal.ts'
import * as layout from './layout.ts'
import { type EvmCall, type Observation, SENDERS, type Sent, STATE_OPCODES } from './message.ts'
import type { Noter, Stepper } from './stepper.ts'

export class ReadLog {
  isOn = false
  /** True if the execution has read something that is not told here. */
  isPartial = false
  readsBlock = false
  readonly accounts = new Set<Address>()
  /** The precompiles that say themselves whether they read something, by their addresses without prefix. */
  readonly tellers = new Set<string>()

  begin(account: Address): void {
    this.isOn = true
    this.isPartial = false
    this.readsBlock = false
    this.accounts.clear()
    this.accounts.add(account)
  }
}

/** A frame that the module has begun, and the message that its caller has sent. */
export interface AdoptedFrame {
  readonly sent: Sent
  readonly frame: Frame
  /** The length of the journal, and the checkpoint, before it. */
  readonly journalLength: number
  /** The length of the log of what has become warm, at its beginning; `undefined` if that is the present one. */
  readonly mark: number | undefined
  readonly outerEpoch: number
}

/** Calls that the build for coverage makes itself: callees.ts. */
export interface ModuleCalls {
  readonly openFrame: (host: Host, message: EvmCall) => Frame | undefined
  readonly current: () => number
  readonly currentAddress: () => Address
  readonly check: (host: Host, isOwn: boolean) => void
  readonly emit: (host: Host, frame: Frame, log: Operation) => void
  readonly settleLogs: (frame: Frame) => void
  readonly adopt: (host: Host, from: Frame) => readonly AdoptedFrame[]
}

/** The parts of covering.ts that a host needs which records coverage. */
export interface HostCovering {
  readonly callees: ModuleCalls
  readonly reads: ReadLog
  readonly learnCode: (host: Host, address: EvmAddress) => void
  readonly enter: (frame: Frame) => void
  readonly leave: (frame: Frame, reason: number) => void
}

export interface Host extends Tariff {
  readonly core: Core
  /** The address where the next frame begins. */
  top: number
  readonly journal: AccessJournal
  readonly transient: TransientStorage
  readonly gasWatch: GasWatch
  /** The observation of the current execution. */
  observation: Observation | undefined
  /** Tells of steps; only a host for executions whose steps are observed has one. */
  readonly stepper: Stepper | undefined
  /** Tells of the places of steps; only a host for executions of which only these are observed has one. */
  readonly noter: Noter | undefined
  /** Records coverage; only a host for executions whose coverage is recorded has one. */
  readonly covering: HostCovering | undefined
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
  readonly environment: () => Environment
  /** The block and transaction whose values are cached in linear memory. */
  cachedFor: Environment | undefined
}

/** Executes an opcode and returns its gas. */
export type Operation = (host: Host, frame: Frame) => number

export function accountAt({ writer }: Host, address: Address): Account {
  return writer.current.get(address) ?? EMPTY_ACCOUNT
}

/** Who pays for a creation that a frame sends: its account, unless a cheatcode has it come from another. */
export function payerOf(host: Host, { address, message }: Frame): Account {
  return accountAt(host, host.evm.payerOf?.(address, message.depth + 1) ?? address)
}

/** Makes an account warm and returns the gas for its access (EIP-2929). */
export function accessAccount({ journal, costs, covering }: Host, address: Address): number {
  if (covering?.reads.isOn === true) covering.reads.accounts.add(address)
  if (!costs.hasAccessLists) return 0
  return journal.warmUp(address) ? costs.coldAccount : costs.warmRead
}

const SELFBALANCE = 0x47

function peekFrom({ core }: Host, { base }: Frame, top: number) {
  return (depth: number): bigint | undefined => {
    const at = top - layout.WORD * depth
    return at < base + layout.STACK ? undefined : readWord(core, at)
  }
}

function tellAccess(
  host: Host,
  { observer }: Observation,
  frame: Frame,
  opcode: number,
  isFailed: boolean,
): void {
  if (!STATE_OPCODES.has(opcode) || !isKnownOpcode(host, opcode)) return
  const first = readNumber(host.core, frame.base + layout.OPERAND)
  // SELFBALANCE has no operand; OPERAND is the place of its result, if it has one.
  const top = opcode === SELFBALANCE && !isFailed ? first - layout.WORD : first
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
    opcode,
    address,
    isStatic: message.isStatic,
    returnDataSize: returnData.length,
    gas: SENDERS.has(opcode)
      ? (core.doubles[(base + layout.MESSAGE_GAS) >>> 3] as number)
      : (stepper?.last.gas ?? gas),
    stackSize: (top + layout.WORD - base - layout.STACK) / layout.WORD,
    peek: peekFrom(host, frame, top),
    memorySize: stepper?.last.memorySize ?? readNumber(core, base + layout.MEMORY_SIZE),
    cost: observation.failedCost,
    access: observation.access,
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
    tellAccess(host, observation, frame, opcode, isEnd)
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
