// The records of a node beside its state: numbered snapshots and the count of resets. A revert does not undo them.

import { PersistentMap } from '../primitives/persistent-map.ts'
import type { NodeState } from './node-state.ts'

export interface NodeRecords {
  /** The snapshots of evm_snapshot that are not used up, by number. */
  readonly snapshots: PersistentMap<number, NodeState>
  /** Numbers count up from 1 and are never given out twice. */
  readonly lastSnapshotNumber: number
  readonly resetCount: number
}

export const EMPTY_RECORDS: NodeRecords = {
  snapshots: PersistentMap.empty(),
  lastSnapshotNumber: 0,
  resetCount: 0,
}

/** Saves a state under the next number, `lastSnapshotNumber` of the result. */
export function saveSnapshot(records: NodeRecords, state: NodeState): NodeRecords {
  const number = records.lastSnapshotNumber + 1
  return { ...records, snapshots: records.snapshots.set(number, state), lastSnapshotNumber: number }
}

export function skipSnapshotNumber(records: NodeRecords): NodeRecords {
  return { ...records, lastSnapshotNumber: records.lastSnapshotNumber + 1 }
}

/** The snapshots that are not used up, oldest first. */
export function listSnapshots({ snapshots }: NodeRecords): (readonly [number, NodeState])[] {
  return [...snapshots.entries()].sort(([a], [b]) => a - b)
}

/** Uses up a snapshot and the later ones. */
export function useUpSnapshots(records: NodeRecords, first: number): NodeRecords {
  let { snapshots } = records
  for (const [number] of records.snapshots.entries()) {
    if (number >= first) snapshots = snapshots.delete(number)
  }
  return { ...records, snapshots }
}

/** Numbers of snapshots after a reset. */
export type NumbersAfterReset = 'goOn' | 'beginAnew'

/** Counts a reset, which uses up all snapshots. */
export function countReset(records: NodeRecords, numbers: NumbersAfterReset): NodeRecords {
  const lastSnapshotNumber = numbers === 'goOn' ? records.lastSnapshotNumber : 0
  return { snapshots: PersistentMap.empty(), lastSnapshotNumber, resetCount: records.resetCount + 1 }
}
