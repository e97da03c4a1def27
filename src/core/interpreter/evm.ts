// An EVM for byzantium to osaka: messages, and the WebAssembly interpreter for their code.

import type { EVMResult } from '@ethereumjs/evm'
import { EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { Later } from '../primitives/loading.ts'
import type { Hardfork } from '../rollup/hardforks.ts'
import type { Rules } from '../rollup/rules.ts'
import type { StateWriter } from '../state/world-state.ts'
import { type Core, createCore } from './core.ts'
import { costsOf, storageCostsOf, writeCosts, writeOpcodes } from './costs.ts'
import type { Covering } from './covering.ts'
import type { EvmAddress } from './evm-address.ts'
import type { Environment } from './evm-interface.ts'
import * as evmInterface from './evm-interface.ts'
import { type ForkParameters, forkParametersOf, type OpcodeInfo, opcodesOf } from './fork-parameters.ts'
import { gasOf, openFrame } from './frame.ts'
import { createGasWatch } from './gas-watch.ts'
import type { Host } from './host.ts'
import { AccessJournal, TransientStorage } from './journal.ts'
import { isCall, Message, type Observation, type ObservedEvm } from './message.ts'
import { type MessageSite, type RunningFrame, runKnown, runMessages } from './message-run.ts'
import type { CreationRules } from './message-start.ts'
import { askForGas } from './messages.ts'
import { instantiateInterpreter, loadInterpreter } from './module.ts'
import { createNotingCore, createSteppingCore, type Noter, type Stepper } from './stepper.ts'

/** The most linear memory for frames that an EVM keeps between executions. */
const MAX_IDLE_BYTES = 1 << 24

interface WasmEvmOptions {
  readonly rules: Rules
  readonly allowUnlimitedContractSize: boolean
  readonly writer: StateWriter
  readonly precompiles: Map<string, evmInterface.Precompile>
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
}

/** A core and what tells of its steps. */
interface HostCore {
  readonly core: Core
  readonly stepper?: Stepper
  readonly noter?: Noter
  readonly covering?: Covering
}

type EnvironmentChanges = Partial<Pick<Environment, 'block'> & Environment['transaction']>

export class WasmEvm implements evmInterface.Evm, MessageSite {
  readonly common: ForkParameters
  readonly opcodes: ReadonlyMap<number, OpcodeInfo>
  readonly precompiles: Map<string, evmInterface.Precompile>
  isNative: evmInterface.Evm['isNative']
  payerOf: evmInterface.Evm['payerOf']
  onRefusedCreation: evmInterface.Evm['onRefusedCreation']
  heldGas: evmInterface.Evm['heldGas']
  onLog: evmInterface.Evm['onLog']
  onSlot: evmInterface.Evm['onSlot']
  readonly events = new evmInterface.MessageEvents()
  readonly allowUnlimitedInitCodeSize: boolean
  readonly writer: StateWriter
  readonly access: AccessJournal
  readonly journal: AccessJournal
  readonly transient = new TransientStorage()
  readonly hasDelegations: boolean
  readonly gasWatch = createGasWatch()
  readonly observed: ObservedEvm = {
    current: undefined,
    translate: undefined,
    prepareSteps: () => loadInterpreter('stepping'),
  }
  readonly creations: CreationRules
  sender: RunningFrame | undefined
  /** The block and transaction of the current execution. */
  environment: Environment | undefined
  readonly hasAccessLists: boolean
  readonly hasTransientStorage: boolean
  private readonly blockHashOf: (blockNumber: number) => Hash | undefined
  private host: Host | undefined
  /** The hosts of executions whose steps are observed, and of those of which only the places of steps are. */
  private steppingHost: Host | undefined
  /** The host of executions of which only the places of steps are observed. */
  private notingHost: Host | undefined
  /** The host of all executions, while their coverage is recorded. */
  private coveringHost: Host | undefined

  constructor({ rules, writer, precompiles, blockHashOf, ...options }: WasmEvmOptions) {
    this.writer = writer
    this.precompiles = precompiles
    this.blockHashOf = blockHashOf
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
    covering.callees.allow(this.coveringHost)
    this.access.onCold = () => covering.callees.forgetChecks()
    const { slots } = this.access
    slots.use(false)
    slots.detach()
    slots.follow()
    slots.attach(covering.core)
  }

  /** Notes that the execution reads what it does not tell. */
  noteUntold(): void {
    const reads = this.coveringHost?.covering?.reads
    if (reads?.isOn === true) reads.isPartial = true
  }

  /** Changes values of the block or of the current transaction, in the middle of it. */
  changeEnvironment({ block, ...changes }: EnvironmentChanges): void {
    const { block: blockBefore, transaction } = this.environment as Environment
    this.environment = { block: block ?? blockBefore, transaction: { ...transaction, ...changes } }
    for (const host of this.hosts) {
      evmInterface.clearCachedWords(host.core)
      host.cachedFor = this.environment
    }
  }

  /** Gives frames that begin the opcodes of another fork, at the costs of this one; without a fork, its own again. */
  useOpcodesOf(hardfork: Hardfork | undefined): void {
    let { opcodes } = this
    if (hardfork !== undefined) {
      const others = [...opcodesOf(hardfork)]
      opcodes = new Map(others.map(([code, info]) => [code, this.opcodes.get(code) ?? info]))
    }
    for (const { core } of this.hosts) writeOpcodes(core, opcodes)
  }

  private get hosts(): readonly Host[] {
    const all = [this.host, this.steppingHost, this.notingHost, this.coveringHost]
    return all.filter((host) => host !== undefined)
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
      stepper,
      noter,
      covering,
      cachedFor: undefined,
      costs: costsOf(this),
      storageCosts: storageCostsOf(this.common),
      blockHashOf: this.blockHashOf,
      environment: () => this.environment as Environment,
    }
  }

  /** Gas of the frame that has sent the message which begins, without what that gets. */
  gasOfSender(): number {
    return this.sender === undefined ? 0 : gasOf(this.sender.host.core, this.sender.frame)
  }

  /** The message of a transaction. */
  private topLevelMessage(options: evmInterface.CallOptions): Message {
    const { block, caller, to, gasPrice = 0n, gasLimit } = options
    const { value = 0n, data = EMPTY_BYTES, blobVersionedHashes = [] } = options
    this.sender = undefined
    this.environment = this.environmentOf(block, gasPrice, caller)
    return new Message({ caller, to, gasLimit, value, data, blobVersionedHashes, depth: 0 })
  }

  /** The same object as of the transaction before, if it is the same: what is cached of it stays. */
  private environmentOf(block: Environment['block'], gasPrice: bigint, origin: EvmAddress): Environment {
    const { environment: last } = this
    const isNoted = this.coveringHost?.covering?.reads.isOn === true
    if (isNoted || last === undefined || last.block !== block)
      return { block, transaction: { gasPrice, origin } }
    const { transaction } = last
    // Cheatcodes may have changed it.
    const isSame = transaction.origin === origin && transaction.gasPrice === gasPrice
    return isSame && transaction.chainId === undefined ? last : { block, transaction: { gasPrice, origin } }
  }

  runCall(options: evmInterface.CallOptions): Later<EVMResult> {
    const message = this.topLevelMessage(options)
    return this.runKnown(message) ?? this.runMessage(message)
  }

  /** Runs a message whose code the build for coverage knows. */
  private runKnown(message: Message): Later<EVMResult> | undefined {
    const host = this.coveringHost
    if (host === undefined || this.observed.current !== undefined || !isCall(message)) return undefined
    return runKnown(this, this.hostOfExecution(), message)
  }

  /** Runs a message of a transaction, or of a cheatcode. */
  runMessage(message: Message): Later<EVMResult> {
    return runMessages(this, message)
  }

  /** Frees large linear memories, at the end of a transaction. */
  private dropLargeHosts(): void {
    const isLarge = (host: Host | undefined) =>
      host !== undefined && host.core.bytes.length - host.core.exports.arena.value > MAX_IDLE_BYTES
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
      this.host = this.createHost({ core: createCore(instantiateInterpreter()) })
      if (this.coveringHost === undefined) slots.attach(this.host.core)
    }
    slots.use(observation === undefined && this.hasAccessLists && !hasWarmSlots)
    return covering ?? (this.host as Host)
  }

  private hostOfExecution(): Host {
    const observation = this.observed.current
    const host = this.hostFor(observation)
    host.observation = observation
    const { environment } = this
    if (host.cachedFor !== environment) {
      evmInterface.clearCachedWords(host.core)
      host.cachedFor = environment
    }
    return host
  }

  openFrame(message: Message, code: Uint8Array): RunningFrame {
    message.code = code
    const host = this.hostOfExecution()
    const frame = openFrame(host.core, host.top, message, code)
    askForGas(host, frame)
    host.covering?.enter(frame)
    if (frame.surplus !== 0n) this.gasWatch.dependsOnGas = true
    return { host, frame }
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
