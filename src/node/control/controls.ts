// What a test has turned on the chain: part of the state, so that a snapshot keeps it and a revert undoes it.

import type { SignerOverrides } from '../../execution/evm/impersonated-signatures.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import type { Fault } from '../faults/fault.ts'
import type { Hold, Scheduler } from '../faults/scheduler.ts'

/** An account that the emulator signs for. */
export interface HeldAccount {
  /** Absent where it was added by its address alone: unlocked, it is impersonated. */
  readonly key: Uint8Array | undefined
  readonly passphrase: string
  /** Virtual time in milliseconds until which it may be used without its passphrase. */
  readonly unlockedUntilMs: number
}

/** An account that is there from the start: it needs no passphrase. */
export function unlockedAccount(key: Uint8Array): HeldAccount {
  return { key, passphrase: '', unlockedUntilMs: Number.POSITIVE_INFINITY }
}

export interface Controls {
  /** Wei per gas that the next block has instead of what follows from its parent. */
  readonly nextBaseFee: bigint | undefined
  /** prevRandao of the next block; later blocks continue from it. */
  readonly nextPrevRandao: Hash | undefined
  /** Seconds between the timestamps of blocks, instead of what the clock says. */
  readonly timestampIntervalS: number | undefined
  /** Least tip in wei per gas that the pool takes, instead of that of the limits. */
  readonly minimumTip: bigint | undefined
  /** In the order in which they came. */
  readonly accounts: ReadonlyMap<Address, HeldAccount>
  /** How many accounts personal_newAccount has made. */
  readonly newAccounts: number
  /** Accounts whose transactions need no signature, one by one. */
  readonly impersonated: PersistentMap<Address, true>
  /** Whether every account is impersonated besides. */
  readonly impersonatesAll: boolean
  /** Whom ecrecover answers for signatures that they have not made. */
  readonly impersonatedSignatures: SignerOverrides
  /** Requests that go wrong, in the order in which they are asked. */
  readonly faults: readonly Fault[]
  /** How many there have been. */
  readonly faultsAdded: number
  /** Decides what a partial block takes, instead of the ordering. */
  readonly scheduler: Scheduler | undefined
  /** Transactions that are held back in the pool. */
  readonly holds: PersistentMap<Hash, Hold>
  /** Pre-confirmed transactions that are gone when the block is sealed, and whether they then wait again. */
  readonly vanishing: PersistentMap<Hash, 'repool' | 'drop'>
  /** How many transactions the pool holds, instead of that of the limits. */
  readonly poolLimit: number | undefined
}

export const NO_CONTROLS: Controls = {
  nextBaseFee: undefined,
  nextPrevRandao: undefined,
  timestampIntervalS: undefined,
  minimumTip: undefined,
  accounts: new Map(),
  newAccounts: 0,
  impersonated: PersistentMap.empty(),
  impersonatesAll: false,
  impersonatedSignatures: PersistentMap.empty(),
  faults: [],
  faultsAdded: 0,
  scheduler: undefined,
  holds: PersistentMap.empty(),
  vanishing: PersistentMap.empty(),
  poolLimit: undefined,
}

/** What holds for the next block alone is used up. */
export function withoutNext(controls: Controls): Controls {
  const { nextBaseFee, nextPrevRandao } = controls
  if (nextBaseFee === undefined && nextPrevRandao === undefined) return controls
  return { ...controls, nextBaseFee: undefined, nextPrevRandao: undefined }
}
