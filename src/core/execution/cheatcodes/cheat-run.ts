// Foundry's cheatcodes, for handlers of invariant tests: calls to an address change the sender, the time and balances
// from inside an execution. They work on EVMs of exploring alone.

import type { EVMError, EVMResult, ExecResult } from '@ethereumjs/evm'
import type { Covering } from '../../interpreter/covering.ts'
import type { WasmEvm } from '../../interpreter/evm.ts'
import { toEvmAddress } from '../../interpreter/evm-address.ts'
import type { Message } from '../../interpreter/message.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bytesToHex, EMPTY_BYTES, equalBytes } from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/later.ts'
import type { WorldState } from '../../state/world-state.ts'
import { CHEATCODES } from '../evm/console-calls.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { toEvmBlock } from '../evm/evm-block.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { ACCESSOR, ENOUGH_GAS, isCheatcode, isNotedAsFailed, isOwn, MOCKED } from './addresses.ts'
import { disguise, setCodeAddress } from './changed-message.ts'
import { applyVerdict, failResult } from './changed-result.ts'
import { makeSite, type Run } from './cheat-site.ts'
import type { Cheated, Cheats, CheatTools, FailedTest } from './cheats.ts'
import { ASSUMPTION, cheatcodeError } from './errors.ts'
import { Expectations } from './expectations.ts'
import { type Left, NOTHING_LEFT, sameLeft } from './left.ts'
import { type MockedResult, mockedTarget, mockOf, NO_MOCKS } from './mocks.ts'
import { type Pranks, prankAt, withoutPrank, withPrank } from './pranks.ts'
import { Refusal } from './refusal.ts'
import type { CheatSite } from './site.ts'
import { Snapshots } from './snapshots.ts'
import { type CheatListener, runCheatcode } from './table.ts'

const NOT_BEGUN: Cheated = { environment: undefined as never, left: NOTHING_LEFT }

class CheatRun implements Cheats, CheatListener, Run {
  readonly wasm: WasmEvm
  readonly writer: EvmInstance['writer']
  readonly covering: Covering
  private readonly tools: CheatTools
  private begun: Cheated = NOT_BEGUN
  environment: BlockEnvironment = NOT_BEGUN.environment
  left: Left = NOTHING_LEFT
  readonly expected = new Expectations()
  readonly snapshots = new Snapshots()
  /** What the call that begins returns instead of running. */
  private mocked: MockedResult | undefined
  /** Why the frame that has emitted an event fails. */
  private brokenEmit: string | undefined
  /** Whether a message of the cheatcodes' own runs. */
  private isInternal = false
  private missing: string | undefined
  /** The last failed assertion of vm, with what it returned. */
  private asserted: (FailedTest & { readonly returnData: Uint8Array }) | undefined
  /** Messages that have begun; while a cheatcode runs, the last one is that to it. */
  private readonly open: Message[] = []
  private readonly site: CheatSite

  constructor({ evm, writer }: EvmInstance, covering: Covering, tools: CheatTools) {
    this.wasm = evm as unknown as WasmEvm
    this.writer = writer
    this.covering = covering
    this.tools = tools
    this.site = makeSite(this)
    evm.precompiles.set(CHEATCODES.slice(2), ({ data }) => this.run(data))
    evm.precompiles.set(MOCKED.slice(2), () => this.runMocked())
    this.wasm.payerOf = (account, depth) => {
      const prank = prankAt(this.left.pranks, depth)
      return prank?.depth === depth && prank.by === account ? prank.as : undefined
    }
    this.wasm.onRefusedCreation = (account, depth) => this.refuseCreation(account, depth)
    this.wasm.onLog = (emitter, topics, data) => this.note(emitter, topics, data)
    this.wasm.onSlot = (address, slot, isWrite) => {
      if (!this.left.recordsAccesses || this.isInternal) return
      this.change({ accesses: [...this.left.accesses, { address, slot, isWrite }] })
    }
    covering.reads.tellers.add(CHEATCODES.slice(2))
    evm.events.on('beforeMessage', (message) => this.before(message))
    evm.events.on('afterMessage', (result) => this.after(result))
  }

  begin(cheated: Cheated): void {
    this.begun = cheated
    this.environment = cheated.environment
    this.left = cheated.left
    this.expected.begin()
    this.snapshots.begin()
    this.mocked = undefined
    this.brokenEmit = undefined
    this.isInternal = false
    this.missing = undefined
    this.asserted = undefined
    this.open.length = 0
    // The outermost message begins here, where it is looked at.
    this.covering.callees.use(false)
    this.wasm.access.slots.watchAccesses(this.left.recordsAccesses)
  }

