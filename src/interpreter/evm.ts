// The EVM of @ethereumjs with this interpreter in the place of its own, and with its own way into a message, where that
// is a call. Creations and precompiles stay as they are, and a frame that this cannot run, runs there.

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
import { EMPTY_BYTES, type Hash, type Hex } from '../primitives/hex.ts'
import type { StateWriter } from '../state/state-writer.ts'
import { nameOf } from './address-names.ts'
import { createCore, readNumber } from './core.ts'
import { costsOf, writeCosts } from './costs.ts'
import { addressByNonce, addressBySalt } from './created-address.ts'
import { type Environment, forgetWords } from './environment.ts'
import { findCode, moveValue } from './execute-call.ts'
import { type Frame, type FrameMessage, gasOf, openFrame, readOutput } from './frame.ts'
import { createGasWatch } from './gas-watch.ts'
import type { Host } from './host.ts'
import { AccessJournal } from './journal.ts'
import * as layout from './layout.ts'
import { errorOf, runFrame } from './run-frame.ts'
import { storageCostsOf } from './storage-costs.ts'

/** Gas is counted in doubles where JavaScript looks at it. */
const MOST_GAS = BigInt(Number.MAX_SAFE_INTEGER)
/** Linear memory that an EVM keeps between executions. */
const MOST_IDLE_BYTES = 1 << 24
/** Messages within messages before one waits for a stack of its own: JavaScript's is not deep enough for all 1,024. */
const MOST_ON_STACK = 16
/** EIPs that change what an opcode does in ways that are not known here: those of forks after osaka. */
const UNKNOWN_EIPS = [3540, 6800, 7708, 7709, 7864, 7928, 8024, 8037, 8038, 8246]

/** Whether the interpreter knows the rules: from byzantium on, and up to osaka. */
export function knowsRules(common: Common): boolean {
  return common.gteHardfork('byzantium') && !UNKNOWN_EIPS.some((eip) => common.isActivatedEIP(eip))
}

/** A message that is no creation. */
type CallMessage = Parameters<EVM['_executeCall']>[0]

function isCall(message: Message): message is CallMessage {
  return message.to !== undefined
}

type InterpreterOptions = NonNullable<Parameters<EVM['runInterpreter']>[1]>

export interface WasmEvmOptions extends EVMOpts {
  readonly stateManager: StateWriter
  readonly blockHashOf: (blockNumber: number) => Hash | undefined
}

export class WasmEvm extends EVM {
  private readonly writer: StateWriter
  readonly access: AccessJournal
  private readonly hasTransientStorage: boolean
  readonly hasDelegations: boolean
  private readonly blockHashOf: (blockNumber: number) => Hash | undefined
  readonly gasWatch = createGasWatch()
  private host: Host | undefined
  /** What the words of the environment in linear memory are of. */
  private remembered: readonly [block: unknown, transaction: unknown] = [undefined, undefined]

  constructor(options: WasmEvmOptions) {
    super(options)
    this.writer = options.stateManager
    this.blockHashOf = options.blockHashOf
    // It has what the EVM and runTx ask of a journal, if not what they could.
    this.access = new AccessJournal(options.stateManager)
    this.journal = this.access as unknown as EVM['journal']
    this.hasTransientStorage = this.common.isActivatedEIP(1153)
    this.hasDelegations = this.common.isActivatedEIP(7702)
  }

  private createHost(): Host {
    const core = createCore()
    writeCosts(core, this)
    return {
      core,
      top: core.exports.arena.value,
      evm: this,
      writer: this.writer,
      journal: this.access,
      gasWatch: this.gasWatch,
      costs: costsOf(this),
      storageCosts: storageCostsOf(this.common),
      blockHashOf: this.blockHashOf,
      environment: () => ({ block: this._block, transaction: this._tx }) as unknown as Environment,
    }
  }

