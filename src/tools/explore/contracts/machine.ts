// Executes calls on states of the world, with coverage: as transactions, but without fees, nonces and blocks.

import type { CoveredEvm, Covering } from '../../../core/execution/evm/covered-evm.ts'
import { createCoveredEvm } from '../../../core/execution/evm/evm-pool.ts'
import type { ExecutionContext } from '../../../core/execution/evm/pooled-evm.ts'
import * as bare from '../../../core/execution/evm/run-bare-message.ts'
import * as whole from '../../../core/execution/evm/run-message.ts'
import type { CustomErrors } from '../../../core/execution/result/console-log.ts'
import { revertReason } from '../../../core/execution/result/revert-reason.ts'
import { codeReader, observe } from '../../../core/execution/trace/observe.ts'
import { combineObservers, type Observer } from '../../../core/execution/trace/observer.ts'
import type { CodeOf, ProbedExecution } from '../../../core/execution/trace/probe.ts'
import { type Address, bytesToHex } from '../../../core/primitives/hex.ts'
import { andThen, isPromise, type Later } from '../../../core/primitives/loading.ts'
import { SharedBytes } from '../../../core/primitives/shared-bytes.ts'
import type { BlockEnvironment } from '../../../core/rollup/header.ts'
import { withMissesLoaded } from '../../../core/state/overlay-map.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { cheatcodeReason } from '../../cheatcodes/errors.ts'
import type { CheatExecution } from '../../cheatcodes/execution.ts'
import { installCheatcodes } from '../../cheatcodes/table.ts'
import { Watching } from '../../cheatcodes/watching.ts'
import type { Failure } from '../failures.ts'
import { type Call, messageOfCall, type Position, type Reads, readsOf } from './call.ts'
import { type CallOutcome, type CoveredCall, callOutcome } from './call-outcome.ts'

/** Finds what is wrong about a call that has been made. */
export type CallCheck = (call: Call, outcome: CallOutcome) => Failure | undefined

type ObservedMessage = Pick<whole.MessageFields, 'from' | 'to' | 'value' | 'input'>

const NONE: readonly never[] = []
/** Enough for any call of a handler, and a loop that does not end takes a tenth of a second. */
const MOST_GAS = 30_000_000n

/** The reason for which a call has failed, in words. */
export function haltOf({ outcome, failure, returnData }: bare.BareResult, errors?: CustomErrors): string {
  if (outcome === 'failure') return failure ?? 'unknown'
  const data = returnData.length === 0 ? 'without a reason' : bytesToHex(returnData)
  return `execution reverted: ${cheatcodeReason(returnData) ?? revertReason(returnData, errors) ?? data}`
}

const deleteDestroyed: whole.Settlement = (state, { destroyed }) =>
  destroyed.length === 0 ? state : destroyed.reduce((left, address) => left.delete(address), state)

/** Begins to probe a message. The gas of one that has to run again is not told. */
type BeginProbe = (codeOf: CodeOf) => Pick<ProbedExecution, 'observer'> & Partial<ProbedExecution>

interface Setting {
  readonly context: ExecutionContext
  readonly hasCheatcodes: boolean
  readonly blockTimeS: number
  readonly mostGas: bigint
  readonly probe: BeginProbe | undefined
}

/** Executes messages on EVMs of its own, one after the other. */
export class Machine {
  private readonly setting: Setting
  // True if the probe is told by a second run of each message, so that the first one notes what a search is guided by.
  private probesAgain = false
  private readonly copies = new SharedBytes(1 << 16)
  private evm!: CoveredEvm
  private cheats: CheatExecution | undefined
  private reads: Reads | undefined
  coverage!: Covering
  /** The seconds and blocks that pass when a call waits. */
  pace: (wait: number) => readonly [seconds: number, blocks: number]
  /** Told of each call that was performed. */
  onOutcome: ((outcome: CallOutcome, call: Call) => void) | undefined

  constructor(setting: Setting) {
    this.setting = setting
    this.pace = (wait) => [wait, Math.max(1, Math.floor(wait / setting.blockTimeS))]
  }

