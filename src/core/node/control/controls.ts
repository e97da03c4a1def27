// The controls that a test has set. They are part of the state: a snapshot keeps them, a revert undoes them.

import type { SignerOverrides } from '../../execution/evm/pooled-evm.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import type { ArmedFault, Hold, Scheduler } from '../faults/fault.ts'

/** An account that the emulator signs for. */
export interface HeldAccount {
  /** Absent if only the address was added: such an account is impersonated while unlocked. */
  readonly key: Uint8Array | undefined
  readonly passphrase: string
  /** Virtual time in milliseconds until which no passphrase is needed. */
  readonly unlockedUntilMs: number
}

/** An account of the options, which never needs a passphrase. */
export function unlockedAccount(key: Uint8Array): HeldAccount {
  return { key, passphrase: '', unlockedUntilMs: Number.POSITIVE_INFINITY }
}

export interface Controls {
  /** The base fee of the next block in wei per gas, instead of what follows from its parent. */
  readonly nextBaseFee: bigint | undefined
  /** prevRandao of the next block; later blocks continue from it. */
  readonly nextPrevRandao: Hash | undefined
  /** Seconds between the timestamps of blocks, instead of the clock's. */
  readonly timestampIntervalS: number | undefined
  /** The least tip that the pool accepts, in wei per gas, instead of the limits'. */
  readonly minimumTip: bigint | undefined
  /** The least gas price of blocks before london, in wei: cheaper transactions wait in the pool. */
  readonly leastGasPrice: bigint
  /** In the order in which they were added. */
  readonly accounts: ReadonlyMap<Address, HeldAccount>
  /** The number of accounts made by personal_newAccount. */
  readonly newAccounts: number
  /** Accounts whose transactions need no signature. */
  readonly impersonated: PersistentMap<Address, true>
  /** True if no transaction needs a signature. */
  readonly impersonatesAll: boolean
  /** Signers that ecrecover returns for given signatures. */
  readonly impersonatedSignatures: SignerOverrides
  /** The faults of requests, in the order in which a request meets them. */
  readonly faults: readonly ArmedFault[]
  readonly faultsAdded: number
  /** Orders the transactions of a partial block, instead of the setting `ordering`. */
  readonly scheduler: Scheduler | undefined
  /** Transactions held back in the pool. */
  readonly holds: PersistentMap<Hash, Hold>
  /** Pre-confirmed transactions to be dropped at the seal, and whether they return to the pool. */
  readonly dropsAtSeal: PersistentMap<Hash, 'repool' | 'drop'>
  /** The most transactions that the pool holds, instead of the limits'. */
  readonly poolLimit: number | undefined
}

export const NO_CONTROLS: Controls = {
  nextBaseFee: undefined,
  nextPrevRandao: undefined,
  timestampIntervalS: undefined,
  minimumTip: undefined,
  leastGasPrice: 0n,
  accounts: new Map(),
  newAccounts: 0,
  impersonated: PersistentMap.empty(),
  impersonatesAll: false,
  impersonatedSignatures: PersistentMap.empty(),
  faults: [],
  faultsAdded: 0,
  scheduler: undefined,
  holds: PersistentMap.empty(),
  dropsAtSeal: PersistentMap.empty(),
  poolLimit: undefined,
}

/** The controls without what applied to the next block alone. */
export function withoutNext(controls: Controls): Controls {
  const { nextBaseFee, nextPrevRandao } = controls
  if (nextBaseFee === undefined && nextPrevRandao === undefined) return controls
  return { ...controls, nextBaseFee: undefined, nextPrevRandao: undefined }
}
