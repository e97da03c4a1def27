// The EVM of @ethereumjs with the WebAssembly interpreter and a synchronous path into calls. Creations and precompiles
// stay with @ethereumjs, as do the frames that this interpreter cannot run.

import type { Common } from '@ethereumjs/common'
import {
  EVM,
  EVMError,
  type EVMOpts,
  type EVMResult,
  type EVMRunCallOpts,
  type ExecResult,
  Message,
} from '@ethereumjs/evm'
import { Address as EvmAddress } from '@ethereumjs/util'
import { create2Address, createAddress } from '../primitives/address.ts'
import { EMPTY_BYTES, type Hash, type Hex } from '../primitives/hex.ts'
import type { StateWriter } from '../state/state-writer.ts'
import { hexOf } from './address-hex.ts'
import { type Core, createCore, readNumber } from './core.ts'
import { costsOf, writeCosts } from './costs.ts'
import type { Covering } from './covering.ts'
import { clearCachedWords, type Environment } from './environment.ts'
import { findCode, moveValue } from './execute-call.ts'
import { type Frame, type FrameMessage, openFrame } from './frame.ts'
import { createGasWatch } from './gas-watch.ts'
import type { Host } from './host.ts'
import { AccessJournal } from './journal.ts'
import * as layout from './layout.ts'
import { loadSteppingInterpreter } from './module.ts'
import { createNotingCore, type Noter } from './noter.ts'
import type { Observation, ObservedEvm } from './observation.ts'
import { errorOf, resultOf, runFrame } from './run-frame.ts'
import { runOnReference } from './run-on-reference.ts'
import { createSteppingCore, type Stepper } from './stepper.ts'
import { storageCostsOf } from './storage-costs.ts'
import { tellThrown } from './tell-frame.ts'
import { TransientStorage } from './transient-storage.ts'

/** JavaScript reads gas as a double, which is exact up to here. */
const MAX_GAS = BigInt(Number.MAX_SAFE_INTEGER)
/** The most linear memory that an EVM keeps between executions. */
const MAX_IDLE_BYTES = 1 << 24
/** Nested messages before one yields to a new JavaScript stack, which is too small for all 1,024. */
const MESSAGES_PER_STACK = 16
/** EIPs of forks after osaka that change opcodes; this interpreter does not implement them. */
const UNSUPPORTED_EIPS = [3540, 6800, 7708, 7709, 7864, 7928, 8024, 8037, 8038, 8246]

/** Whether the interpreter implements the rules: byzantium to osaka. */
export function supportsRules(common: Common): boolean {
  return common.gteHardfork('byzantium') && !UNSUPPORTED_EIPS.some((eip) => common.isActivatedEIP(eip))
}

/** A message that is not a creation. */
type CallMessage = Parameters<EVM['_executeCall']>[0]

function isCall(message: Message): message is CallMessage {
  return message.to !== undefined
}

type InterpreterOptions = NonNullable<Parameters<EVM['runInterpreter']>[1]>

export interface WasmEvmOptions extends EVMOpts {
  readonly stateManager: StateWriter
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
}

/** A core and what it tells. */
interface HostCore {
  readonly core: Core
  readonly stepper?: Stepper
  readonly noter?: Noter
  readonly covering?: Covering
}

export class WasmEvm extends EVM {
  private readonly writer: StateWriter
  readonly access: AccessJournal
  private readonly hasTransientStorage: boolean
  readonly hasDelegations: boolean
  private readonly blockHashOf: (blockNumber: number) => Hash | undefined
  readonly gasWatch = createGasWatch()
  readonly observed: ObservedEvm = {
    ...{ current: undefined, translate: undefined },
    prepareSteps: loadSteppingInterpreter,
  }
  private readonly transient = new TransientStorage()
  private host: Host | undefined
  /** The host of executions whose steps are observed. */
  private steppingHost: Host | undefined
  /** The host of executions of which only the places of steps are observed. */
  private notingHost: Host | undefined
  /** The host of all executions, while their coverage is recorded. */
  private coveringHost: Host | undefined

  constructor(options: WasmEvmOptions) {
    super(options)
    this.writer = options.stateManager
    this.blockHashOf = options.blockHashOf
    // It has only those methods of a journal that the EVM calls.
    this.access = new AccessJournal(options.stateManager)
    this.journal = this.access as unknown as EVM['journal']
    Object.assign(this, { transientStorage: this.transient })
    this.hasTransientStorage = this.common.isActivatedEIP(1153)
    this.hasDelegations = this.common.isActivatedEIP(7702)
  }

