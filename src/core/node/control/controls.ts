// The controls that a test has set. They are part of the state: a snapshot keeps them, a revert undoes them.

import type { SignerOverrides } from '../../execution/evm/pooled-evm.ts'
import type { Address, Hash, Hex } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'

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
  readonly newAccounts: number
  readonly impersonated: PersistentMap<Address, true>
  readonly impersonatesAll: boolean
  /** Signers that ecrecover returns for given signatures. */
  readonly impersonatedSignatures: SignerOverrides
  /** The faults of requests, in the order in which a request meets them. */
  readonly faults: readonly ArmedFault[]
  readonly faultsAdded: number
  /** Orders the transactions of a partial block, instead of the setting `ordering`. */
  readonly scheduler: Scheduler | undefined
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

export function withoutNext(controls: Controls): Controls {
  const { nextBaseFee, nextPrevRandao } = controls
  if (nextBaseFee === undefined && nextPrevRandao === undefined) return controls
  return { ...controls, nextBaseFee: undefined, nextPrevRandao: undefined }
}

export type FaultAnswer =
  | {
      readonly kind: 'error'
      readonly code: number
      readonly message: string
      readonly data: Hex | undefined
    }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }

export interface FaultEffect {
  readonly answer: FaultAnswer | undefined
  /** Virtual milliseconds from the request to its answer. */
  readonly delayMs: number | undefined
  /** The lost part: the request before it is carried out, or its answer afterwards. */
  readonly lost: 'request' | 'answer' | undefined
  /** For reads: how many blocks behind the head the answering node is. */
  readonly blocksBehind: number | undefined
}

export interface FaultRule extends FaultEffect {
  /** Method names; a star at the end matches any rest. */
  readonly methods: readonly string[]
  readonly concerns: ((params: readonly unknown[]) => unknown) | undefined
  /** Number of matching requests that are spared first. */
  readonly after: number
  /** Among those after them, each `every`-th may go wrong. */
  readonly every: number
  readonly probability: number
  /** The most requests that go wrong. */
  readonly times: number
}

export interface ArmedFault {
  readonly id: number
  readonly rule: FaultRule
  /** Requests that matched. */
  readonly met: number
  /** Requests that went wrong. */
  readonly fired: number
  /** The last hash of the keccak chain that decides by chance whether it fires. */
  readonly chance: Hash
}

export interface FaultableRequest {
  readonly method: string
  readonly kind: 'read' | 'command'
  readonly params: readonly unknown[]
}

export type Hold =
  | { readonly until: 'released' }
  /** `left` partial blocks. */
  | { readonly until: 'partials'; readonly left: number }
  | { readonly until: 'block'; readonly number: number }
  | { readonly until: 'time'; readonly ms: number }

/** A transaction that could be in a partial block, as a scheduler sees it. */
export interface Candidate {
  readonly hash: Hash
  readonly from: Address
  /** Absent if it creates a contract. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly value: bigint
  readonly input: Hex
  readonly gasLimit: bigint
  /** Income of the block producer, in wei per gas. */
  readonly effectiveTip: bigint
  /** The number of its arrival in the pool. */
  readonly arrival: number
}

/** A partial block that is about to be filled. */
export interface PartialPlan {
  readonly blockNumber: number
  /** Counts from 1. */
  readonly partialIndex: number
  /** Virtual time in milliseconds. */
  readonly atMs: number
  /** The most gas that it may take, by the gas limits of its transactions. */
  readonly gasBudget: bigint
  /** In the order in which they would be tried; the nonces of a sender ascend. */
  readonly candidates: readonly Candidate[]
}

/** Returns the hashes of the transactions to try, in order; the others wait. */
export type Scheduler = (plan: PartialPlan) => readonly Hash[]
