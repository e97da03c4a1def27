// An execution with cheatcodes: watches messages begin and end, and changes them. Its EVM records coverage.

import type * as coveredEvm from '../../core/execution/evm/covered-evm.ts'
import { CHEATCODES } from '../../core/execution/evm/pooled-evm.ts'
import { failure } from '../../core/primitives/errors.ts'
import { type Address, bytesToHex, EMPTY_BYTES, equalBytes } from '../../core/primitives/hex.ts'
import { andThen, isPromise, type Later } from '../../core/primitives/loading.ts'
import type { BlockEnvironment } from '../../core/rollup/header.ts'
import type { StateWriter, WorldState } from '../../core/state/world-state.ts'
import { isForTest, isNotedAsFailed, MOCKED } from './addresses.ts'
import { CallMeter, NO_REFUND, settleRefund } from './call-meter.ts'
import type { BrokenFrame, CheatRun, CheatSnapshot, CheatState, World } from './cheat-state.ts'
import { exactBlock, givenBlockHashes, NO_CHEATS, NO_MOCKS } from './cheat-state.ts'
import { beginForTest, type TestLog } from './console.ts'
import { Attachments, Creations, LastingChanges } from './creations.ts'
import { ASSUMPTION, CheatcodeRefusal, cheatcodeError } from './errors.ts'
import { Expectations } from './expectations.ts'
import { Isolation } from './isolation.ts'
import { isMocked, Mocking } from './mocking.ts'
import { applyPrank, endPrank, prankedPayer, refuseCreation } from './pranks.ts'
import { NO_SETTING } from './setting.ts'
import { endBroken, endCheatcode, endExpectations } from './verdicts.ts'
import { EvmVersions } from './versions.ts'
import { Watching } from './watching.ts'

/** The block and the state of cheatcodes, which outlive a call. */
export interface Cheated {
  readonly environment: BlockEnvironment
  readonly cheats: CheatState
}

export interface FailedTest {
  readonly reason: string
  /** The branch that was taken last before it; absent for the note of DSTest. */
  readonly place?: number
}

const NOT_BEGUN: Cheated = { environment: undefined as never, cheats: NO_CHEATS }
export class CheatExecution implements CheatRun {
  readonly evm: coveredEvm.WasmEvm
  readonly writer: StateWriter
  readonly covering: coveredEvm.Covering
  readonly covered: coveredEvm.CoveredEvm
  private before: Cheated = NOT_BEGUN
  environment: BlockEnvironment = NOT_BEGUN.environment
  /** The state and the block before the execution. */
  start!: World
  cheats: CheatState = NO_CHEATS
  expected!: Expectations
  /** By their numbers; they end with the transaction. */
  snapshots: (CheatSnapshot | undefined)[] = []
  mocking!: Mocking
  /** Why the innermost frame fails. */
  private broken: BrokenFrame | undefined
  /** Accounts that the cheatcode which runs makes warm, even if it is refused. */
  loaded: readonly Address[] = []
  /** The values of before the transaction of slots that are cold again, by account and slot. */
  readonly cooled = new Map<string, Uint8Array>()
  /** True if a message of the cheatcodes' own runs. */
  isInternal = false
  /** The name of a cheatcode that was called and is not there. */
  missing: string | undefined
  /** True if the test was noted as failed before a snapshot was reverted to. */
  hasFailed = false
  /** The last failed assertion of vm, with its return data. */
  private asserted: (FailedTest & { readonly returnData: Uint8Array }) | undefined
  /** Logs of a test in their order, those of a frame that fails as well. */
  told: TestLog[] = []
  /** Messages that have begun; while a cheatcode runs, the last one is that to it. */
  readonly open: coveredEvm.EvmMessage[] = []
  private readonly versions: EvmVersions
  gas!: CallMeter
  readonly watching: Watching
  isolation!: Isolation
  creations!: Creations
  attached!: Attachments
  lasting!: LastingChanges

  constructor(
    covered: coveredEvm.CoveredEvm,
    run: (execution: CheatExecution, data: Uint8Array) => Later<Uint8Array>,
  ) {
    const { evm, instance, covering } = covered
    this.covered = covered
    this.evm = evm
    this.writer = instance.writer
    this.covering = covering
    this.watching = new Watching(this)
    this.versions = new EvmVersions(evm)
    evm.precompiles.set(CHEATCODES.slice(2), ({ data }) => this.call(() => run(this, data)))
    evm.precompiles.set(MOCKED.slice(2), () => this.mocking.take(covered))
    evm.payerOf = (account, depth) => prankedPayer(this, account, depth)
    evm.onRefusedCreation = (account, depth) =>
      this.creations.isIntercepted || refuseCreation(this, account, depth)
    evm.onLog = (emitter, topics, data) => this.noteLog(emitter, topics, data)
    evm.onSlot = (address, slot, next) => {
      this.watching.slot(address, slot, next)
      if (!this.cheats.recordsAccesses || this.isInternal) return
      this.change({ accesses: [...this.cheats.accesses, { address, slot, isWrite: next !== undefined }] })
    }
    covering.reads.tellers.add(CHEATCODES.slice(2))
    evm.events.on('beforeMessage', (message) => this.beginMessage(message))
    evm.events.on('afterMessage', (result) => this.endMessage(result))
  }

