// A layer 1 and the layers 2 on it as one immutable value. It follows from the state of any of its nodes, so that a
// snapshot of one is a snapshot of all.

import type { NodeState } from '../../core/node/node-state.ts'
import type { L1Block } from '../../core/node/rollup/origins.ts'
import type { Address, Hash } from '../../core/primitives/hex.ts'
import type { PersistentMap } from '../../core/primitives/persistent-map.ts'
import type { BatchRules, ChannelLimits, OpenChannel } from './derivation/batch-rules.ts'
import type { L1Addresses } from './l1-addresses.ts'

/** An account that sends transactions on the layer 1; without its key, as on a fork, it is impersonated. */
export interface Sender {
  readonly address: Address
  readonly privateKey?: Uint8Array
}

/** Fixed for one layer 2 of a pair. */
export interface Layer2Config {
  readonly blockTimeS: number
  readonly addresses: L1Addresses
  readonly batchInbox: Address
  readonly rules: BatchRules & ChannelLimits
  /** The number of L1 blocks that must be above one before the sequencer adopts it as origin. */
  readonly l1ConfirmationDepth: number
  readonly batcher: {
    readonly sender: Sender
    readonly intervalMs: number
    /** The most bytes of input of a transaction. */
    readonly mostBytes: number
  }
  readonly proposer: {
    readonly sender: Sender
    readonly intervalMs: number
    /** The type of the games that it creates. */
    readonly gameType: number
    /** Wei for each game. */
    readonly bond: bigint
    /** Until a game without challenges can be resolved; `undefined` for games of another kind, which it cannot create. */
    readonly gameMs: number | undefined
  }
}

/** Fixed for the life of a pair and its clones. */
export interface PairConfig {
  readonly chains: readonly Layer2Config[]
}

/** The proposer's games that are not resolved, with the seconds at which they were created, in that order. */
export type Games = readonly (readonly [game: Address, createdAt: number])[]

/** The state of derivation after an L1 block. */
export interface Derived {
  /** The channel whose last frame is still to come. */
  readonly channel: OpenChannel | undefined
  /** The number of the last L2 block that follows from the layer 1 up to this block. */
  readonly safe: number
  readonly games: Games
}

/** A layer 2, with the layer 1 as its nodes know it. */
export interface ChainState {
  readonly l2: NodeState
  /** The L1 blocks that were read, by number. */
  readonly read: PersistentMap<number, L1Block>
  readonly lastRead: number
  readonly derived: PersistentMap<number, Derived>
  readonly lastDerived: number
  readonly batcher: {
    readonly isWithheld: boolean
    readonly nextAtMs: number
    /** The last block that was posted; `undefined` if that is not known, as after a reorganisation of the layer 1. */
    readonly posted: { readonly number: number; readonly hash: Hash } | undefined
  }
  readonly proposer: {
    readonly isWithheld: boolean
    readonly nextAtMs: number
    /** The number of the last L2 block that was proposed. */
    readonly proposed: number
    /** Games whose resolution was sent. */
    readonly resolving: ReadonlySet<Address>
  }
  /** Block production before the sequencer was stopped. */
  readonly stopped: Pick<NodeState['settings'], 'automines' | 'sealsOnTime'> | undefined
}

export interface PairState {
  readonly l1: NodeState
  readonly chains: readonly ChainState[]
}
