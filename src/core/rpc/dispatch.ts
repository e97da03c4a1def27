// Dispatch: from a method name and raw parameters to an answer, under the faults that there are.

import type { FaultableRequest, FaultEffect } from '../node/control/controls.ts'
import { type Command, type NodeEvent, unchanged } from '../node/events.ts'
import { type FaultCheck, meetFaults, staleState } from '../node/faults/faults.ts'
import type { Node } from '../node/node.ts'
import { type NodeState, nextRules, withControls } from '../node/node-state.ts'
import { showsPool, withPoolShown } from '../node/pending.ts'
import { withOpening } from '../node/rollup/opening.ts'
import { calledFrom, callersHere, withCallers } from '../primitives/callers.ts'
import { failure, injectedFailure, TickchainError } from '../primitives/errors.ts'
import { loadOnce } from '../primitives/loading.ts'
import { describe } from '../primitives/text-of.ts'
import { Miss } from '../state/overlay-map.ts'
import { asRefusal, nearestName, Refusal, refuseValue, withRefusalsAs } from './codecs/codec.ts'
import { FAULTLESS_PREFIX } from './codecs/fault.ts'
import { holdAnswer } from './events/waits.ts'
import type { Readers } from './flavor/hardhat-requests.ts'
import { withFlavorMessage } from './flavor/messages.ts'
import type { Method } from './method.ts'
import { findMethod, METHODS } from './registry.ts'
import { inheritFailedCall, nodeWith, type RpcOptions, readContext, type Session } from './session.ts'

interface Turn {
  readonly effect: FaultEffect | undefined
  /** Resolves when the answer may arrive; `undefined` for at once. */
  readonly arrival: Promise<void> | undefined
}

/** With the outcome of the request's command; `undefined` if the request is lost. */
type TurnResult<Result> = readonly [
  Turn,
  { readonly result: Result } | { readonly error: unknown } | undefined,
]

/** Stops the handler of a lost request; the caller never sees this error. */
const LOST = 'the request is lost'

function ignore(): void {}

/** True if the request does not reach the chain. */
function isLost(effect: FaultEffect | undefined): boolean {
  return effect?.lost === 'request' || (effect?.answer !== undefined && effect.lost !== 'answer')
}

/** Counts a request at the faults and, unless it is lost, runs its command, both in one turn. */
function takeTurn<Result>({ node, heldAnswers }: Session, asked: FaultableRequest, command: Command<Result>) {
  let met: FaultCheck | undefined
  return node.execute<TurnResult<Result>>(async (before, records, commit) => {
    // On a fork a command runs again after each miss, and a predicate is asked once.
    met ??= meetFaults(before.controls.faults, asked)
    const { effect } = met
    const state =
      met.faults === before.controls.faults ? before : withControls(before, { faults: met.faults })
    const { delayMs, lost, answer } = effect ?? {}
    // When the answer arrives, in virtual milliseconds; `undefined` for at once.
    const neverMs = lost !== undefined && answer === undefined ? Number.POSITIVE_INFINITY : undefined
    const dueAtMs = delayMs === undefined ? neverMs : state.nowMs + delayMs
    const held = dueAtMs === undefined ? undefined : holdAnswer(heldAnswers, dueAtMs)
    const turn = { effect, arrival: held?.arrival }
    const effects = held === undefined ? [] : [held.hold]
    const faulted: NodeEvent[] = effect === undefined ? [] : [{ type: 'requestFaulted', asked, effect }]
    if (isLost(effect)) return { state, events: faulted, effects, result: [turn, undefined] }
    try {
      const { result, ...done } = await command(state, records, commit)
      const all = { events: [...faulted, ...done.events], effects: [...effects, ...(done.effects ?? [])] }
      return { ...done, ...all, result: [turn, { result }] }
    } catch (error) {
      if (error instanceof Miss) throw error
      // The command has changed nothing; the count stays.
      return { state, events: faulted, effects, result: [turn, { error }] }
    }
  })
}