  // Goes on with another EVM: the journal of an execution that was thrown out of may have open checkpoints.
  async renew(): Promise<void> {
    this.evm = await createCoveredEvm(this.setting.context, this.coverage, this.copies)
    this.coverage = this.evm.covering
    this.cheats = this.setting.hasCheatcodes ? installCheatcodes(this.evm) : undefined
  }

  private async fail(error: unknown): Promise<never> {
    await this.renew()
    throw error
  }

  private begin(before: Position): void {
    this.evm.instance.writer.reset(before.state)
    this.cheats?.begin(before)
    this.reads = undefined
  }

  private end<Result extends Pick<bare.BareResult, 'outcome' | 'returnData'>>(
    before: Position,
    result: Result,
  ): CoveredCall<Result> {
    const state = this.evm.instance.writer.current
    const { environment, cheats } = this.cheats?.end() ?? before
    const failedTest = this.cheats?.failedTest(result.outcome !== 'success', result.returnData, state)
    const { told = NONE, gas, snapshots = NONE } = this.cheats ?? {}
    const after = { state, environment, cheats }
    return { result, after, failedTest, told, lastGas: gas?.last, snapshots, reads: this.reads }
  }

  private finish(before: Position, result: bare.BareResult): Later<CoveredCall> {
    const called = this.end(before, result)
    if (!this.coverage.isLarge()) return called
    this.coverage.renew()
    return this.renew().then(() => called)
  }

  /** Executes a message, whose gas limit must suffice for it to begin. `notesReads` asks for what it reads. */
  run(before: Position, message: bare.BareMessage, notesReads = false): Later<CoveredCall> {
    const called = this.runWhole(before, message, notesReads)
    if (this.setting.probe === undefined || !this.probesAgain) return called
    return andThen(called, (first) => andThen(this.runWatched(before, message, false, true), () => first))
  }

  /** Runs a message, and again if the cheatcodes have to be told more of it. */
  private runWhole(before: Position, message: bare.BareMessage, notesReads: boolean): Later<CoveredCall> {
    if (this.cheats === undefined) return this.runOnce(before, message, notesReads)
    const level = Watching.before(before.cheats)
    // What the probe counts is counted twice if it runs twice.
    const isProbed = this.setting.probe !== undefined && !this.probesAgain
    this.cheats.watching.level = isProbed && level === 'nothing' ? 'accesses' : level
    const repeat = (called: CoveredCall): Later<CoveredCall> => {
      const { watching } = this.cheats as CheatExecution
      if (!watching.isTooLittle) return called
      watching.level = watching.wanted
      return andThen(this.runWatched(before, message, false), repeat)
    }
    return andThen(this.runWatched(before, message, notesReads), repeat)
  }

  /** Runs with an observer, if what the cheatcodes watch for needs one, or the probe is told. */
  private runWatched(
    before: Position,
    message: bare.BareMessage,
    notesReads: boolean,
    isProbed = !this.probesAgain,
  ): Later<CoveredCall> {
    const { instance } = this.evm
    const probed = isProbed ? this.setting.probe?.(codeReader(instance)) : undefined
    const observers = [this.cheats?.watching.observer, probed?.observer]
    const present = observers.filter((each) => each !== undefined)
    if (present.length === 0) return this.runOnce(before, message, notesReads)
    const ran = observe(instance, combineObservers(present), () => this.runOnce(before, message, false))
    return andThen(ran, (called) => {
      if (this.cheats?.watching.isTooLittle !== true) probed?.end?.(called.result.gasUsed)
      return called
    })
  }

  private runOnce(before: Position, message: bare.BareMessage, notesReads: boolean): Later<CoveredCall> {
    this.begin(before)
    const { instance, covering, evm } = this.evm
    const { slots } = evm.access
    const isNoted = notesReads && message.to !== undefined
    covering.reads.isOn = isNoted
    if (isNoted) {
      covering.reads.begin(message.to as Address)
      slots.watchUsed()
    }
    const noteReads = (): void => {
      if (!covering.isFull()) this.reads = readsOf(before, covering.reads, slots.usedSlots())
    }
    const onEnd = isNoted ? noteReads : undefined
    try {
      const result = bare.runBareMessage(instance, before.environment, message, onEnd)
      return isPromise(result)
        ? result.then((later) => this.finish(before, later)).catch((error) => this.fail(error))
        : this.finish(before, result)
    } catch (error) {
      return this.fail(error)
    }
  }

