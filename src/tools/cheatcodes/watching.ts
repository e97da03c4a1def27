// What an execution is watched for. The interpreter tells only what it is asked for at the start, so an execution with a
// cheatcode that needs more is repeated: executions are deterministic. And the slots of mappings.

import type { EvmMessage, EvmResult } from '../../core/execution/evm/covered-evm.ts'
import type { ObservedStep, Observer } from '../../core/execution/trace/observer.ts'
import { create2Address, createAddress, keccak256, toChecksumAddress } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { hasCode, readAccount, readStorage } from '../../core/state/world-state.ts'
import type { CheatRun, CheatState, MadeUp, Mappings } from './cheat-state.ts'
import { cheatcodeError, refuseWith } from './errors.ts'
import { MemoryGuard } from './memory-guard.ts'
import { randomWord } from './random.ts'
import { AccessRecorder } from './recorder.ts'

const KECCAK256 = 0x20
const SSTORE = 0x55
const KEY_AND_SLOT = 64

/** Recordings that can be continued while these stay. */
function copyMappings(mappings: Mappings): Mappings {
  const copies = [...mappings].map(([address, { hashes, written }]) => {
    return [address, { hashes: new Map(hashes), written: new Map(written) }] as const
  })
  return new Map(copies)
}

function noteMapping(mappings: Mappings, { opcode, address, peek, memory }: ObservedStep): void {
  if (opcode === KECCAK256 && peek(1) === BigInt(KEY_AND_SLOT)) {
    const own = mappings.get(address) ?? { hashes: new Map(), written: new Map() }
    mappings.set(address, own)
    const at = Number(peek(0))
    const data = memory(at, at + KEY_AND_SLOT)
    const [key, parent] = [hex.bytesToHex(data.subarray(0, 32)), hex.bytesToHex(data.subarray(32))]
    const slot = hex.bytesToHex(keccak256(data))
    own.hashes.set(slot, { slot, parent, key })
  }
  const own = opcode === SSTORE ? mappings.get(address) : undefined
  if (own === undefined) return
  // The slot of a mapping may be one of another mapping.
  let mapped = own.hashes.get(hex.toWord(peek(0) ?? 0n))
  while (mapped !== undefined && !own.written.has(mapped.slot)) {
    own.written.set(mapped.slot, mapped)
    mapped = own.hashes.get(mapped.parent)
  }
}

/** What is told of an execution: all its messages, accesses to accounts and storage as well, or each step as well. */
const LEVELS = ['nothing', 'messages', 'accesses', 'steps'] as const
export type WatchLevel = (typeof LEVELS)[number]

/** `DebugStep` of forge-std. */
type DebugStep = [stack: bigint[], string, bigint, depth: bigint, isOutOfGas: boolean, hex.Address]

const MESSAGE_KINDS = { 241: 'call', 242: 'callCode', 244: 'delegateCall', 250: 'staticCall' } as const

function isBelow(level: WatchLevel, other: WatchLevel): boolean {
  return LEVELS.indexOf(level) < LEVELS.indexOf(other)
}

/** Where a contract is that the active fork does not have, in forge's words. */
function absenceOf({ cheats, writer }: CheatRun, address: hex.Address): string | undefined {
  const { forks, activeFork, persistent } = cheats
  if (hasCode(writer.current, address)) return undefined
  const others = forks.flatMap(({ state }, id) =>
    BigInt(id) !== activeFork && hasCode(state, address) ? [id] : [],
  )
  const missing = `Contract ${toChecksumAddress(address)} does not exist`
  if (others.length > 0) {
    const elsewhere = `But exists on non active forks: \`[${others.join(', ')}]\``
    return `${missing} on active fork with id \`${activeFork}\`\n        ${elsewhere}`
  }
  if (persistent.has(address)) return missing
  return `${missing} and is not marked as persistent, see \`vm.makePersistent()\``
}

/** Calls to contracts that the active fork lacks. As in forge, the next frame that reverts says so. */
class AbsentContracts {
  private absence: string | undefined

  /** A message has ended, of the test's own. */
  exit(run: CheatRun, { to, depth }: EvmMessage, { execResult }: EvmResult): void {
    const { forks, activeFork } = run.cheats
    if (activeFork === undefined || forks.length < 2) return
    const { exceptionError, returnValue } = execResult
    if (exceptionError === undefined) {
      const isOther = depth > 0 && to !== undefined && to.hex !== run.open[0]?.to?.hex
      if (isOther && returnValue.length === 0) this.absence = absenceOf(run, to.hex)
    } else if (this.absence !== undefined && exceptionError.error === 'revert') {
      execResult.returnValue = cheatcodeError(this.absence)
      this.absence = undefined
    }
  }
}

export class Watching {
  private readonly run: CheatRun
  readonly recorder = new AccessRecorder()
  memory = new MemoryGuard()
  level: WatchLevel = 'nothing'
  /** What a cheatcode of it needs. */
  wanted: WatchLevel = 'nothing'
  private absent = new AbsentContracts()
  /** Steps that are recorded; absent while none are. */
  steps: DebugStep[] | undefined

  constructor(run: CheatRun) {
    this.run = run
  }

  /** What a call has to be watched for from its start, for what earlier calls have begun. */
  static before({ recording, mappings, arbitrary, setting, activeFork }: CheatState): WatchLevel {
    if (mappings !== undefined) return 'steps'
    const needsAccesses = recording !== undefined || activeFork !== undefined || arbitrary.size > 0
    return needsAccesses || setting.isIsolated ? 'accesses' : 'nothing'
  }

  begin(): void {
    const { cheats } = this.run
    this.wanted = 'nothing'
    this.steps = undefined
    this.memory = new MemoryGuard()
    this.absent = new AbsentContracts()
    this.recorder.begin(cheats.recording)
    if (cheats.mappings !== undefined) this.run.change({ mappings: copyMappings(cheats.mappings) })
  }