  begin(before: Cheated): void {
    this.before = before
    this.environment = before.environment
    this.start = { state: this.writer.current, environment: before.environment }
    this.cheats = before.cheats
    this.expected = new Expectations(this.cheats.setting)
    this.gas = new CallMeter()
    this.evm.heldGas = undefined
    this.isolation = new Isolation(this)
    this.attached = new Attachments()
    this.creations = new Creations(this.writer)
    this.lasting = new LastingChanges(this.writer)
    this.watching.begin()
    this.snapshots = [...this.cheats.snapshots]
    this.cooled.clear()
    this.mocking = new Mocking()
    this.broken = undefined
    this.isInternal = false
    this.missing = undefined
    this.asserted = undefined
    this.hasFailed = false
    this.open.length = 0
    this.versions.reset()
    this.told = []
    // The outermost message begins here, where it is looked at.
    this.covering.callees.use(false)
    this.evm.access.slots.watchAccesses(this.cheats.recordsAccesses)
  }

  /** Throws `invalidOption` for a cheatcode that is not there. */
  end(): Cheated {
    const { environment, missing } = this
    this.fetchAccesses()
    this.watching.end()
    this.versions.reset()
    const { cheats: before } = this.before
    const isSame = (name: string) =>
      this.cheats[name as keyof CheatState] === before[name as keyof CheatState]
    const cheats = this.cheats === before || Object.keys(before).every(isSame) ? before : this.cheats
    // Tests of a project fail by it alone.
    if (missing === undefined || cheats.setting !== NO_SETTING) return { environment, cheats }
    const reason = `${missing} of Foundry's cheatcodes is not there`
    throw failure('invalidOption', { option: 'test', reason })
  }

  /** The assertion by which an execution has failed; to be asked after `end`. */
  failedTest(hasFailed: boolean, returnData: Uint8Array, after: WorldState): FailedTest | undefined {
    const { asserted } = this
    if (hasFailed) return asserted && equalBytes(returnData, asserted.returnData) ? asserted : undefined
    return this.hasFailed || isNotedAsFailed(after) ? { reason: 'assertion failed' } : undefined
  }

  /** Changes a copy that the execution has for itself: one for each change would take longer than most cheatcodes. */
  change(changes: Partial<CheatState>): void {
    if (this.cheats === this.before.cheats) this.cheats = { ...this.cheats }
    Object.assign(this.cheats, changes)
  }

  /** Takes over the accesses that the module has noted. */
  fetchAccesses(): void {
    if (!this.cheats.recordsAccesses) return
    const taken = this.evm.access.slots.takeAccesses()
    if (taken.length > 0) this.change({ accesses: [...this.cheats.accesses, ...taken] })
  }

  /** The innermost message: that to a cheatcode which runs. */
  get message(): coveredEvm.EvmMessage {
    return this.open.at(-1) as coveredEvm.EvmMessage
  }

  /** The frame that calls a cheatcode; of a cheatcode that is called by itself, its message. */
  get sender(): coveredEvm.EvmMessage {
    return this.open.at(-2) ?? this.message
  }

  get chainId(): bigint {
    return this.cheats.chainId ?? this.evm.common.chainId()
  }

  /** Notes a call that a script would send, with what is attached. */
  noteBroadcast({ to, value, data, caller }: coveredEvm.EvmMessage): void {
    const refusal = this.attached.refusalOf(to !== undefined)
    if (refusal !== undefined) this.mocking.answer({ isRevert: true, output: cheatcodeError(refusal) })
    const call = { from: bytesToHex(caller.bytes), to: to?.hex, value, data: bytesToHex(data) }
    this.change({ broadcasts: [...this.cheats.broadcasts, call] })
  }

  moveTo(environment: BlockEnvironment): void {
    this.environment = environment
    this.evm.changeEnvironment({ block: exactBlock(this.environment, this.cheats) })
  }

  private call(run: () => Later<Uint8Array>): Later<coveredEvm.CodeResult> {
    // By DELEGATECALL it is the code of the address that runs, which does nothing.
    if (this.message.to?.hex !== CHEATCODES) return { executionGasUsed: 0n, returnValue: EMPTY_BYTES }
    const refused = (error: unknown) => {
      if (!(error instanceof CheatcodeRefusal)) throw error
      return this.covered.reverted(this.returnDataOf(error))
    }
    try {
      const result = andThen(run(), (returnValue) => ({
        executionGasUsed: this.gas.takeCost(),
        returnValue,
      }))
      return isPromise(result) ? result.catch(refused) : result
    } catch (error) {
      return refused(error)
    }
  }

