// The run of a message and of all that it sends. Open messages are on a stack of their own: a message that a frame sends
// begins here and not inside a call of JavaScript, so 1,024 of them need no more of the engine's stack than one. The run is
// synchronous but for precompiles that are not (docs/decisions/0038-messages-without-promises.md).

import { EVMError, type EVMResult, type ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '../primitives/hex.ts'
import { isPromise, type Later } from '../primitives/loading.ts'
import { isDead, type StateWriter } from '../state/world-state.ts'
import { readNumber } from './core.ts'
import type { EvmAddress } from './evm-address.ts'
import type { MessageEvents } from './evm-interface.ts'
import type { ForkParameters } from './fork-parameters.ts'
import { type Frame, MAX_GAS, minimumGasOf } from './frame.ts'
import type { GasWatch } from './gas-watch.ts'
import { type Host, tellThrown } from './host.ts'
import type { AccessJournal, TransientStorage } from './journal.ts'
import * as layout from './layout.ts'
import { type EvmCall, isCall, type Message, type Sent } from './message.ts'
import * as starts from './message-start.ts'
import { beginCreation, moveValue } from './message-start.ts'
import { receive } from './messages.ts'
import { frameError, frameResult, type Inner, runFrame } from './run-frame.ts'

/** The parts of the EVM that messages need. */
export interface MessageSite extends starts.CodeSource, starts.CreationSite {
  readonly events: MessageEvents
  readonly writer: StateWriter
  readonly access: AccessJournal
  readonly transient: TransientStorage
  readonly gasWatch: GasWatch
  readonly common: ForkParameters
  readonly hasAccessLists: boolean
  readonly hasTransientStorage: boolean
  readonly openFrame: (message: Message, code: Uint8Array) => RunningFrame
  /** The frame that has sent the message which begins. */
  sender: RunningFrame | undefined
}

/** A frame, and the host of its execution. */
export interface RunningFrame {
  readonly host: Host
  readonly frame: Frame
}

/** A message that has begun. */
interface OpenMessage {
  readonly message: Message
  /** The account of a creation that has one. */
  created: EvmAddress | undefined
  /** The frame of code that runs here. */
  running: RunningFrame | undefined
  /** The message that the frame has sent and waits for. */
  sent: Sent | undefined
  /** Why its frame has stopped, if that is not dealt with yet. */
  stopped: number | undefined
}

function openMessage(message: Message, running: RunningFrame | undefined): OpenMessage {
  return { message, created: undefined, running, sent: undefined, stopped: undefined }
}

/** The result of the innermost message; `undefined` as long as its frame runs. */
type Ended = Later<ExecResult> | undefined

class MessageRun {
  private readonly site: MessageSite
  private readonly open: OpenMessage[] = []

  constructor(site: MessageSite) {
    this.site = site
  }

  begin(message: Message): Ended {
    const { events, access, transient, writer, hasAccessLists, hasTransientStorage } = this.site
    events.emit('beforeMessage', message)
    const created = isCall(message) ? undefined : starts.createdAddress(writer, message)
    if (created !== undefined && hasAccessLists) access.warmUp(created.hex)
    access.checkpoint()
    if (hasTransientStorage) transient.checkpoint()
    const opened = openMessage(message, undefined)
    this.open.push(opened)
    if (isCall(message)) return this.beginCall(opened, message)
    const data = message.data
    const refused = beginCreation(this.site, message, created ?? starts.createdAddress(writer, message))
    opened.created = message.to
    if (refused === undefined) opened.running = this.site.openFrame(message, data)
    return refused
  }

  private beginCall(opened: OpenMessage, message: EvmCall): Ended {
    const { writer, access, common } = this.site
    const { caller, to, value, depth, data, gasLimit } = message
    const error = message.delegatecall ? undefined : moveValue(writer, access, caller.hex, to.hex, value)
    const code = starts.findCode(writer, access, this.site, message.codeAddress, depth)
    if (error !== undefined || (code instanceof Uint8Array && code.length === 0)) {
      const { gasRefund } = message
      const ended: ExecResult = { gasRefund, executionGasUsed: 0n, returnValue: EMPTY_BYTES }
      if (error !== undefined) ended.exceptionError = error
      return ended
    }
    if (code instanceof Uint8Array) {
      opened.running = this.site.openFrame(message, code)
      return undefined
    }
    const withRefund = (result: ExecResult): ExecResult => {
      result.gasRefund = message.gasRefund
      return result
    }
    const result = code({ data, gasLimit, common, message })
    return isPromise(result) ? result.then(withRefund) : withRefund(result)
  }

  /** Runs until no message is open. */
  proceed(ended: Ended): Later<EVMResult> {
    let outcome = ended
    for (;;) {
      if (isPromise(outcome)) return outcome.then((result) => this.proceed(result))
      const result = outcome === undefined ? undefined : this.end(outcome)
      const opened = this.open.at(-1)
      if (opened === undefined) return result as EVMResult
      outcome = this.advance(opened, result)
    }
  }

  /** Goes on with a message of a transaction whose frame has begun, and has stopped for more than itself. */
  goOn(message: EvmCall, running: RunningFrame, stopped: Sent | Inner): Later<EVMResult> {
    const { access } = this.site
    access.touch(message.caller.hex)
    access.touch(message.to.hex)
    const opened = openMessage(message, running)
    this.open.push(opened)
    return this.proceed(this.send(opened, running, stopped))
  }

  /** Ends the innermost message. */
  private end(ended: ExecResult): EVMResult {
    const { message, created } = this.open.pop() as OpenMessage
    const execResult =
      created === undefined ? ended : starts.endCreation(this.site, created, message.gasLimit, ended)
    settle(this.site, message, execResult)
    const result: EVMResult = created === undefined ? { execResult } : { execResult, createdAddress: created }
    this.site.events.emit('afterMessage', result)
    return result
  }

  /** Runs the innermost frame on, with the result of what it has sent. */
  private advance(opened: OpenMessage, result: EVMResult | undefined): Ended {
    const { host, frame } = opened.running as RunningFrame
    let stopped: number | Sent | Inner
    const { stopped: reason } = opened
    opened.stopped = undefined
    try {
      if (result !== undefined) receive(host, frame, opened.sent as Sent, result)
      stopped = runFrame(host, frame, reason)
      if (typeof stopped === 'number') return leave(this.site, host, frame, stopped)
    } catch (thrown) {
      return failWith(host, frame, thrown)
    }
    return this.send(opened, opened.running as RunningFrame, stopped)
  }

  /** Begins the message for which a frame has stopped, or takes over the frames that the module has begun in it. */
  private send(opened: OpenMessage, { host, frame }: RunningFrame, stopped: Sent | Inner): Ended {
    if ('reason' in stopped) return this.adopt(opened, host, frame, stopped)
    opened.sent = stopped
    this.site.sender = opened.running
    return this.begin(stopped.message)
  }

  /** Opens the messages of frames that the module has begun. */
  private adopt(outer: OpenMessage, host: Host, from: Frame, { reason }: Inner): undefined {
    const { events, access, transient, hasTransientStorage } = this.site
    let opened = outer
    const adopted = host.covering?.callees.adopt(host, from) ?? []
    for (const { sent, frame, journalLength, outerEpoch, mark } of adopted) {
      access.adoptCheckpoint(journalLength, outerEpoch, mark)
      if (hasTransientStorage) transient.checkpoint()
      opened.sent = sent
      this.site.sender = opened.running
      const { message } = sent
      events.emit('beforeMessage', message)
      opened = openMessage(message, { host, frame })
      this.open.push(opened)
    }
    opened.stopped = reason
    return undefined
  }
}

/** The result of a frame that has ended. */
function leave({ gasWatch }: MessageSite, host: Host, frame: Frame, reason: number): ExecResult {
  host.covering?.leave(frame, reason)
  if (readNumber(host.core, frame.base + layout.GAS_READ) !== 0) gasWatch.dependsOnGas = true
  gasWatch.minimumGas = minimumGasOf(host.core, frame)
  const result = frameResult(host, frame, reason, frameError(host, frame, reason))
  host.top = frame.base
  return result
}

/** Keeps what a message has done, or takes it back. */
function settle(site: MessageSite, { depth, gasRefund }: Message, result: ExecResult): void {
  const { access, transient, hasTransientStorage } = site
  if (depth === 0 && hasTransientStorage) transient.clear()
  if (result.exceptionError === undefined) {
    access.commit()
    if (hasTransientStorage) transient.commit()
    return
  }
  if (result.selfdestruct !== undefined) result.selfdestruct = new Map()
  if (result.createdAddresses !== undefined) result.createdAddresses = new Set()
  // Its sender ignores it, unless it makes a success of the failure, as of an expected revert.
  if (depth === 0) result.gasRefund = gasRefund
  result.logs = []
  access.revert()
  if (hasTransientStorage) transient.revert()
}

/** Ends a frame by what an opcode has thrown; anything but an error of the EVM ends the whole execution. */
function failWith(host: Host, frame: Frame, thrown: unknown): ExecResult {
  if (!(thrown instanceof EVMError)) throw thrown
  if (host.observation !== undefined) tellThrown(host, host.observation, frame, thrown)
  host.top = frame.base
  return frameResult(host, frame, layout.INVALID_OPCODE, thrown)
}

/** Opens the frame of a message of a transaction whose code the module has. */
function openKnown(host: Host, message: EvmCall): Frame | undefined {
  if (message.gasLimit > MAX_GAS) return undefined
  // One that is there and empty is deleted, as it is touched (EIP-161).
  const caller = host.writer.current.get(message.caller.hex)
  if (caller === undefined ? host.writer.current.base !== undefined : isDead(caller)) return undefined
  host.covering?.learnCode(host, message.to)
  return host.covering?.callees.openFrame(host, message)
}

/**
 * Runs a message of a transaction whose code the module has, if it moves no value. As long as nothing else is sent that
 * needs JavaScript, its frame is all that is made. `undefined` for other messages.
 */
export function runKnown(site: MessageSite, host: Host, message: EvmCall): Later<EVMResult> | undefined {
  const frame = message.value === 0n ? openKnown(host, message) : undefined
  if (frame === undefined) return undefined
  const { access, transient, hasTransientStorage } = site
  access.checkpoint()
  if (hasTransientStorage) transient.checkpoint()
  message.code = frame.code
  host.covering?.enter(frame)
  let execResult: ExecResult
  try {
    const stopped = runFrame(host, frame)
    if (typeof stopped !== 'number') return new MessageRun(site).goOn(message, { host, frame }, stopped)
    execResult = leave(site, host, frame, stopped)
  } catch (thrown) {
    execResult = failWith(host, frame, thrown)
  }
  settle(site, message, execResult)
  return { execResult }
}

/** Runs a message. The result is a promise only if something in it has to be waited for. */
export function runMessages(site: MessageSite, message: Message): Later<EVMResult> {
  const run = new MessageRun(site)
  return run.proceed(run.begin(message))
}