  /** The call that a transaction begins with; `undefined` for what is not asked for as this library does. */
  private firstCall(options: EVMRunCallOpts): CallMessage | undefined {
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

  /** Runs a message, in fewer steps if it is a call. */
  override runCall(options: EVMRunCallOpts): Promise<EVMResult> {
    const message = options.message ?? this.firstCall(options)
    const isQuick = message !== undefined && isCall(message) && !this.DEBUG
    return isQuick ? this.runQuickly(message) : super.runCall(options)
  }

  /** There is nothing to wait for but the code: the journal and those who listen have done theirs when they return. */
  private async runQuickly(message: CallMessage): Promise<EVMResult> {
    const { events, access, transientStorage, hasTransientStorage } = this
    events.emit('beforeMessage', message)
    if (message.depth % MOST_ON_STACK === MOST_ON_STACK - 1) await Promise.resolve()
    void access.checkpoint()
    if (hasTransientStorage) transientStorage.checkpoint()
    const result = await this._executeCall(message)
    const { execResult } = result
    if (execResult.exceptionError === undefined) {
      void access.commit()
      if (hasTransientStorage) transientStorage.commit()
    } else {
      Object.assign(execResult, {
        selfdestruct: new Map(),
        createdAddresses: new Set(),
        gasRefund: 0n,
        logs: [],
      })
      void access.revert()
      if (hasTransientStorage) transientStorage.revert()
    }
    events.emit('afterMessage', result)
    return result
  }

  protected override async _executeCall(message: CallMessage): Promise<EVMResult> {
    // Code that comes with the message is no account's.
    if (message.code !== undefined) return super._executeCall(message)
    const { writer, access, hasTransientStorage } = this
    const { caller, to, value, depth, gasRefund, data, gasLimit } = message
    const error = message.delegatecall
      ? undefined
      : moveValue(writer, access, nameOf(caller), nameOf(to), value)
    const code = findCode(writer, access, this, nameOf(message.codeAddress), depth)
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
    if (depth === 0 && hasTransientStorage) this.transientStorage.clear()
    return { execResult }
  }

  /** The nonce has been counted up when this is asked. */
  protected override async _generateAddress({ caller, salt, code }: Message): Promise<EvmAddress> {
    if (salt !== undefined) return new EvmAddress(addressBySalt(caller.bytes, salt, code as Uint8Array))
    const account = await this.writer.getAccount(caller)
    return new EvmAddress(addressByNonce(caller.bytes, (account?.nonce ?? 0n) - 1n))
  }

  /** Whether this frame is one for the interpreter of @ethereumjs. */
  private isForReference({ gasLimit, code }: Message, options: InterpreterOptions): boolean {
    if (!(code instanceof Uint8Array) || gasLimit > MOST_GAS || options.pc !== undefined) return true
    return this.DEBUG || this.events.listenerCount('step') > 0
  }

  protected override runInterpreter(message: Message, options: InterpreterOptions = {}): Promise<ExecResult> {
    if (this.isForReference(message, options)) {
      this.gasWatch.isGasSeen = true
      return super.runInterpreter(message, options)
    }
    this.host ??= this.createHost()
    const { host } = this
    const [block, transaction] = this.remembered
    if (block !== this._block || transaction !== this._tx) {
      forgetWords(host.core)
      this.remembered = [this._block, this._tx]
    }
    const frame = openFrame(host.core, host.top, message as FrameMessage, message.code as Uint8Array)
    return this.runOpened(host, frame)
  }

  private async runOpened(host: Host, frame: Frame): Promise<ExecResult> {
    try {
      const reason = await runFrame(host, frame)
      if (readNumber(host.core, frame.base + layout.GAS_READ) !== 0) this.gasWatch.isGasSeen = true
      this.gasWatch.need = frame.gasNeed
      return resultOf(host, frame, reason, errorOf(host, frame, reason))
    } catch (thrown) {
      if (!(thrown instanceof EVMError)) throw thrown
      return resultOf(host, frame, layout.INVALID_OPCODE, thrown)
    } finally {
      host.top = frame.base
      // A large memory is let go.
      if (frame.message.depth === 0 && host.core.bytes.length > MOST_IDLE_BYTES) this.host = undefined
    }
  }
}

function resultOf(host: Host, frame: Frame, reason: number, error: EVMError | undefined): ExecResult {
  const { gasLimit } = frame.message
  const gives = reason === layout.RETURNED || reason === layout.REVERTED
  const returnValue = gives ? readOutput(host.core, frame) : new Uint8Array(0)
  const { gasRefund, createdAddresses } = frame
  if (error === undefined) {
    return {
      returnValue,
      executionGasUsed: gasLimit - BigInt(gasOf(host.core, frame)),
      gasRefund,
      logs: frame.logs,
      selfdestruct: frame.selfdestruct,
      ...(createdAddresses === undefined ? {} : { createdAddresses }),
    }
  }
  return {
    returnValue,
    exceptionError: error,
    // Only a revert gives back what is left.
    executionGasUsed: reason === layout.REVERTED ? gasLimit - BigInt(gasOf(host.core, frame)) : gasLimit,
    gasRefund,
    logs: [],
    selfdestruct: new Map(),
    createdAddresses: new Set(),
  }
}
