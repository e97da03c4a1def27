// An execution in which cheatcodes may be called: it watches messages begin and end, and changes them by what cheatcodes
// have asked for. For EVMs that record coverage alone.

import { CHEATCODES } from '../../core/execution/evm/console-calls.ts'
import {
  type CodeResult,
  type CoveredEvm,
  type Covering,
  type EvmMessage,
  type EvmResult,
  toEvmAddress,
  type WasmEvm,
  type WrittenSlot,
} from '../../core/execution/evm/covered-evm.ts'
import type { BlockEnvironment } from '../../core/execution/evm/environment.ts'
import { toEvmBlock } from '../../core/execution/evm/evm-block.ts'
import { failure } from '../../core/primitives/errors.ts'
import { type Address, bytesToHex, EMPTY_BYTES, equalBytes } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/later.ts'
import type { StateWriter } from '../../core/state/state-writer.ts'
import type { WorldState } from '../../core/state/world-state.ts'
import { ACCESSOR, accessNative, isForTest, isNotedAsFailed, MOCKED } from './addresses.ts'
import {
  type CheatState,
  type MockedResult,
  mockedResult,
  mockedTarget,
  NO_CHEATS,
  NO_MOCKS,
} from './cheat-state.ts'
import { ASSUMPTION, CheatcodeRefusal, cheatcodeError } from './errors.ts'
import { Expectations, type MessageVerdict } from './expectations.ts'
import { applyPrank, endPrank, prankedPayer, refuseCreation } from './pranks.ts'

/** The block and the state of cheatcodes, which outlive a call. */
export interface Cheated {
  readonly environment: BlockEnvironment
  readonly cheats: CheatState
}

/** An assertion of a test that has failed. */
export interface FailedTest {
  readonly reason: string
  /** The branch that was taken last before it; absent for the note of DSTest. */
  readonly place?: number
}

/** The state in the middle of an execution. Slots that code has written are in the module until the execution ends. */
export interface CheatSnapshot {
  readonly state: WorldState
  readonly written: readonly WrittenSlot[]
  readonly environment: BlockEnvironment
  readonly chainId: bigint | undefined
}

const NOT_BEGUN: Cheated = { environment: undefined as never, cheats: NO_CHEATS }
/** For the code of `ACCESSOR`. */
const ENOUGH_GAS = 100_000n
/** Output of a call that reverts as expected: enough for any type. */
const EXPECTED_OUTPUT_BYTES = 8192
/** Address of a creation that reverts as expected. */
const NO_CONTRACT = toEvmAddress('0x0000000000000000000000000000000000000001')

export class CheatExecution {
  readonly evm: WasmEvm
  readonly writer: StateWriter
  readonly covering: Covering
  private readonly covered: CoveredEvm
  private before: Cheated = NOT_BEGUN
  environment: BlockEnvironment = NOT_BEGUN.environment
  cheats: CheatState = NO_CHEATS
  readonly expected = new Expectations()
  /** By their numbers; they end with the transaction. */
  readonly snapshots: (CheatSnapshot | undefined)[] = []
  /** Result of the message that begins, whose code does not run. */
  private mocked: MockedResult | undefined
  /** Reason for which the frame that has emitted an event fails. */
  private brokenEmit: string | undefined
  /** True if a message of the cheatcodes' own runs. */
  private isInternal = false
  /** The name of a cheatcode that was called and is not there. */
  missing: string | undefined
  /** The last failed assertion of vm, with its return data. */
  private asserted: (FailedTest & { readonly returnData: Uint8Array }) | undefined
  /** Messages that have begun; while a cheatcode runs, the last one is that to it. */
  private readonly open: EvmMessage[] = []

  constructor(covered: CoveredEvm, run: (execution: CheatExecution, data: Uint8Array) => Later<Uint8Array>) {
    const { evm, instance, covering } = covered
    this.covered = covered
    this.evm = evm
    this.writer = instance.writer
    this.covering = covering
    evm.precompiles.set(CHEATCODES.slice(2), ({ data }) => this.call(() => run(this, data)))
    evm.precompiles.set(MOCKED.slice(2), () => this.takeMocked())
    evm.payerOf = (account, depth) => prankedPayer(this, account, depth)
    evm.onRefusedCreation = (account, depth) => refuseCreation(this, account, depth)
    evm.onLog = (emitter, topics, data) => this.noteLog(emitter, topics, data)
    evm.onSlot = (address, slot, isWrite) => {
      if (!this.cheats.recordsAccesses || this.isInternal) return
      this.change({ accesses: [...this.cheats.accesses, { address, slot, isWrite }] })
    }
    covering.reads.tellers.add(CHEATCODES.slice(2))
    evm.events.on('beforeMessage', (message) => this.beginMessage(message))
    evm.events.on('afterMessage', (result) => this.endMessage(result))
  }