  end(): Cheated {
    const { environment, missing } = this
    this.fetchAccesses()
    const left = sameLeft(this.begun.left, this.left)
    if (missing === undefined) return { environment, left }
    const reason = `${missing} of Foundry's cheatcodes is not there`
    throw failure('invalidOption', { option: 'test', reason })
  }

  failedTest(hasFailed: boolean, returnData: Uint8Array, after: WorldState): FailedTest | undefined {
    const { asserted } = this
    if (hasFailed) return asserted && equalBytes(returnData, asserted.returnData) ? asserted : undefined
    return isNotedAsFailed(after) ? { reason: 'assertion failed' } : undefined
  }

  change(changes: Partial<Left>): void {
    this.left = { ...this.left, ...changes }
  }

  private changePranks(pranks: Pranks): void {
    if (pranks !== this.left.pranks) this.change({ pranks })
  }

  /** What the module has noted of accesses. */
  fetchAccesses(): void {
    if (!this.left.recordsAccesses) return
    const taken = this.wasm.access.slots.takeAccesses()
    if (taken.length > 0) this.change({ accesses: [...this.left.accesses, ...taken] })
  }

  private run(data: Uint8Array): Later<ExecResult> {
    const message = this.message()
    // By DELEGATECALL it is the code of the address that runs, which does nothing.
    if (!isCheatcode(message)) return { executionGasUsed: 0n, returnValue: EMPTY_BYTES }
    try {
      const returned = runCheatcode(this.site, data, this)
      return andThen(returned, (returnValue) => ({ executionGasUsed: 0n, returnValue }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { kind, reason } = error
      const returnData = kind === 'assumption' ? ASSUMPTION : cheatcodeError(reason)
      if (kind === 'assertion') this.asserted = { reason, returnData, place: this.covering.last() }
      return this.tools.reverted(returnData)
    }
  }

  private runMocked(): ExecResult {
    const { isRevert, output } = this.mocked as MockedResult
    this.mocked = undefined
    return isRevert ? this.tools.reverted(output) : { executionGasUsed: 0n, returnValue: output }
  }

  /** A cheatcode that is not there. */
  miss(name: string): void {
    this.missing ??= name
  }

  /** A cheatcode that reads or changes more than its arguments. */
  impure(): void {
    this.covering.reads.isPartial = true
  }

  /** The innermost message: that to a cheatcode which runs. */
  message(): Message {
    return this.open.at(-1) as Message
  }

  moveTo(environment: BlockEnvironment): void {
    this.environment = environment
    this.wasm.changeEnvironment({ block: toEvmBlock(environment) })
  }

  /** Storage is in the module while code runs, so that code reads and writes it. */
  access<Result>(address: Address, data: Uint8Array, use: (returned: Uint8Array) => Result): Later<Result> {
    const { wasm } = this
    const to = toEvmAddress(address)
    const message = this.tools.makeMessage({
      ...{ caller: to, to, codeAddress: toEvmAddress(ACCESSOR), delegatecall: true },
      ...{ value: 0n, gasLimit: ENOUGH_GAS, data, depth: this.message().depth + 1 },
    })
    // A slot that has its value of the start again may take gas back that was refunded elsewhere.
    message.gasRefund = ENOUGH_GAS
    this.fetchAccesses()
    this.isInternal = true
    return andThen(wasm.runMessage(message), ({ execResult }) => {
      this.isInternal = false
      wasm.access.slots.watchAccesses(this.left.recordsAccesses)
      return use(execResult.returnValue)
    })
  }

  /** An event that code emits. */
  private note(emitter: Address, topics: readonly Uint8Array[], data: Uint8Array): void {
    const { expected } = this
    const { logs } = this.left
    if (logs === undefined && !expected.waitsForEmits) return
    const log = { emitter, topics, data: data.slice() }
    if (logs !== undefined) this.change({ logs: [...logs, log] })
    if (!expected.waitsForEmits) return
    this.brokenEmit = expected.noteLog(log)
    if (this.brokenEmit === undefined) return
    throw this.tools.reverted(EMPTY_BYTES).exceptionError as EVMError
  }

  /** Lets the module make calls of this depth itself where nothing would be done with them. */
  private allowCalls(depth: number): void {
    const { pranks, mocks } = this.left
    const isCalm =
      this.expected.areNone &&
      mocks === NO_MOCKS &&
      pranks.every((prank) => prank.origin === undefined && prank.depth < depth)
    this.covering.callees.use(isCalm)
  }

  private before(message: Message): void {
    this.open.push(message)
    if (this.isInternal || isOwn(message)) return
    const { depth } = message
    if (depth === 0) this.setTransaction()
    this.expected.noteMessage(depth)
    this.applyPrank(message)
    if (message.to !== undefined) this.replace(message)
    this.allowCalls(depth + 1)
  }

  private applyPrank(message: Message): void {
    const { depth, caller } = message
    const prank = prankAt(this.left.pranks, depth)
    if (prank === undefined || prank.by !== bytesToHex(caller.bytes)) return
    const isHere = prank.depth === depth
    if (isHere) disguise(this.writer, message, prank.as)
    if (prank.origin !== undefined) this.wasm.changeEnvironment({ origin: toEvmAddress(prank.origin) })
    const isApplied = isHere || prank.origin !== undefined
    if (!isApplied || prank.isUsed) return
    this.changePranks(withPrank(this.left.pranks, { ...prank, depth, isUsed: true }))
  }

  /** A creation that cannot be paid is made under its prank, though it does not begin. */
  private refuseCreation(account: Address, depth: number): void {
    const { pranks } = this.left
    const prank = prankAt(pranks, depth)
    if (prank?.depth !== depth || prank.by !== account) return
    this.changePranks(
      prank.isLasting ? withPrank(pranks, { ...prank, isUsed: true }) : withoutPrank(pranks, depth),
    )
  }

  /** What the transaction says of itself, as far as cheatcodes have changed it. */
  setTransaction(): void {
    const { chainId, gasPrice } = this.left
    if (chainId === undefined && gasPrice === undefined) return
    this.wasm.changeEnvironment({
      ...(chainId !== undefined && { chainId }),
      ...(gasPrice !== undefined && { gasPrice }),
    })
  }

  /** Counts a call that is expected, and gives it other code if it is mocked. */
  private replace(message: Message): void {
    const { mocks } = this.left
    const { expected } = this
    if (!expected.waitsForCalls && mocks === NO_MOCKS) return
    const callee = message.codeAddress.hex
    const data = bytesToHex(message.data)
    const value = message.delegatecall ? undefined : message.value
    if (expected.waitsForCalls) expected.noteCall({ callee, data, value, gas: message.gasLimit })
    const target = mockedTarget(mocks, callee, data)
    if (target !== undefined) setCodeAddress(message, target)
    const mock = mockOf(mocks, target ?? callee, data, value)
    if (mock === undefined) return
    this.mocked = mock.result
    if (mock.left !== mocks) this.change({ mocks: mock.left })
    setCodeAddress(message, MOCKED)
  }

  private after(result: EVMResult): void {
    const message = this.open.pop() as Message
    if (this.isInternal) return
    if (!isOwn(message)) this.endPrank(message, result)
    this.allowCalls(message.depth)
  }

  private endPrank(message: Message, result: EVMResult): void {
    const { depth } = message
    const prank = prankAt(this.left.pranks, depth)
    if (prank?.depth === depth) {
      if (prank.origin !== undefined) {
        this.wasm.changeEnvironment({ origin: toEvmAddress(prank.originBefore) })
      }
      if (!prank.isLasting) this.changePranks(withoutPrank(this.left.pranks, depth))
    }
    this.endMessage(message, result)
  }

  /** Makes of the end of a message what was expected of it. */
  private endMessage({ depth, to, isStatic }: Message, result: EVMResult): void {
    const { execResult } = result
    const isCreation = result.createdAddress !== undefined
    if (this.brokenEmit !== undefined) {
      failResult(this.tools, result, this.brokenEmit)
      execResult.executionGasUsed = 0n
      this.brokenEmit = undefined
    }
    const { exceptionError, returnValue: returnData } = execResult
    const hasFailed = exceptionError !== undefined
    const ended = { depth, to: to?.hex, isCreation, isStatic, hasFailed, returnData }
    const verdict = this.expected.end(ended)
    if (verdict !== undefined) applyVerdict(this.tools, result, verdict)
  }
}

/** Adds the cheatcodes to an EVM. */
export function installCheatcodes(instance: EvmInstance, covering: Covering, tools: CheatTools): Cheats {
  return new CheatRun(instance, covering, tools)
}
