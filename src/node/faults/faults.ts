// Requests that a test lets go wrong: which ones, and how. What has been counted is part of the state, so a snapshot
// keeps it, and a clone counts for itself.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { failure } from '../../primitives/errors.ts'
import { type Hash, hexToBytes, utf8ToBytes } from '../../primitives/hex.ts'
import { textOf } from '../../primitives/text-of.ts'
import type { Controls } from '../control/controls.ts'
import { type Transition, unchanged } from '../events.ts'
import type { NodeState } from '../node-state.ts'
import type { Asked, Fault, FaultEffect, FaultRule } from './fault.ts'

function withControls(state: NodeState, changes: Partial<Controls>): NodeState {
  return { ...state, controls: { ...state.controls, ...changes } }
}

/** Adds a fault after those that are there; answers its number. */
export function addFault(state: NodeState, rule: FaultRule): Transition<number> {
  const { faults, faultsAdded } = state.controls
  const id = faultsAdded + 1
  const chance = keccak256Hex(utf8ToBytes(`${state.prevRandaoSource.prevRandao}:fault:${id}`))
  const added = [...faults, { id, rule, met: 0, fired: 0, chance }]
  return { ...unchanged(withControls(state, { faults: added, faultsAdded: id })), result: id }
}

/** Ends the faults that are told, and answers how many there were. */
export function removeFaults(state: NodeState, isRemoved: (fault: Fault) => boolean): Transition<number> {
  const { faults } = state.controls
  const kept = faults.filter((fault) => !isRemoved(fault))
  const removed = faults.length - kept.length
  return { ...unchanged(removed === 0 ? state : withControls(state, { faults: kept })), result: removed }
}

/** True for a name that a pattern means. */
export function isMeant(pattern: string, method: string): boolean {
  return pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : method === pattern
}

function concerns({ methods, concerns: isConcerned, blocksBehind }: FaultRule, asked: Asked): boolean {
  // What changes the chain is not answered from a block of the past.
  if (blocksBehind !== undefined && asked.kind === 'command') return false
  if (!methods.some((pattern) => isMeant(pattern, asked.method))) return false
  if (isConcerned === undefined) return true
  try {
    return Boolean(isConcerned(asked.params))
  } catch (error) {
    throw failure('callbackFailed', { callback: 'the predicate of a fault', reason: textOf(error) })
  }
}

const TWO_TO_48 = 2 ** 48

/** A number from 0 up to, not including, 1. */
function fractionOf(hash: Hash): number {
  return Number.parseInt(hash.slice(2, 14), 16) / TWO_TO_48
}

interface Counted {
  readonly fault: Fault
  readonly hasFired: boolean
}

/** Counts a request that a fault concerns. */
function count(fault: Fault): Counted {
  const { rule, met, fired } = fault
  const position = met + 1 - rule.after
  const isTurn = position > 0 && position % rule.every === 0 && fired < rule.times
  if (!isTurn) return { fault: { ...fault, met: met + 1 }, hasFired: false }
  const chance = rule.probability < 1 ? keccak256Hex(hexToBytes(fault.chance)) : fault.chance
  const hasFired = rule.probability === 1 || fractionOf(chance) < rule.probability
  return { fault: { ...fault, met: met + 1, fired: fired + (hasFired ? 1 : 0), chance }, hasFired }
}

/** The state after a request has come, and what becomes of the request, if anything. */
export interface Met {
  readonly state: NodeState
  readonly effect: FaultEffect | undefined
}

/** Lets a request meet the faults, in their order: the first that fires decides, and later ones do not see it. */
export function meetFaults(state: NodeState, asked: Asked): Met {
  const { faults } = state.controls
  let counted: Fault[] | undefined
  for (const [index, fault] of faults.entries()) {
    if (!concerns(fault.rule, asked)) continue
    const { fault: after, hasFired } = count(fault)
    counted ??= [...faults]
    counted[index] = after
    if (hasFired) return { state: withControls(state, { faults: counted }), effect: fault.rule }
  }
  return {
    state: counted === undefined ? state : withControls(state, { faults: counted }),
    effect: undefined,
  }
}