  /** Before an execution. */
  begin(before: Cheated): void {
    this.before = before
    this.environment = before.environment
    this.cheats = before.cheats
    this.expected.begin()
    this.snapshots.length = 0
    this.mocked = undefined
    this.brokenEmit = undefined
    this.isInternal = false
    this.missing = undefined
    this.asserted = undefined
    this.open.length = 0
    // The outermost message begins here, where it is looked at.
    this.covering.callees.use(false)
    this.evm.access.slots.watchAccesses(this.cheats.recordsAccesses)
  }

  /** After it. The cheats are the same object as before if nothing changed. Throws `invalidOption` for a cheatcode that is not there. */
  end(): Cheated {
    const { environment, missing } = this
    this.fetchAccesses()
    const { cheats: before } = this.before
    const names = Object.keys(before) as (keyof CheatState)[]
    const cheats = names.every((name) => this.cheats[name] === before[name]) ? before : this.cheats
    if (missing === undefined) return { environment, cheats }
    const reason = `${missing} of Foundry's cheatcodes is not there`
    throw failure('invalidOption', { option: 'test', reason })
  }

  /** The assertion by which an execution has failed; to be asked after `end`. */
  failedTest(hasFailed: boolean, returnData: Uint8Array, after: WorldState): FailedTest | undefined {
    const { asserted } = this
    if (hasFailed) return asserted && equalBytes(returnData, asserted.returnData) ? asserted : undefined
    return isNotedAsFailed(after) ? { reason: 'assertion failed' } : undefined
  }

  change(changes: Partial<CheatState>): void {
    this.cheats = { ...this.cheats, ...changes }
  }

  /** Takes over the accesses that the module has noted. */
  fetchAccesses(): void {
    if (!this.cheats.recordsAccesses) return
    const taken = this.evm.access.slots.takeAccesses()
    if (taken.length > 0) this.change({ accesses: [...this.cheats.accesses, ...taken] })
  }

  /** The innermost message: that to a cheatcode which runs. */
  get message(): EvmMessage {
    return this.open.at(-1) as EvmMessage
  }

  moveTo(environment: BlockEnvironment): void {
    this.environment = environment
    this.evm.changeEnvironment({ block: toEvmBlock(environment) })
  }

  /** Storage is in the module while code runs, so that code reads and writes it: see `ACCESSOR`. */
  accessSlot<Result>(
    address: Address,
    data: Uint8Array,
    use: (returned: Uint8Array) => Result,
  ): Later<Result> {
    const { evm } = this
    const to = toEvmAddress(address)
    if (evm.isNative?.(to.bare) === true) return use(accessNative(this.writer, address, data))
    const message = this.covered.makeMessage({
      ...{ caller: to, to, codeAddress: toEvmAddress(ACCESSOR), delegatecall: true },
      ...{ value: 0n, gasLimit: ENOUGH_GAS, data, depth: this.message.depth + 1 },
    })
    // A slot that has its value of the start again may take gas back that was refunded elsewhere.
    message.gasRefund = ENOUGH_GAS
    this.fetchAccesses()
    this.isInternal = true
    return andThen(evm.runMessage(message), ({ execResult }) => {
      this.isInternal = false
      evm.access.slots.watchAccesses(this.cheats.recordsAccesses)
      return use(execResult.returnValue)
    })
  }

  /** The result of a call to the cheatcodes. */
  private call(run: () => Later<Uint8Array>): Later<CodeResult> {
    // By DELEGATECALL it is the code of the address that runs, which does nothing.
    if (this.message.to?.hex !== CHEATCODES) return { executionGasUsed: 0n, returnValue: EMPTY_BYTES }
    try {
      return andThen(run(), (returnValue) => ({ executionGasUsed: 0n, returnValue }))
    } catch (error) {
      if (!(error instanceof CheatcodeRefusal)) throw error
      const { kind, reason, data } = error
      const returnData = data ?? (kind === 'assumption' ? ASSUMPTION : cheatcodeError(reason))
      if (kind === 'assertion') this.asserted = { reason, returnData, place: this.covering.last() }
      return this.covered.reverted(returnData)
    }
  }

  private takeMocked(): CodeResult {
    const { isRevert, output } = this.mocked as MockedResult
    this.mocked = undefined
    return isRevert ? this.covered.reverted(output) : { executionGasUsed: 0n, returnValue: output }
  }

