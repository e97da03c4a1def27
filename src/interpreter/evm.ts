// An EVM for byzantium to osaka: messages, and the WebAssembly interpreter for their code. The few frames that it cannot
// run, it gives to that of @ethereumjs.

import { EVMError, type EVMResult, type ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { Rules } from '../rollup/rules.ts'
import type { StateWriter } from '../state/state-writer.ts'
import { hexOf } from './address-hex.ts'
import { type Core, createCore, readNumber } from './core.ts'
import { costsOf, writeCosts } from './costs.ts'
import type { Covering } from './covering.ts'
import { type CreationRules, createdAddress, executeCreation } from './creation.ts'
import { clearCachedWords, type Environment } from './environment.ts'
import { MessageEvents } from './evm-events.ts'
import type { CallOptions, Evm, MessageEvm, Precompile } from './evm-interface.ts'
import { findCode, moveValue } from './execute-call.ts'
import { type ForkParameters, forkParametersOf, type OpcodeInfo, opcodesOf } from './fork-parameters.ts'
import { type Frame, MAX_GAS, minimumGasOf, openFrame } from './frame.ts'
import { resultOf } from './frame-result.ts'
import { createGasWatch } from './gas-watch.ts'
import type { Host } from './host.ts'
import { AccessJournal } from './journal.ts'
import * as layout from './layout.ts'
import { type CallMessage, isCall, Message } from './message.ts'
import { loadSteppingInterpreter } from './module.ts'
import { createNotingCore, type Noter } from './noter.ts'
import type { Observation, ObservedEvm } from './observation.ts'
import { errorOf, runFrame } from './run-frame.ts'
import { createSteppingCore, type Stepper } from './stepper.ts'
import { storageCostsOf } from './storage-costs.ts'
import { tellThrown } from './tell-frame.ts'
import { TransientStorage } from './transient-storage.ts'

/** The most linear memory for frames that an EVM keeps between executions. */
const MAX_IDLE_BYTES = 1 << 24
/** Nested messages before one yields to a new JavaScript stack, which is too small for all 1,024. */
const MESSAGES_PER_STACK = 16

/** Runs a frame of a WebAssembly EVM on the interpreter of @ethereumjs. */
export type RunOnReference = (
  evm: WasmEvm,
  rules: Rules,
  message: Message,
  observation: Observation | undefined,
) => Promise<ExecResult>

export interface WasmEvmOptions {
  readonly rules: Rules
  readonly allowUnlimitedContractSize: boolean
  readonly writer: StateWriter
  readonly precompiles: Map<string, Precompile>
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
  /** Loads the interpreter of @ethereumjs, for frames that only it can run. */
  readonly loadReference: () => Promise<RunOnReference>
}

/** Linear memory for frames. */
function frameBytes({ bytes, exports }: Core): number {
  return bytes.length - exports.arena.value
}

/** A core and what tells of its steps. */
interface HostCore {
  readonly core: Core
  readonly stepper?: Stepper
  readonly noter?: Noter
  readonly covering?: Covering
}

export class WasmEvm implements MessageEvm {
  readonly common: ForkParameters
  readonly opcodes: ReadonlyMap<number, OpcodeInfo>
  readonly precompiles: Map<string, Precompile>
  payerOf: Evm['payerOf']
  readonly events = new MessageEvents()
  readonly allowUnlimitedInitCodeSize: boolean
  readonly writer: StateWriter
  readonly access: AccessJournal
  readonly journal: AccessJournal
  readonly transient = new TransientStorage()
  readonly hasDelegations: boolean
  readonly gasWatch = createGasWatch()
  readonly observed: ObservedEvm = {
    ...{ current: undefined, translate: undefined },
    prepareSteps: loadSteppingInterpreter,
  }
  readonly creations: CreationRules
  /** Of the current transaction. */
  environment: Environment | undefined
  private readonly rules: Rules
  private readonly hasAccessLists: boolean
  private readonly hasTransientStorage: boolean
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
  private readonly loadReference: () => Promise<RunOnReference>
  private host: Host | undefined
  /** The host of executions whose steps are observed. */
  private steppingHost: Host | undefined
  /** The host of executions of which only the places of steps are observed. */
  private notingHost: Host | undefined
  /** The host of all executions, while their coverage is recorded. */
  private coveringHost: Host | undefined

  constructor({ rules, writer, precompiles, blockHashOf, loadReference, ...options }: WasmEvmOptions) {
    this.rules = rules
    this.writer = writer
    this.precompiles = precompiles
    this.blockHashOf = blockHashOf
    this.loadReference = loadReference
    this.allowUnlimitedInitCodeSize = options.allowUnlimitedContractSize
    this.common = forkParametersOf(rules)
    this.opcodes = opcodesOf(rules.hardfork)
    this.access = new AccessJournal(writer, () => this.dropLargeHosts())
    this.journal = this.access
    this.hasAccessLists = this.common.isActivatedEIP(2929)
    this.hasTransientStorage = this.common.isActivatedEIP(1153)
    this.hasDelegations = this.common.isActivatedEIP(7702)
    this.creations = creationRulesOf(this.common, options.allowUnlimitedContractSize)
  }

  /** Records the coverage of all executions from now on that nobody observes. */
  cover(covering: Covering): void {
    this.coveringHost = this.createHost({ core: covering.core, covering })
    const { slots } = this.access
    slots.use(false)
    slots.detach()
    slots.attach(covering.core)
  }

  private createHost({ core, stepper, noter, covering }: HostCore): Host {
    writeCosts(core, this)
    return {
      core,
      top: core.exports.arena.value,
      evm: this,
      writer: this.writer,
      journal: this.access,
      transient: this.transient,
      gasWatch: this.gasWatch,
      observation: undefined,
      ...{ stepper, noter, covering },
      cachedFor: undefined,
      costs: costsOf(this),
      storageCosts: storageCostsOf(this.common),
      blockHashOf: this.blockHashOf,
      environment: () => this.environment as Environment,
    }
  }

  /** The message of a transaction. */
  private topLevelMessage(options: CallOptions): Message {
    const { block, caller, to, gasPrice = 0n, gasLimit } = options
    const { value = 0n, data = EMPTY_BYTES, blobVersionedHashes = [] } = options
    this.environment = { block, transaction: { gasPrice, origin: caller } }
    const sets = { selfdestruct: new Map(), createdAddresses: new Set<Hash>() }
    return new Message({ caller, to, gasLimit, value, data, blobVersionedHashes, ...sets })
  }

  runCall(options: CallOptions): Promise<EVMResult> {
    return this.runMessage(this.topLevelMessage(options))
  }

  /** Runs a message of a transaction or of a frame. Awaits only code. */
  async runMessage(message: Message): Promise<EVMResult> {
    const { events, access, transient, hasTransientStorage } = this
    events.emit('beforeMessage', message)
    if (message.depth % MESSAGES_PER_STACK === MESSAGES_PER_STACK - 1) await Promise.resolve()
    const created = isCall(message) ? undefined : createdAddress(this.writer, message)
    if (created !== undefined && this.hasAccessLists) access.warmUp(hexOf(created))
    access.checkpoint()
    if (hasTransientStorage) transient.checkpoint()
    const result = await (isCall(message)
      ? this.executeCall(message)
      : executeCreation(this, message, created ?? createdAddress(this.writer, message)))
    if (message.depth === 0 && hasTransientStorage) transient.clear()
    const { execResult } = result
    if (execResult.exceptionError === undefined) {
      access.commit()
      if (hasTransientStorage) transient.commit()
    } else {
      Object.assign(execResult, {
        selfdestruct: new Map(),
        createdAddresses: new Set(),
        gasRefund: 0n,
        logs: [],
      })
      access.revert()
      if (hasTransientStorage) transient.revert()
    }
    events.emit('afterMessage', result)
    return result
  }

  private async executeCall(message: CallMessage): Promise<EVMResult> {
    const { writer, access } = this
    const { caller, to, value, depth, gasRefund, data, gasLimit } = message
    const error = message.delegatecall
      ? undefined
      : moveValue(writer, access, hexOf(caller), hexOf(to), value)
    const code = findCode(writer, access, this, hexOf(message.codeAddress), depth)
    if (error !== undefined || (code instanceof Uint8Array && code.length === 0)) {
      const failed = error === undefined ? {} : { exceptionError: error }
      return { execResult: { gasRefund, executionGasUsed: 0n, returnValue: EMPTY_BYTES, ...failed } }
    }
    if (code instanceof Uint8Array) return { execResult: await this.runFrameOf(message, code) }
    const execResult = await code({ data, gasLimit, common: this.common })
    execResult.gasRefund = gasRefund
    return { execResult }
  }

  /** Frees large linear memories, at the end of a transaction. */
  private dropLargeHosts(): void {
    const isLarge = (host: Host | undefined) => host !== undefined && frameBytes(host.core) > MAX_IDLE_BYTES
    if (isLarge(this.steppingHost)) this.steppingHost = undefined
    if (isLarge(this.notingHost)) this.notingHost = undefined
    if (!isLarge(this.host)) return
    this.host = undefined
    if (this.coveringHost === undefined) this.access.slots.detach()
  }

  private hostFor(observation: Observation | undefined): Host {
    if (observation?.hasSteps === true) {
      this.steppingHost ??= this.createHost(createSteppingCore())
      return this.steppingHost
    }
    if (observation?.hasPlaces === true) {
      this.notingHost ??= this.createHost(createNotingCore())
      return this.notingHost
    }
    const { slots, hasWarmSlots } = this.access
    const covering = observation === undefined ? this.coveringHost : undefined
    if (covering === undefined && this.host === undefined) {
      this.host = this.createHost({ core: createCore() })
      if (this.coveringHost === undefined) slots.attach(this.host.core)
    }
    slots.use(observation === undefined && this.hasAccessLists && !hasWarmSlots)
    return covering ?? (this.host as Host)
  }

  private hostOfExecution(): Host {
    const observation = this.observed.current
    const host = this.hostFor(observation)
    host.observation = observation
    return host
  }

  /** Runs the code of a message in a frame of its own. */
  runFrameOf(message: Message, code: Uint8Array): Promise<ExecResult> {
    message.code = code
    // Observers are told gas as a double.
    if (message.gasLimit > MAX_GAS && this.observed.current !== undefined) return this.runOnReference(message)
    const host = this.hostOfExecution()
    const { environment } = this
    if (host.cachedFor !== environment) {
      clearCachedWords(host.core)
      host.cachedFor = environment
    }
    const frame = openFrame(host.core, host.top, message, code)
    host.covering?.enter(frame)
    return this.runOpened(host, frame)
  }

  private async runOnReference(message: Message): Promise<ExecResult> {
    this.gasWatch.dependsOnGas = true
    const run = await this.loadReference()
    return run(this, this.rules, message, this.observed.current)
  }

  private async runOpened(host: Host, frame: Frame): Promise<ExecResult> {
    if (frame.surplus !== 0n) this.gasWatch.dependsOnGas = true
    try {
      const reason = await runFrame(host, frame)
      host.covering?.leave(frame, reason)
      if (readNumber(host.core, frame.base + layout.GAS_READ) !== 0) this.gasWatch.dependsOnGas = true
      this.gasWatch.minimumGas = minimumGasOf(host.core, frame)
      return resultOf(host, frame, reason, errorOf(host, frame, reason))
    } catch (thrown) {
      if (!(thrown instanceof EVMError)) throw thrown
      if (host.observation !== undefined) tellThrown(host, host.observation, frame, thrown)
      return resultOf(host, frame, layout.INVALID_OPCODE, thrown)
    } finally {
      host.top = frame.base
    }
  }
}

function creationRulesOf(common: ForkParameters, isUnlimited: boolean): CreationRules {
  const limitsInitCode = common.isActivatedEIP(3860) && !isUnlimited
  return {
    tracksCreations: common.isActivatedEIP(6780),
    maxInitCodeSize: limitsInitCode ? Number(common.param('maxInitCodeSize')) : undefined,
    maxCodeSize: isUnlimited ? undefined : Number(common.param('maxCodeSize')),
    refusesEof: common.isActivatedEIP(3541),
    byteGas: common.param('createDataGas'),
  }
}