  /** Records the coverage of all executions from now on that nobody observes. */
  cover(covering: Covering): void {
    this.coveringHost = this.createHost({ core: covering.core, covering })
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
      cachedFor: [undefined, undefined],
      costs: costsOf(this),
      storageCosts: storageCostsOf(this.common),
      blockHashOf: this.blockHashOf,
      environment: () => ({ block: this._block, transaction: this._tx }) as unknown as Environment,
    }
  }

  /** The call of a transaction; `undefined` if the options are not those that this library uses. */
  private topLevelCall(options: EVMRunCallOpts): CallMessage | undefined {
    const { block, caller, to, gasPrice = 0n, gasLimit } = options
    const { value = 0n, data = EMPTY_BYTES, blobVersionedHashes = [] } = options
    const isOurs = options.skipNonceIncrement === true && block !== undefined && gasLimit !== undefined
    if (!isOurs || caller === undefined || to === undefined || this.DEBUG) return undefined
    this._block = block
    this._tx = { gasPrice, origin: caller }
    const [selfdestruct, createdAddresses] = [new Map(), new Set<Hex>()]
    const fields = { caller, to, gasLimit, value, data, selfdestruct, createdAddresses }
    return new Message({ ...fields, blobVersionedHashes }) as CallMessage
  }

  /** Runs a message; a call takes the direct path. */
  override runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const message = options.message ?? this.topLevelCall(options)
    const isDirect = message !== undefined && isCall(message) && !this.DEBUG
    return isDirect ? this.runCallDirectly(message) : super.runCall(options)
  }

  /** Awaits only the code: the journal and the listeners here are synchronous, although their types are not. */
  private async runCallDirectly(message: CallMessage): Promise<EVMResult> {
    const { events, access, transient, hasTransientStorage } = this
    events.emit('beforeMessage', message)
    if (message.depth % MESSAGES_PER_STACK === MESSAGES_PER_STACK - 1) await Promise.resolve()
    void access.checkpoint()
    if (hasTransientStorage) transient.checkpoint()
    const result = await this._executeCall(message)
    const { execResult } = result
    if (execResult.exceptionError === undefined) {
      void access.commit()
      if (hasTransientStorage) transient.commit()
    } else {
      Object.assign(execResult, {
        selfdestruct: new Map(),
        createdAddresses: new Set(),
        gasRefund: 0n,
        logs: [],
      })
      void access.revert()
      if (hasTransientStorage) transient.revert()
    }
    events.emit('afterMessage', result)
    return result
  }

  protected override async _executeCall(message: CallMessage): Promise<EVMResult> {
    // The message brings its code along, so no account is read.
    if (message.code !== undefined) return super._executeCall(message)
    const { writer, access, hasTransientStorage } = this
    const { caller, to, value, depth, gasRefund, data, gasLimit } = message
    const error = message.delegatecall
      ? undefined
      : moveValue(writer, access, hexOf(caller), hexOf(to), value)
    const code = findCode(writer, access, this, hexOf(message.codeAddress), depth)
    if (error !== undefined || (code instanceof Uint8Array && code.length === 0)) {
      const failed = error === undefined ? {} : { exceptionError: error }
      return { execResult: { gasRefund, executionGasUsed: 0n, returnValue: EMPTY_BYTES, ...failed } }
    }
    let execResult: ExecResult
    if (code instanceof Uint8Array) {
      message.code = code
      message.isCompiled = false
      execResult = await this.runInterpreter(message)
    } else {
      execResult = await this.runPrecompile(code, data, gasLimit)
      execResult.gasRefund = gasRefund
    }
    if (depth === 0 && hasTransientStorage) this.transient.clear()
    return { execResult }
  }

  /**
   * Hashes in WebAssembly: the keccak-256 of @ethereumjs is JavaScript, slow until the engine has optimised it. Called
   * after the creator's nonce has been incremented.
   */
  protected override async _generateAddress({ caller, salt, code }: Message): Promise<EvmAddress> {
    if (salt !== undefined) return new EvmAddress(create2Address(caller.bytes, salt, code as Uint8Array))
    const account = await this.writer.getAccount(caller)
    return new EvmAddress(createAddress(caller.bytes, (account?.nonce ?? 0n) - 1n))
  }

  /** Whether only the interpreter of @ethereumjs can run this frame. */
  private needsReferenceInterpreter({ gasLimit, code }: Message, options: InterpreterOptions): boolean {
    if (!(code instanceof Uint8Array) || gasLimit > MAX_GAS || options.pc !== undefined) return true
    return this.DEBUG || this.events.listenerCount('step') > 0
  }

  private dropHosts(): void {
    this.host = undefined
    this.steppingHost = undefined
    this.notingHost = undefined
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
    if (this.coveringHost !== undefined && observation === undefined) return this.coveringHost
    this.host ??= this.createHost({ core: createCore() })
    return this.host
  }

  private hostOfExecution(): Host {
    const observation = this.observed.current
    const host = this.hostFor(observation)
    host.observation = observation
    return host
  }

  protected override runInterpreter(message: Message, options: InterpreterOptions = {}): Promise<ExecResult> {
    if (this.needsReferenceInterpreter(message, options)) {
      this.gasWatch.dependsOnGas = true
      const run = () => super.runInterpreter(message, options)
      const observation = this.observed.current
      return observation === undefined ? run() : runOnReference(this, this.writer, observation, message, run)
    }
    const host = this.hostOfExecution()
    const [block, transaction] = host.cachedFor
    if (block !== this._block || transaction !== this._tx) {
      clearCachedWords(host.core)
      host.cachedFor = [this._block, this._tx]
    }
    const frame = openFrame(host.core, host.top, message as FrameMessage, message.code as Uint8Array)
    host.covering?.enter(frame)
    return this.runOpened(host, frame)
  }

  private async runOpened(host: Host, frame: Frame): Promise<ExecResult> {
    try {
      const reason = await runFrame(host, frame)
      host.covering?.leave(frame, reason)
      if (readNumber(host.core, frame.base + layout.GAS_READ) !== 0) this.gasWatch.dependsOnGas = true
      this.gasWatch.minimumGas = frame.minimumGas
      return resultOf(host, frame, reason, errorOf(host, frame, reason))
    } catch (thrown) {
      if (!(thrown instanceof EVMError)) throw thrown
      if (host.observation !== undefined) tellThrown(host, host.observation, frame, thrown)
      return resultOf(host, frame, layout.INVALID_OPCODE, thrown)
    } finally {
      host.top = frame.base
      // Frees a large linear memory.
      if (frame.message.depth === 0 && host.core.bytes.length > MAX_IDLE_BYTES) this.dropHosts()
    }
  }
}
