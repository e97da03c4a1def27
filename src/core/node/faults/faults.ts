// Faults of requests, and the stale head that some are answered from. The counters are part of the state: a snapshot
// keeps them, and a clone has its own.

import { blocksAboveFirst, rewindChain } from '../../chain/chain.ts'
import { keccak256Hex, keccakOfText } from '../../primitives/crypto.ts'
import { resultOfCallback } from '../../primitives/errors.ts'
import { hexToBytes } from '../../primitives/hex.ts'
import type { ArmedFault, FaultableRequest, FaultEffect, FaultRule } from '../control/controls.ts'
import { type Transition, unchanged } from '../events.ts'
import { type NodeState, withControls } from '../node-state.ts'

/** Adds a fault after the present ones; returns its id. */
export function addFault(state: NodeState, rule: FaultRule): Transition<number> {
  const { faults, faultsAdded } = state.controls
  const id = faultsAdded + 1
  const chance = keccakOfText(`${state.prevRandaoSource.prevRandao}:fault:${id}`)
  const added = [...faults, { id, rule, met: 0, fired: 0, chance }]
  return { ...unchanged(withControls(state, { faults: added, faultsAdded: id })), result: id }
}

/** Removes faults; returns how many. */
export function removeFaults(state: NodeState, isRemoved: (fault: ArmedFault) => boolean) {
  const { faults } = state.controls
  const kept = faults.filter((fault) => !isRemoved(fault))
  const removed = faults.length - kept.length
  return { ...unchanged(removed === 0 ? state : withControls(state, { faults: kept })), result: removed }
}

export function matchesPattern(pattern: string, method: string): boolean {
  return pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : method === pattern
}

function concerns(
  { methods, concerns: isConcerned, blocksBehind }: FaultRule,
  asked: FaultableRequest,
): boolean {
  // A stale head answers reads only.
  if (blocksBehind !== undefined && asked.kind === 'command') return false
  if (!methods.some((pattern) => matchesPattern(pattern, asked.method))) return false
  if (isConcerned === undefined) return true
  return Boolean(resultOfCallback('the predicate of a fault', () => isConcerned(asked.params)))
}

function count(fault: ArmedFault): { readonly fault: ArmedFault; readonly hasFired: boolean } {
  const { rule, met, fired } = fault
  const position = met + 1 - rule.after
  const isTurn = position > 0 && position % rule.every === 0 && fired < rule.times
  if (!isTurn) return { fault: { ...fault, met: met + 1 }, hasFired: false }
  const chance = rule.probability < 1 ? keccak256Hex(hexToBytes(fault.chance)) : fault.chance
  // From 0 to 1, excluding 1: the first 48 bits.
  const fraction = Number.parseInt(chance.slice(2, 14), 16) / 2 ** 48
  const hasFired = rule.probability === 1 || fraction < rule.probability
  return { fault: { ...fault, met: met + 1, fired: fired + (hasFired ? 1 : 0), chance }, hasFired }
}

/** The faults with a request counted, and the effect of the one that fires, if any. */
export interface FaultCheck {
  readonly faults: readonly ArmedFault[]
  readonly effect: FaultEffect | undefined
}

/** Counts a request at the faults in their order, up to the first that fires. */
export function meetFaults(faults: readonly ArmedFault[], asked: FaultableRequest): FaultCheck {
  let counted: ArmedFault[] | undefined
  for (const [index, fault] of faults.entries()) {
    if (!concerns(fault.rule, asked)) continue
    const { fault: after, hasFired } = count(fault)
    counted ??= [...faults]
    counted[index] = after
    if (hasFired) return { faults: counted, effect: fault.rule }
  }
  return { faults: counted ?? faults, effect: undefined }
}

/** The state as a node sees it that is some blocks behind: without the last blocks and the block being built. */
export function staleState(state: NodeState, blocksBehind: number): NodeState {
  const depth = Math.min(blocksBehind, blocksAboveFirst(state.chain))
  return { ...state, chain: rewindChain(state.chain, depth).chain }
}
