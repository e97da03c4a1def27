// Dispatch of requests while there are faults. A request is counted at the faults in the same turn of the queue in
// which it is executed.

import { type Command, type NodeEvent, unchanged } from '../node/events.ts'
import type { FaultableRequest, FaultEffect } from '../node/faults/fault.ts'
import { type FaultCheck, meetFaults, staleState } from '../node/faults/faults.ts'
import type { Node } from '../node/node.ts'
import { withControls } from '../node/node-state.ts'
import { withOpening } from '../node/rollup/opening.ts'
import { injectedFailure } from '../primitives/errors.ts'
import { Miss } from '../state/miss.ts'
import { holdAnswer } from './events/waits.ts'
import { nodeWith, type Session } from './session.ts'

/** The fault that a request met in its turn. */
interface Turn {
  readonly effect: FaultEffect | undefined
  /** Resolves when the answer may arrive; `undefined` for at once. */
  readonly arrival: Promise<void> | undefined
}

interface TurnResult<Result> {
  readonly turn: Turn
  /** The outcome of its command; `undefined` if the request is lost. */
  readonly outcome: { readonly result: Result } | { readonly error: unknown } | undefined
}

/** Stops the handler of a lost request; the caller never sees this error. */
const LOST = 'the request is lost'

function ignore(): void {}

/** True if the request does not reach the chain. */
function isLost(effect: FaultEffect | undefined): boolean {
  return effect?.lost === 'request' || (effect?.answer !== undefined && effect.lost !== 'answer')
}

/** Counts a request at the faults and, unless it is lost, runs its command, both in one turn. */
function takeTurn<Result>(
  { node, heldAnswers }: Session,
  asked: FaultableRequest,
  command: Command<Result>,
): Promise<TurnResult<Result>> {
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
    if (isLost(effect)) return { state, events: faulted, effects, result: { turn, outcome: undefined } }
    try {
      const done = await command(state, records, commit)
      return {
        ...done,
        events: [...faulted, ...done.events],
        effects: [...effects, ...(done.effects ?? [])],
        result: { turn, outcome: { result: done.result } },
      }
    } catch (error) {
      if (error instanceof Miss) throw error
      // The command has changed nothing; the count stays.
      return { state, events: faulted, effects, result: { turn, outcome: { error } } }
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
    turn = taken.then((it) => it.turn)
    turn.catch(ignore)
    const { outcome } = await taken
    if (outcome === undefined) throw new Error(LOST)
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }
  const read: Node['read'] = async (use) => {
    const found = await execute((state, records) => ({ ...unchanged(state), result: { state, records } }))
    const blocksBehind = (await turn)?.effect?.blocksBehind
    const seen =
      blocksBehind === undefined
        ? found.state
        : await withOpening(node.config, staleState(found.state, blocksBehind))
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