  private messageOf({ environment }: Position, message: ObservedMessage): whole.MessageFields {
    const { from, to, value, input } = message
    return {
      from,
      to,
      value,
      input,
      gasLimit: this.gasLimitAt(environment),
      gasPrice: 0n,
      accessList: NONE,
      authorizationList: NONE,
      blobVersionedHashes: NONE,
    }
  }

  private async tellCodes(isWanted: boolean): Promise<void> {
    if (this.coverage.tellsCodes === isWanted) return
    this.coverage.tellsCodes = isWanted
    // The module has the places of codes that it calls itself.
    this.coverage.renew()
    await this.renew()
  }

  /** Performs a search that coverage guides, whatever a probe is told. */
  async guided<Result>(search: () => Promise<Result>): Promise<Result> {
    const { tellsCodes } = this.coverage
    await this.tellCodes(true)
    this.probesAgain = true
    return search().finally(() => {
      this.probesAgain = false
      return this.tellCodes(tellsCodes)
    })
  }

  later(before: Position, wait: number): Position {
    if (wait === 0) return before
    const { state, environment, cheats } = before
    const [seconds, blocks] = this.pace(wait)
    const [number, timestamp] = [environment.number + blocks, environment.timestamp + seconds]
    return { state, environment: { ...environment, number, timestamp }, cheats }
  }

  gasLimitAt({ gasLimit }: BlockEnvironment): bigint {
    const { mostGas } = this.setting
    return gasLimit < mostGas ? gasLimit : mostGas
  }

  /** Performs a call; `undefined` if the sender does not have its value. */
  perform(before: Position, call: Call): Later<CallOutcome | undefined> {
    const { sender, value } = call
    const position = this.later(before, call.wait)
    const message = this.messageOf(position, messageOfCall(call))
    const ran = withMissesLoaded<CoveredCall | undefined>(() => {
      // On a fork, the account may be unknown as well.
      if (value > 0n && readAccount(position.state, sender).balance < value) return undefined
      return this.run(position, message)
    })
    return andThen(ran, (called) => {
      const isInVain = () => this.cheats?.expected.unmet(false) !== undefined
      const outcome = called && callOutcome(this.coverage, before, position, called, isInVain)
      if (outcome) this.onOutcome?.(outcome, call)
      return outcome
    })
  }

  /** Calls a contract, or creates one with code as the input. */
  call(before: Position, from: Address, to: Address | undefined, input: Uint8Array, notesReads = false) {
    const message = this.messageOf(before, { from, to, value: 0n, input })
    return withMissesLoaded(() => this.run(before, message, notesReads))
  }

  /** Runs a message until the cheatcodes are told enough of it; the probe is not told. */
  private async findLevel(before: Position, message: bare.BareMessage): Promise<void> {
    const watching = this.cheats?.watching
    if (watching === undefined) return
    watching.wanted = Watching.before(before.cheats)
    do {
      watching.level = watching.wanted
      await this.runWatched(before, message, false, false)
    } while (watching.isTooLittle)
  }

  /** Executes a message under an observer, which sees it once, and without coverage. */
  async observe(before: Position, message: ObservedMessage, observer: Observer) {
    const fields = this.messageOf(before, message)
    return withMissesLoaded(async () => {
      await this.findLevel(before, fields)
      this.begin(before)
      const { instance } = this.evm
      const observers = [observer, this.cheats?.watching.observer].filter((each) => each !== undefined)
      const run = () => whole.runMessage(instance, before.environment, fields, deleteDestroyed)
      try {
        return this.end(before, await observe(instance, combineObservers(observers), run))
      } catch (error) {
        return this.fail(error)
      }
    })
  }
}

/**
 * With Foundry's cheatcodes or without; calls have the gas limit of their block, and at most `mostGas`.
 *
 * @throws TickchainError `coverageUnavailable` on a chain with the interpreter of @ethereumjs
 */
export async function createMachine(
  context: ExecutionContext,
  hasCheatcodes: boolean,
  blockTimeS = 1,
  mostGas = MOST_GAS,
  probe?: BeginProbe,
): Promise<Machine> {
  const machine = new Machine({ context, hasCheatcodes, blockTimeS, mostGas, probe })
  await machine.renew()
  return machine
}