/** The node as the handler of a request sees it: its first command or read is the turn in which it is counted. */
function nodeFor(session: Session, asked: FaultableRequest) {
  const { node } = session
  let turn: Promise<Turn> | undefined
  const execute = async <Result>(command: Command<Result>): Promise<Result> => {
    if (turn !== undefined) {
      if (isLost((await turn).effect)) throw new Error(LOST)
      return node.execute(command)
    }
    const taken = takeTurn(session, asked, command)
    turn = taken.then(([own]) => own)
    turn.catch(ignore)
    const [, outcome] = await taken
    if (outcome === undefined) throw new Error(LOST)
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }
  const read: Node['read'] = async (use) => {
    const found = await execute((state, records) => ({ ...unchanged(state), result: { state, records } }))
    const blocksBehind = (await turn)?.effect?.blocksBehind
    const seen =
      blocksBehind === undefined ? found.state : await withOpening(staleState(found.state, blocksBehind))
    return node.readFrom(seen, (state) => use(state, found.records))
  }
  return { seen: nodeWith(node, { execute, read }), execute, turn: () => turn }
}

/** Carries a request out, or makes it fail, wait or get lost as the faults say. */
export async function dispatchUnderFaults(
  session: Session,
  asked: FaultableRequest,
  carryOut: (session: Session) => Promise<unknown>,
): Promise<unknown> {
  const first = nodeFor(session, asked)
  const answer = carryOut({ ...session, node: first.seen })
  answer.catch(ignore)
  // If the parameters are refused, the handler has not taken a turn; the request is counted all the same.
  if (first.turn() === undefined) first.execute(unchanged).catch(ignore)
  const turn = await first.turn()
  await answer.catch(ignore)
  await turn?.arrival
  const failed = turn?.effect?.answer
  if (failed === undefined) return answer
  if (failed.kind === 'error') throw injectedFailure(failed)
  session.tellHttpFailure?.(failed)
  // EIP-1474: limit exceeded, resource unavailable.
  const code = failed.status === 429 ? -32005 : -32002
  throw injectedFailure({ code, message: `HTTP request failed with status ${failed.status}` })
}

function parameterError({ path, reason }: Refusal): TickchainError {
  return failure('invalidParameter', { path, reason })
}

/** Decodes the parameters. One `try` for all of them, because every request comes through here. */
function decodeParams({ params, isParameterBare }: Method, given: unknown, readers: Readers | undefined) {
  let path = 'params'
  try {
    const isBare =
      isParameterBare === true && typeof given === 'object' && given !== null && !Array.isArray(given)
    const values = isBare ? [given] : (given ?? [])
    if (!Array.isArray(values)) refuseValue(path, 'an array', given)
    if (values.length > params.length) throw failure('tooManyParameters', { most: params.length })
    return params.map(({ name, codec, isRequired, fallback }, index) => {
      const value = values[index]
      path = `${index}`
      if (value !== undefined && value !== null)
        return codec.decode(readers?.[index]?.(value, path) ?? value, path)
      if (isRequired) throw failure('missingParameter', { index, name })
      return fallback
    })
  } catch (error) {
    throw asRefusal(path, error, parameterError)
  }
}

export function isForbidden({ endpoint }: RpcOptions, name: unknown): boolean {
  return endpoint === 'public' && typeof name === 'string' && findMethod(name)?.isPrivate === true
}

/** The method of a name. The chain's own methods have its prefix, which is an option, in place of `base_`. */
function methodOf(options: RpcOptions, name: string): Method {
  const { chainPrefix } = options
  const own = name.startsWith(`${chainPrefix}_`)
    ? findMethod(`base_${name.slice(chainPrefix.length + 1)}`)
    : undefined
  const method = own ?? (name.startsWith('base_') ? undefined : findMethod(name))
  if (method === undefined) {
    const names = Object.keys(METHODS).map((each) => each.replace(/^base_/, `${chainPrefix}_`))
    // More than two changes are another name, not a typing error.
    throw failure('methodNotFound', { method: name, nearest: nearestName(name, names, 2) })
  }
  if (isForbidden(options, name)) throw failure('forbiddenOnPublicEndpoint', { method: name })
  return method
}