  end(): void {
    const { run, recorder } = this
    if (recorder.recording !== undefined) run.change({ recording: recorder.recording })
  }

  get isCalm(): boolean {
    return this.level === 'nothing' && !this.run.gas.isPaused && this.run.cheats.blobHashes === undefined
  }

  /** Refuses a cheatcode that needs more than is told. */
  need(level: WatchLevel): void {
    if (isBelow(this.wanted, level)) this.wanted = level
    if (isBelow(this.level, level)) refuseWith(`the execution is repeated, watched for ${level}`)
  }

  /** True if the execution has to be repeated. */
  get isTooLittle(): boolean {
    return isBelow(this.level, this.wanted)
  }

  get observer(): Observer | undefined {
    const access: Observer['access'] = (at) => {
      const account = this.recorder.isOn ? this.recorder.touch(this.recorded, at, this.depth) : undefined
      if (account !== undefined) this.run.evm.access.warmUp(account)
    }
    if (this.level === 'accesses') return { access }
    return this.level === 'steps' ? { access, step: (step) => this.step(step) } : undefined
  }

  private get depth(): number {
    return this.run.open.length - 1
  }

  private get recorded() {
    return { state: this.run.writer.current, chainId: this.run.chainId }
  }

  private step(step: ObservedStep): void {
    const { run, steps, memory } = this
    if (run.isInternal) return
    if (steps !== undefined) {
      const { opcode, depth, address } = step
      steps.push([
        Array.from({ length: run.covered.operandsOf(opcode)[0] }, (_, at) => step.peek(at) ?? 0n),
        memory.inputOf(step),
        BigInt(opcode),
        BigInt(depth + 1),
        false,
        address,
      ])
    }
    if (run.cheats.mappings !== undefined) noteMapping(run.cheats.mappings, step)
    const broken = memory.check(step)
    if (broken !== undefined)
      run.breakFrame({ returnData: hex.utf8ToBytes(broken), gasLeft: BigInt(step.gas) })
  }

  enter(message: EvmMessage): void {
    const { run, recorder } = this
    const { caller, salt, data, depth, to } = message
    if (to !== undefined ? !recorder.isOn : depth === 0) return
    if (to !== undefined) {
      const opcode = (depth > 0 && run.evm.observed.current?.messageOpcode) as keyof typeof MESSAGE_KINDS
      recorder.enter(this.recorded, message, undefined, MESSAGE_KINDS[opcode] ?? 'call')
      return
    }
    const { nonce } = readAccount(run.writer.current, hex.bytesToHex(caller.bytes))
    const created =
      salt === undefined ? createAddress(caller.bytes, nonce - 1n) : create2Address(caller.bytes, salt, data)
    // Empty code is a STOP.
    if (data.length === 0) this.steps?.push([[], '0x', 0n, BigInt(depth + 1), false, hex.bytesToHex(created)])
    if (recorder.isOn) recorder.enter(this.recorded, message, hex.bytesToHex(created), 'create')
  }

  /** A message has ended, of itself with an error or without; the result may be another one. */
  exit(message: EvmMessage, result: EvmResult, error: EvmResult['execResult']['exceptionError']): void {
    const { depth, to } = message
    this.absent.exit(this.run, message, result)
    const last = this.steps?.at(-1)
    const isOutOfGas = error?.error === 'out of gas'
    if (isOutOfGas && last?.[3] === BigInt(depth + 1)) last[4] = true
    const isExpected = error !== undefined && result.execResult.exceptionError === undefined
    if (this.recorder.isOn) this.recorder.exit(this.recorded, depth - 1, result, isExpected)
    const made = to && this.run.cheats.arbitrary.get(to.hex)
    const isLookedAt = this.recorder.isOn || (made !== undefined && made.from === undefined)
    if (to !== undefined && isLookedAt) this.run.evm.access.warmUp(to.hex)
  }

  /** An access to storage, before it. What forge looks at in this way is warm when the opcode pays for it. */
  slot(address: hex.Address, slot: hex.Hash, next: Uint8Array | undefined): void {
    const { run, recorder } = this
    const made = run.cheats.arbitrary.get(address)
    if (made?.known.has(slot) === false) this.makeUp(made, address, slot, next)
    const isRecorded =
      recorder.isOn && !run.isInternal && recorder.slot(this.recorded, address, slot, next, this.depth)
    if (isRecorded || (run.cheats.arbitrary.size > 0 && next === undefined))
      run.evm.access.warmUpSlot(address, slot)
  }

  /** Gives a slot a value when it is read first, unless it is written before. */
  private makeUp(made: MadeUp, address: hex.Address, slot: hex.Hash, next?: Uint8Array): void {
    const { run } = this
    // As in forge, a write counts for nothing where all slots are made up.
    if (next !== undefined && made.isAll) return
    run.change({
      arbitrary: new Map(run.cheats.arbitrary).set(address, {
        ...made,
        known: new Set([...made.known, slot]),
      }),
    })
    const { writer, evm } = run
    if (next !== undefined) return
    const isUsed =
      evm.access.isWarmSlot(address, slot) || readStorage(writer.current, address, slot).length > 0
    if (!made.isAll && isUsed) return
    const source = made.from === undefined ? undefined : run.cheats.arbitrary.get(made.from)
    if (source !== undefined && !source.known.has(slot)) this.makeUp(source, made.from as hex.Address, slot)
    const value =
      made.from === undefined
        ? hex.stripLeadingZeros(hex.hexToBytes(hex.toWord(randomWord(run))))
        : readStorage(writer.current, made.from, slot)
    writer.writeSlot(address, slot, value)
  }
}
