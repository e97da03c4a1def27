// Record of a chain's events, for comparison with its blocks.

import assert from 'node:assert/strict'
import type { Emulator } from '../../src/index.ts'
import type { Address, Hash } from '../../src/primitives/hex.ts'
import type { Fates } from './fates.ts'

/** What edits have done to a block while it was being built. */
export interface Edited {
  /** Wei that accounts have there beyond what they had before it and got in it. */
  readonly gain: bigint
  /** Whose nonces and balances do not follow from its transactions. */
  readonly accounts: ReadonlySet<Address>
}

export const UNEDITED: Edited = { gain: 0n, accounts: new Set() }

/** What events have told of the block being built, and of who came when. */
export interface Story {
  partials: readonly (readonly Hash[])[]
  /** Of the last partial block; unknown after a reorganisation, which leaves the schedule as it is. */
  lastIndex: number | undefined
  /** Blocks that a reorganisation seals have no partial blocks. */
  isReorganising: boolean
  /** Whether the command that is performed has broken promises. */
  hasBroken: boolean
  /** What a listener has found wrong; to throw it there would not stop the chain. */
  failure: unknown
  arrivals: ReadonlyMap<Hash, number>
  /** Partial blocks by the hash of their block. */
  readonly partialsOf: Map<Hash, Story['partials']>
  fates: Fates
  edited: Edited
  /** The same of sealed blocks, by their hash. */
  readonly editedIn: Map<Hash, Edited>
  /** Accounts whose nonce was set lower: they may send the same transaction twice. */
  lowered: ReadonlySet<Address>
  /** The base fee that was asked for last. */
  askedBaseFee: bigint | undefined
}

export function createStory(): Story {
  return {
    partials: [],
    lastIndex: 0,
    isReorganising: false,
    hasBroken: false,
    failure: undefined,
    arrivals: new Map(),
    partialsOf: new Map(),
    fates: new Map(),
    edited: UNEDITED,
    editedIn: new Map(),
    lowered: new Set(),
    askedBaseFee: undefined,
  }
}

export function copyStory(story: Story): Story {
  return { ...story, arrivals: new Map(story.arrivals) }
}

/** A transaction stands behind all that came before; so does a replacement, and one that comes back. */
function arrive({ arrivals }: Story, hash: Hash): void {
  ;(arrivals as Map<Hash, number>).set(hash, Math.max(-1, ...arrivals.values()) + 1)
}

/** Listens to a chain; partial blocks of a block must make up the sealed block. */
export function follow(chain: Emulator, current: () => Story): void {
  chain.on('listenerError', ({ error }) => {
    current().failure = error
  })
  chain.on('pendingTransaction', ({ transactionHash }) => arrive(current(), transactionHash))
  chain.on('partialBlock', ({ index, transactionHashes }) => {
    const story = current()
    if (story.lastIndex !== undefined) assert.equal(index, story.lastIndex + 1, 'partial blocks are counted')
    story.lastIndex = index
    story.partials = [...story.partials, transactionHashes]
  })
  chain.on('sealedBlock', ({ hash, transactionHashes }) => {
    const story = current()
    if (!story.isReorganising)
      assert.deepEqual(transactionHashes, story.partials.flat(), 'a block is its partial blocks')
    story.partialsOf.set(hash, story.partials)
    story.partials = []
    story.editedIn.set(hash, story.edited)
    story.edited = UNEDITED
    story.lastIndex = story.isReorganising ? undefined : 0
  })
  chain.on('orphanedBlocks', () => {
    const story = current()
    story.isReorganising = true
    story.partials = []
    story.edited = UNEDITED
    story.lastIndex = undefined
  })
  chain.on('unincludedTransaction', ({ transactionHash, isPooled, reason }) => {
    const story = current()
    if (reason === 'preconfirmationDropped') story.hasBroken = true
    // The block is built anew, on the state that the edits have made.
    story.edited = UNEDITED
    story.partials = story.partials.map((hashes) => hashes.filter((hash) => hash !== transactionHash))
    if (isPooled) arrive(story, transactionHash)
  })
}