  /** Notes an event that code emits. */
  private noteLog(emitter: Address, topics: readonly Uint8Array[], data: Uint8Array): void {
    const { expected } = this
    const { logs } = this.cheats
    if (logs === undefined && !expected.waitsForEmits) return
    const log = { emitter, topics, data: data.slice() }
    if (logs !== undefined) this.change({ logs: [...logs, log] })
    if (!expected.waitsForEmits) return
    this.brokenEmit = expected.noteLog(log)
    if (this.brokenEmit !== undefined) throw this.covered.reverted(EMPTY_BYTES).exceptionError
  }

  /** Lets the module make calls of this depth itself where nothing would be done with them. */
  private allowCalls(depth: number): void {
    const { pranks, mocks } = this.cheats
    const isCalm =
      this.expected.areNone &&
      mocks === NO_MOCKS &&
      pranks.every((prank) => prank.origin === undefined && prank.depth < depth)
    this.covering.callees.use(isCalm)
  }

  private beginMessage(message: EvmMessage): void {
    this.open.push(message)
    if (this.isInternal || isForTest(message)) return
    const { depth } = message
    if (depth === 0) this.setTransaction()
    this.expected.noteMessage(depth)
    applyPrank(this, message)
    if (message.to !== undefined) this.replaceCode(message)
    this.allowCalls(depth + 1)
  }

  /** Gives the transaction the chain id and the gas price that cheatcodes have set. */
  setTransaction(): void {
    const { chainId, gasPrice } = this.cheats
    if (chainId === undefined && gasPrice === undefined) return
    this.evm.changeEnvironment({
      ...(chainId !== undefined && { chainId }),
      ...(gasPrice !== undefined && { gasPrice }),
    })
  }

  /** Counts a call that is expected, and gives it other code if it is mocked. */
  private replaceCode(message: EvmMessage): void {
    const { mocks } = this.cheats
    const { expected } = this
    if (!expected.waitsForCalls && mocks === NO_MOCKS) return
    const callee = message.codeAddress.hex
    const data = bytesToHex(message.data)
    const value = message.delegatecall ? undefined : message.value
    if (expected.waitsForCalls) expected.noteCall({ callee, data, value, gas: message.gasLimit })
    const target = mockedTarget(mocks, callee, data)
    if (target !== undefined) message.ownCodeAddress = toEvmAddress(target)
    const mock = mockedResult(mocks, target ?? callee, data, value)
    if (mock === undefined) return
    this.mocked = mock.result
    if (mock.after !== mocks) this.change({ mocks: mock.after })
    message.ownCodeAddress = toEvmAddress(MOCKED)
  }

  private endMessage(result: EvmResult): void {
    const message = this.open.pop() as EvmMessage
    if (this.isInternal) return
    if (!isForTest(message)) {
      endPrank(this, message.depth)
      this.endExpectations(message, result)
    }
    this.allowCalls(message.depth)
  }

  /** Changes the result of a message by what was expected of it. */
  private endExpectations({ depth, to, isStatic }: EvmMessage, result: EvmResult): void {
    const { execResult } = result
    const isCreation = result.createdAddress !== undefined
    if (this.brokenEmit !== undefined) {
      this.fail(result, this.brokenEmit)
      execResult.executionGasUsed = 0n
      this.brokenEmit = undefined
    }
    const { exceptionError, returnValue: returnData } = execResult
    const hasFailed = exceptionError !== undefined
    const ended = { depth, to: to?.hex, isCreation, isStatic, hasFailed, returnData }
    const verdict = this.expected.end(ended)
    if (verdict !== undefined) this.apply(result, verdict)
  }

  private fail({ execResult }: EvmResult, reason: string): void {
    const { exceptionError, returnValue } = this.covered.reverted(cheatcodeError(reason))
    execResult.returnValue = returnValue
    if (exceptionError !== undefined) execResult.exceptionError = exceptionError
  }

  private apply(result: EvmResult, verdict: MessageVerdict): void {
    const { execResult, createdAddress } = result
    if (verdict.kind === 'failed') this.fail(result, verdict.reason)
    if (verdict.kind === 'assumption') execResult.returnValue = ASSUMPTION
    if (verdict.kind !== 'asExpected') return
    const isCreation = createdAddress !== undefined
    delete execResult.exceptionError
    execResult.returnValue = isCreation ? EMPTY_BYTES : new Uint8Array(EXPECTED_OUTPUT_BYTES)
    if (isCreation) result.createdAddress = NO_CONTRACT as never
  }
}
