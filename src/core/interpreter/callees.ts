// The JavaScript side of assembly/calls.ts: calls that the build for coverage makes itself, without JavaScript. It knows
// some codes by the addresses that have them, and asks once in a transaction whether an account still has its code and is
// warm. Frames that it has begun, and that need more than that, become frames of JavaScript.

import type { Log } from '@ethereumjs/evm'
import { type Address, EMPTY_BYTES } from '../primitives/hex.ts'
import { delegateOf } from '../state/world-state.ts'
import { type Core, copyBytes, readAddress, readEvmAddress, writeAddress } from './core.ts'
import type { EvmAddress } from './evm-address.ts'
import * as frames from './frame.ts'
import { operandAt } from './frame.ts'
import { type AdoptedFrame, accountAt, type Host, type ModuleCalls, type Operation } from './host.ts'
import * as layout from './layout.ts'
import type { EvmCall, Message } from './message.ts'
import { type CallOpcode, callMessageOf } from './messages.ts'

// Offsets as in assembly/calls.ts, in numbers of four bytes.
const IS_ON = 0
const COUNT = 1
const CURRENT = 2
const HAS_SUCCEEDED = 4
const ASKED = 5
const STAMP = 6
const FEES = 7
const MAX_DEPTH = 10
const LOGS = 11
const WARMED = 12
const CALLEE_NUMBERS = 16
const IS_GONE = 5
const CODE = 8
const CODE_LENGTH = 9
const TARGETS = 10
const PLACE = 11
const CHECKED = 12
const EXTRA = 13
const MOST_CALLEES = 64
/** Bytes for codes. */
const ROOM = 1 << 18
const CALL: CallOpcode = 0xf1
const DELEGATECALL: CallOpcode = 0xf4
const STATICCALL: CallOpcode = 0xfa

interface Callee extends frames.PlacedCode {
  readonly address: EvmAddress
  readonly code: Uint8Array
}

export class Callees implements ModuleCalls {
  private readonly core: Core
  private readonly stateAt: number
  private readonly calleesAt: number
  private readonly codesAt: number
  /** The accounts that were called; `undefined` if the module does not make calls of one. */
  private readonly known = new Map<Address, Callee | undefined>()
  private readonly callees: Callee[] = []
  private end = 0
  private isAllowed = false
  /** Logs of frames of the module that are not over, or whose caller has not taken them. */
  private logs: Log[] = []
  /** For each account that has become warm in a frame of the module, the mark of the journal before. */
  private readonly warmings: number[] = []

  constructor(core: Core) {
    this.core = core
    this.stateAt = core.exports.calls.value >>> 2
    this.calleesAt = core.exports.callees.value >>> 2
    this.codesAt = core.exports.codes.value
  }

  private get(index: number): number {
    return this.core.numbers[this.stateAt + index] as number
  }

  private set(index: number, value: number): void {
    this.core.numbers[this.stateAt + index] = value
  }

  /** Lets the module make calls, under the rules of a host. */
  allow({ costs }: Host): void {
    this.isAllowed = costs.hasAccessLists
    this.use(true)
    for (const [index, opcode] of ([CALL, DELEGATECALL, STATICCALL] as const).entries())
      this.set(FEES + index, costs.callFee[opcode] + costs.warmRead)
    this.set(MAX_DEPTH, costs.maxCallDepth)
  }

  /** Lets the module make calls from now on, to which nobody can listen, or not. */
  use(isOn: boolean): void {
    this.set(IS_ON, isOn && this.isAllowed ? 1 : 0)
  }

  /** An opcode LOG of the current frame. */
  emit(host: Host, frame: frames.Frame, log: Operation): void {
    const { core, logs } = this
    const base = this.current()
    // Others are of frames that have failed.
    logs.length = this.get(LOGS)
    log(host, { ...frame, base, account: readEvmAddress(core, base + layout.ADDRESS), logs })
    this.set(LOGS, logs.length)
  }

  /** Gives some of the logs to their frame, one of JavaScript. */
  private giveLogs(frame: frames.Frame, from = 0, until = this.get(LOGS)): void {
    if (until > from) frame.logs = frame.logs.concat(this.logs.slice(from, until))
  }

  /** Gives all logs to a frame of JavaScript. */
  settleLogs(frame: frames.Frame): void {
    if (this.get(LOGS) === 0) return
    this.giveLogs(frame)
    this.set(LOGS, 0)
  }

  /** A transaction begins. */
  begin(): void {
    this.set(HAS_SUCCEEDED, 0)
    this.set(LOGS, 0)
    this.set(WARMED, 0)
    this.warmings.length = 0
    this.forgetChecks()
  }

  /** Has accounts checked again: a transaction begins, or an account is cold again. */
  forgetChecks(): void {
    this.set(STAMP, this.get(STAMP) + 1)
  }

  /** True if a frame of the module has succeeded since the last time. */
  takeSuccess(): boolean {
    if (this.get(HAS_SUCCEEDED) === 0) return false
    this.set(HAS_SUCCEEDED, 0)
    return true
  }

  /** The start of the frame that runs. */
  current(): number {
    return this.get(CURRENT)
  }

