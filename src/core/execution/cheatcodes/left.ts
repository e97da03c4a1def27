// What cheatcodes leave behind for the calls that follow, besides the block.

import type { SlotAccess } from '../../interpreter/slot-lists.ts'
import type { Address } from '../../primitives/hex.ts'
import type { EmittedLog } from './expected-emits.ts'
import { type Mocks, NO_MOCKS } from './mocks.ts'
import { NO_PRANKS, type Pranks } from './pranks.ts'

export interface Left {
  readonly pranks: Pranks
  readonly mocks: Mocks
  readonly labels: ReadonlyMap<Address, string>
  /** Accesses to storage that were recorded. */
  readonly accesses: readonly SlotAccess[]
  readonly recordsAccesses: boolean
  /** Logs that were recorded and not taken; absent while they are not recorded. */
  readonly logs: readonly EmittedLog[] | undefined
  readonly chainId: bigint | undefined
  /** Wei. */
  readonly gasPrice: bigint | undefined
}

export const NOTHING_LEFT: Left = {
  pranks: NO_PRANKS,
  mocks: NO_MOCKS,
  labels: new Map(),
  accesses: [],
  recordsAccesses: false,
  logs: undefined,
  chainId: undefined,
  gasPrice: undefined,
}

/** What is left now; the same object as before if it is the same. */
export function sameLeft(before: Left, now: Left): Left {
  const names = Object.keys(now) as (keyof Left)[]
  return names.every((name) => now[name] === before[name]) ? before : now
}