/** Decodes the parameters. In the flavor hardhat, what Hardhat refuses is refused, and in its words. */
function decodeInFlavor({ node, hardhat }: Session, name: string, method: Method, params: unknown) {
  if (hardhat === undefined) return decodeParams(method, params, undefined)
  const { allowUnlimitedContractSize } = node.config.evmPools.settings
  const chain = { rules: nextRules(node.state), allowUnlimitedContractSize }
  const signature = hardhat.signatureUnder(name, method)
  let values: unknown[]
  try {
    values = decodeParams(method, params, hardhat.readersOf(signature))
  } catch (error) {
    throw hardhat.hardhatRefusal(name, signature, params, chain, error as TickchainError)
  }
  const refusal = hardhat.hardhatRefusal(name, signature, params, chain, undefined)
  if (refusal !== undefined) throw refusal
  return values
}

const MOST_FAILED_CALLS = 8

function errorInFlavor({ options, known: contracts, failedCalls }: Session, error: unknown): TickchainError {
  const known = error instanceof Refusal ? parameterError(error) : error
  if (known instanceof TickchainError) {
    const worded = withFlavorMessage(options.flavor, known, contracts.customErrors)
    const failed = inheritFailedCall(known, worded)
    if (failed !== undefined) failedCalls.push({ ...failed, error: worded })
    if (failedCalls.length > MOST_FAILED_CALLS) failedCalls.shift()
    return worded
  }
  return Object.assign(failure('internal', { reason: (error as Error).message }), { cause: error })
}

const loadForks = loadOnce(() => import('./answer-on-fork.ts'))

async function carryOut(session: Session, name: string, method: Method, params: unknown): Promise<unknown> {
  // V8 finds who awaits a read, which costs nothing. A command goes through the queue, and may be awaited by nobody.
  const callers = method.kind === 'command' ? callersHere() : undefined
  try {
    const values = decodeInFlavor(session, name, method, params)
    if (method.kind === 'command') return await withCallers(callers, () => method.handle(session, ...values))
    // On a fork the upstream has what was before it.
    const answer = async (state: NodeState): Promise<unknown> => {
      const context = readContext(session, state)
      const { fork } = state.chain
      if (fork === undefined) return method.handle(context, ...values)
      return (await loadForks()).answerOnFork(context, fork, { name, method, params, values })
    }
    const { node } = session
    const result = await node.read((state) =>
      showsPool(state, values) ? withPoolShown(state).then(answer) : answer(state),
    )
    session.stalledWaits.notePoll(name, params)
    return result
  } catch (error) {
    const worded = errorInFlavor(session, error)
    throw callers === undefined ? worded : calledFrom(callers, worded)
  }
}

/** Answers a read past faults and without counting at them, without flavor, restriction or trace; no commands. */
export async function readUnobserved(session: Session, name: string, params: unknown): Promise<unknown> {
  const shown = { endpoint: 'open', flavor: 'anvil', pendingIdentity: 'partial' } as const
  const options: RpcOptions = { ...session.options, ...shown }
  const silent = {
    hardhat: undefined,
    failedCalls: [],
    tellConsole: () => {},
    stalledWaits: { notePoll() {}, noteWait: () => () => {} },
  }
  const observing: Session = { ...session, options, ...silent }
  const method = methodOf(options, name)
  if (method.kind !== 'read') throw failure('methodNotFound', { method: name })
  return carryOut(observing, name, method, params)
}

/** Answers one request; whatever is thrown, it rejects with a TickchainError. */
export async function dispatch(session: Session, name: unknown, params: unknown): Promise<unknown> {
  let method: Method
  try {
    if (typeof name !== 'string')
      throw failure('invalidRequest', { reason: `method must be a string, got ${describe(name)}` })
    method = methodOf(session.options, name)
  } catch (error) {
    throw errorInFlavor(session, error)
  }
  if (!session.node.expectsFaults || name.startsWith(FAULTLESS_PREFIX))
    return carryOut(session, name, method, params)
  const isList = withRefusalsAs('params', parameterError, () => Array.isArray(params))
  const given = isList ? (params as unknown[]) : params === undefined || params === null ? [] : [params]
  const callers = callersHere()
  return dispatchUnderFaults(session, { method: name, kind: method.kind, params: given }, (seen) =>
    carryOut(seen, name, method, params),
  ).catch((error: unknown) => {
    throw calledFrom(callers, error)
  })
}