  /** Learns the code of an account that is called, if there is room. `placeOf` is of the map of edges. */
  learn(host: Host, address: EvmAddress, placeOf: (code: Uint8Array) => number): void {
    if (this.known.has(address.hex) || this.callees.length === MOST_CALLEES) return
    this.known.set(address.hex, undefined)
    const { core } = this
    const { bytes: code } = accountAt(host, address.hex).code
    const targetsAt = this.codesAt + this.end + ((code.length + layout.PADDING + 7) & -8)
    const end = targetsAt - this.codesAt + (code.length >>> 3) + 1
    const isPlain = code.length > 0 && delegateOf(code) === undefined
    if (!isPlain || host.evm.precompiles.has(address.bare) || end > ROOM) return
    const codeAt = this.codesAt + this.end
    this.end = (end + 7) & -8
    core.bytes.set(code, codeAt)
    frames.analyzed(core, code, codeAt, targetsAt)
    const at = this.calleesAt + this.callees.length * CALLEE_NUMBERS
    writeAddress(core, at << 2, address)
    core.numbers[at + CODE] = codeAt
    core.numbers[at + CODE_LENGTH] = code.length
    core.numbers[at + TARGETS] = targetsAt
    core.numbers[at + PLACE] = placeOf(code)
    core.numbers[at + CHECKED] = 0
    core.numbers[at + EXTRA] = 0
    const callee = { address, code, codeAt, targetsAt }
    this.known.set(address.hex, callee)
    this.callees.push(callee)
    this.set(COUNT, this.callees.length)
  }

  /** A frame for a message of a transaction to code that the module has; `undefined` if it does not have that. */
  openFrame(host: Host, message: EvmCall): frames.Frame | undefined {
    if (this.get(IS_ON) === 0) return undefined
    const callee = this.known.get(message.to.hex)
    if (callee === undefined) return undefined
    const { code, storage } = accountAt(host, message.to.hex)
    if (code.bytes !== callee.code) return undefined
    host.journal.slots.check(message.to.hex, storage)
    return frames.openFrame(this.core, host.top, message, callee.code, callee)
  }

  /** Checks the account that the module asks for. `isOwn` is true if a frame of JavaScript calls it. */
  check(host: Host, isOwn: boolean): void {
    const { core } = this
    const number = this.get(ASKED)
    const { address, code } = this.callees[number - 1] as Callee
    const at = this.calleesAt + (number - 1) * CALLEE_NUMBERS
    const { journal, costs } = host
    const account = accountAt(host, address.hex)
    if (account.code.bytes !== code) {
      core.numbers[at + IS_GONE] = 1
      return
    }
    journal.slots.check(address.hex, account.storage)
    const isWarm = journal.isWarm(address.hex)
    if (!isWarm && !isOwn) this.set(WARMED, this.warmings.push(journal.mark))
    if (!isWarm) journal.warmUp(address.hex)
    core.numbers[at + EXTRA] = isWarm ? 0 : costs.coldAccount - costs.warmRead
    core.numbers[at + CHECKED] = this.get(STAMP)
    const reads = host.covering?.reads
    if (reads?.isOn === true) reads.accounts.add(address.hex)
  }

  /** The frames of the module from one of JavaScript on, up to the current one. The module ends them no more. */
  adopt(host: Host, from: frames.Frame): AdoptedFrame[] {
    const { numbers } = this.core
    const starts: number[] = []
    for (let at = this.current(); at !== from.base; at = numbers[(at + layout.PARENT) >>> 2] as number)
      starts.push(at)
    const adopted: AdoptedFrame[] = []
    // Of an earlier call. The module has cleared it in its own memory.
    if (starts.length > 0) from.returnData = EMPTY_BYTES
    let caller = from
    let given = 0
    for (const base of starts.reverse()) {
      const next = this.adoptOne(host, caller, base)
      adopted.push(next)
      const before = numbers[(base + layout.LOGS_BEFORE) >>> 2] as number
      this.giveLogs(caller, given, before)
      given = before
      caller = next.frame
    }
    this.giveLogs(caller, given)
    this.set(LOGS, 0)
    return adopted
  }

  private adoptOne(host: Host, caller: frames.Frame, base: number): AdoptedFrame {
    const { core } = this
    const { numbers, doubles, bytes } = core
    const at = base >>> 2
    const opcode = bytes[(numbers[(caller.base + layout.PROGRAM_COUNTER) >>> 2] as number) - 1] as CallOpcode
    const { address: target, code } = this.callees[(numbers[at + layout.CALLEE / 4] as number) - 1] as Callee
    const data = copyBytes(
      core,
      numbers[at + layout.CALLDATA / 4] as number,
      numbers[at + layout.CALLDATA_LENGTH / 4] as number,
    )
    const gas = doubles[(base + layout.LIMIT) >>> 3] as number
    const message: Message = callMessageOf(caller, opcode, target, 0n, data, BigInt(gas))
    message.code = code
    message.inherit(caller, host.costs.tracksCreations, frames.refundOf(core, caller))
    const rest = opcode === CALL ? 3 : 2
    const output = [operandAt(core, caller, rest + 2), operandAt(core, caller, rest + 3)] as const
    numbers[at + layout.PARENT / 4] = 0
    return {
      sent: { message, stipend: 0, place: frames.resultAt(core, caller), output },
      frame: frames.frameAt(base, message, code, gas, 0n),
      journalLength: numbers[at + layout.CHECKPOINT / 4] as number,
      outerEpoch: numbers[at + layout.OUTER_EPOCH / 4] as number,
      mark: this.warmings[numbers[at + layout.WARMED_BEFORE / 4] as number],
    }
  }

  /** The address of the account whose storage the current frame uses. */
  currentAddress(): Address {
    return readAddress(this.core, this.current() + layout.ADDRESS)
  }
}
