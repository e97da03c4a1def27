// Record of a chain's events, for comparison with its blocks.

import assert from 'node:assert/strict'
import type { Address, Hash } from '../../src/core/primitives/hex.ts'
import type { Emulator } from '../../src/index.ts'
import type { Fates } from './fates.ts'

/** The effects of edits on an open block. */
export interface Edited {
  /** Wei that edits added to the accounts in the block. */
  readonly gain: bigint
  /** Accounts whose nonces and balances do not follow from its transactions. */
  readonly accounts: ReadonlySet<Address>
}

export const UNEDITED: Edited = { gain: 0n, accounts: new Set() }

/** The open block and the order of arrivals, from events. */
export interface Story {
  partials: readonly (readonly Hash[])[]
  /** Of the last partial block; unknown after a reorganisation, which does not change the schedule. */
  lastIndex: number | undefined
  /** Whether the first of them is a rollup's opening. */
  hasOpening: boolean
  /** True while a reorganisation seals blocks, which have no partial blocks. */
  isReorganising: boolean
  /** Whether the current command drops pre-confirmed transactions. */
  hasBroken: boolean
  /** Errors found by a listener; throwing them there would not stop the chain. */
  failure: unknown
  arrivals: ReadonlyMap<Hash, number>
  /** Partial blocks by the hash of their block. */
  readonly partialsOf: Map<Hash, Story['partials']>
  fates: Fates
  edited: Edited
  /** The same for sealed blocks, by hash. */
  readonly editedIn: Map<Hash, Edited>
  /** Accounts with a lowered nonce, which may send the same transaction twice. */
  lowered: ReadonlySet<Address>
  /** The hashes of a rollup's deposits. */
  deposits: ReadonlySet<Hash>
  /** The last requested base fee. */
  askedBaseFee: bigint | undefined
}

export function createStory(): Story {
  return {
    partials: [],
    lastIndex: 0,
    hasOpening: false,
    isReorganising: false,
    hasBroken: false,
    failure: undefined,
    arrivals: new Map(),
    partialsOf: new Map(),
    fates: new Map(),
    edited: UNEDITED,
    editedIn: new Map(),
    lowered: new Set(),
    deposits: new Set(),
    askedBaseFee: undefined,
  }
}

export function copyStory(story: Story): Story {
  return { ...story, arrivals: new Map(story.arrivals) }
}

/** A new transaction, a replacement or a returned one is behind all earlier ones. */
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
    // The deposits that open a rollup's block; told once more if others take their place.
    if (index === 0) {
      const rest = story.partials.slice(story.hasOpening ? 1 : 0)
      // What stays pre-confirmed in a reorganisation is not told again.
      if (!story.isReorganising) assert.deepEqual(rest.flat(), [], 'the opening comes first')
      story.partials = [transactionHashes, ...rest]
      story.hasOpening = true
      return
    }
    if (story.lastIndex !== undefined) assert.equal(index, story.lastIndex + 1, 'partial blocks are counted')
    story.lastIndex = index
    story.partials = [...story.partials, transactionHashes]
  })
  chain.on('sealedBlock', ({ hash, transactionHashes }) => {
    const story = current()
    if (!story.isReorganising)
      assert.deepEqual(transactionHashes, story.partials.flat(), 'a block is its partial blocks')
    // A block of a reorganisation has no partial blocks; what stays pre-confirmed is still to be sealed.
    story.partialsOf.set(hash, story.isReorganising ? [] : story.partials)
    if (!story.isReorganising) {
      story.partials = []
      story.hasOpening = false
    }
    story.editedIn.set(hash, story.edited)
    story.edited = UNEDITED
    story.lastIndex = story.isReorganising ? undefined : 0
  })
  chain.on('orphanedBlocks', () => {
    const story = current()
    story.isReorganising = true
    story.edited = UNEDITED
    story.lastIndex = undefined
  })
  chain.on('unincludedTransaction', ({ transactionHash, isPooled, reason }) => {
    const story = current()
    if (reason === 'preconfirmationDropped') story.hasBroken = true
    // The block is rebuilt on the edited state.
    story.edited = UNEDITED
    story.partials = story.partials.map((hashes) => hashes.filter((hash) => hash !== transactionHash))
    if (isPooled) arrive(story, transactionHash)
  })
}