  private returnDataOf({ kind, reason, data }: CheatcodeRefusal): Uint8Array {
    if (data !== undefined) return data
    const returnData = kind === 'assumption' ? ASSUMPTION : cheatcodeError(reason)
    if (kind === 'assertion') this.asserted = { reason, returnData, place: this.covering.last() }
    return returnData
  }

  setBlockHashes(): void {
    this.covered.replaceBlockHashes(givenBlockHashes(this.cheats))
  }

  /** Ends the frame that runs, as if it had reverted for a reason. */
  breakFrame(broken: BrokenFrame): never {
    this.broken = broken
    throw this.covered.reverted(EMPTY_BYTES).exceptionError
  }

  /** Notes an event that code emits. */
  private noteLog(emitter: Address, topics: readonly Uint8Array[], data: Uint8Array): void {
    const { expected } = this
    const { logs } = this.cheats
    const isTold = topics.length === 1 && this.cheats.setting !== NO_SETTING
    if (logs === undefined && !expected.waitsFor('emits') && !isTold) return
    const log = { emitter, topics, data: data.slice() }
    if (isTold) this.told.push(log)
    if (logs !== undefined) this.change({ logs: [...logs, log] })
    if (!expected.waitsFor('emits')) return
    const broken = expected.noteLog(log)
    if (broken !== undefined) this.breakFrame({ returnData: cheatcodeError(broken) })
  }

  /** Lets the module make calls of this depth itself where nothing would be done with them. */
  private allowCalls(depth: number): void {
    const { pranks, mocks } = this.cheats
    const isCalm =
      this.expected.areNone &&
      this.watching.isCalm &&
      mocks === NO_MOCKS &&
      this.cheats.evmVersion === undefined &&
      this.cheats.accessList === NO_CHEATS.accessList &&
      pranks.every((prank) => prank.origin === undefined && prank.depth < depth)
    this.covering.callees.use(isCalm)
  }

  private beginMessage(message: coveredEvm.EvmMessage): void {
    this.open.push(message)
    this.versions.enter(this.cheats.evmVersion)
    this.gas.enter(this.evm.gasOfSender())
    this.lasting.enter()
    if (isForTest(message)) beginForTest(message, this.mocking, this.told)
    else if (!this.isInternal) this.beginOwn(message)
    if (!this.isInternal) this.isolation.enter(message)
  }

  private beginOwn(message: coveredEvm.EvmMessage): void {
    const { depth } = message
    if (depth === 0) {
      message.gasRefund = NO_REFUND
      this.setTransaction()
      this.setBlockHashes()
    }
    message.blobVersionedHashes = this.cheats.blobHashes ?? message.blobVersionedHashes
    this.expected.noteMessage(depth)
    applyPrank(this, message)
    if (message.to === undefined) {
      const { pranks, setting } = this.cheats
      this.creations.change(message, pranks, setting.usesCreate2Factory)
    }
    if (message.to !== undefined) this.mocking.replaceCode(this, message)
    // As in forge, a mocked call is no access, but ends as one.
    if (!isMocked(message)) this.watching.enter(message)
    this.allowCalls(depth + 1)
  }

  setTransaction(): void {
    const { chainId, gasPrice, exact } = this.cheats
    if (exact !== NO_CHEATS.exact) this.moveTo(this.environment)
    const given = Object.entries({ chainId, gasPrice }).filter(([, value]) => value !== undefined)
    if (given.length > 0) this.evm.changeEnvironment(Object.fromEntries(given))
  }

  private endMessage(result: coveredEvm.EvmResult): void {
    const message = this.open.pop() as coveredEvm.EvmMessage
    this.versions.exit()
    if (this.broken !== undefined) endBroken(this.covered, result, this.broken)
    this.broken = undefined
    if (!this.isInternal && message.to?.hex !== CHEATCODES) this.isolation.exit(message, result)
    this.gas.exit(message, result, isForTest(message))
    this.lasting.exit(result.execResult.exceptionError !== undefined)
    if (this.isInternal) return
    if (isForTest(message)) {
      for (const address of this.loaded) this.evm.access.warmUp(address)
      this.loaded = []
      this.creations.raiseNonce()
      endCheatcode(this, message, result)
    } else {
      this.creations.end(message, result, this.expected)
      endPrank(this, message.depth)
      const { exceptionError } = result.execResult
      if (endExpectations(this, message, result)) this.gas.forgetLast()
      this.watching.exit(message, result, exceptionError)
    }
    if (message.depth === 0) settleRefund(result.execResult)
    this.allowCalls(message.depth)
  }
}
