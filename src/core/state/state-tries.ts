// Account and storage tries of a world state. An update starts from an earlier version and applies the differences, so
// its cost depends only on what a block has changed.

import { keccak256, keccakInput, keccakOfInput } from '../primitives/crypto.ts'
import type { Hash } from '../primitives/hex.ts'
import * as bytes from '../primitives/hex.ts'
import type { DifferenceVisitor } from '../primitives/immutable-map.ts'
import { memoizeMany } from '../primitives/lru-cache.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import { type Encodable, encodeBytes, encodeItems } from '../primitives/rlp.ts'
import { type MapBase, Miss, type ProvenBase } from './overlay-map.ts'
import { addSlot, FoundChanges, isSameCode } from './state-changes.ts'
import { beginUpdate, type Trie, trieRoot, trieSet, unknownOnPath } from './trie.ts'
import type { TrieNode } from './trie-nodes.ts'
import type { Storage } from './world-state.ts'
import * as world from './world-state.ts'

/** A world state with the tries that commit to it. */
export interface CommittedState {
  readonly state: world.WorldState
  readonly accountTrie: Trie
  /** Tries of accounts that have slots or were written to; `null` for one that is empty, while its base may not be. */
  readonly storageTries: PersistentMap<bytes.Address, TrieNode | null>
  /** Found with the tries; not over a base, of which tries have other differences. */
  readonly changes?: FoundChanges | undefined
}

export const EMPTY_COMMITTED_STATE: CommittedState = {
  state: world.EMPTY_WORLD_STATE,
  accountTrie: undefined,
  storageTries: PersistentMap.empty(),
}

function hashOfHex(hex: bytes.Hex): Uint8Array {
  bytes.putHex(keccakInput(), 0, hex)
  return keccakOfInput(0, (hex.length - 2) / 2)
}

/** The digits before those of a slot below 256, and of one below 2^32. */
const VARIABLE = `0x${'00'.repeat(31)}`
const NUMBERED = `0x${'00'.repeat(28)}`

/** Memoized, because blocks change the same few addresses and slots again and again. */
const keptTrieKey = memoizeMany(20_000, hashOfHex)

/**
 * keccak-256 of an address or a slot. The numbered slots beyond those of variables are not kept: each block writes others
 * of the rings of EIP-4788 and EIP-2935.
 */
export function trieKeyOf(hex: bytes.Address | Hash): Uint8Array {
  return hex.startsWith(NUMBERED) && !hex.startsWith(VARIABLE) ? hashOfHex(hex) : keptTrieKey(hex)
}

/** Visits the slots that were written to come from one storage to another, or from its base to the other. */
function visitWritten(before: Storage, after: Storage, visit: DifferenceVisitor<Hash, Uint8Array>): void {
  const from = before.base === after.base ? before : after.untouched
  from.visitWrites(after, visit)
}

function startTrie(
  tries: CommittedState['storageTries'],
  address: bytes.Address,
  before: Storage,
  after: Storage,
): Trie {
  const written = before.base === after.base ? tries.get(address) : undefined
  return written === undefined ? untouchedTrie(after) : (written ?? undefined)
}

/** True if the base of a storage has a value in a slot. */
function isInBase(base: MapBase<Hash, Uint8Array>, slot: Hash, value: Uint8Array | undefined): boolean {
  if (base.isOverwritten === true) return false
  return bytes.equalBytes(base.get(slot) ?? bytes.EMPTY_BYTES, value ?? bytes.EMPTY_BYTES)
}

/** The storage trie after writes, which are added to `slots`. That of a storage whose base has no trie has the slots that differ, with zeros. */
function storageTrieAfter(
  start: Trie,
  before: Storage,
  after: Storage,
  misses: Miss[],
  slots: Encodable[],
): Trie {
  const update = createUpdate(start, misses)
  const base = hasSyntheticTrie(after) ? (after.base as MapBase<Hash, Uint8Array>) : undefined
  visitWritten(before, after, (slot, old, value) => {
    addSlot(slots, slot, old, value)
    const isAbsent = base === undefined ? value === undefined : isInBase(base, slot, value)
    update.set(trieKeyOf(slot), isAbsent ? bytes.EMPTY_BYTES : encodeBytes(value ?? bytes.EMPTY_BYTES))
  })
  return update.finish()
}

/** The tries below a state or a storage, if it stands on a base that has them. */
export function provenBaseOf(map: world.WorldState | Storage): ProvenBase | undefined {
  return (map.base as MapBase<bytes.Hex, unknown> | undefined)?.proven
}

/** True if the tries stand on a base that has none: then they hold what differs from the base. */
export function hasSyntheticTrie(map: world.WorldState | Storage): boolean {
  return map.base !== undefined && provenBaseOf(map) === undefined
}

/** In a trie over a base: an account that is deleted. No encoding of an account is as short. */
const DELETED_ACCOUNT = encodeBytes(bytes.EMPTY_BYTES)

const BASE_KEY = bytes.utf8ToBytes('fork')

/** Adds what a trie stands on, below a key that is the hash of no address and no slot. */
function trieOver(trie: Trie, base: Uint8Array): Trie {
  return trieSet(trie, keccak256(BASE_KEY), base)
}

/** The storage trie of a storage that nobody wrote to. */
function untouchedTrie(storage: Storage): Trie {
  return provenBaseOf(storage)?.trie()
}

/**
 * A state over a base that nobody wrote to. Without tries of the base, the roots of later states commit to its root and
 * to what differs from it; they are not those that the whole state has.
 */
export function commitOver(state: world.WorldState, root: Hash): CommittedState {
  const proven = provenBaseOf(state)
  const accountTrie = proven === undefined ? trieOver(undefined, bytes.hexToBytes(root)) : proven.trie()
  return { state, accountTrie, storageTries: PersistentMap.empty() }
}

export function storageTrieOf(
  { state, storageTries }: Pick<CommittedState, 'state' | 'storageTries'>,
  address: bytes.Address,
): Trie {
  const written = storageTries.get(address)
  return written === undefined
    ? untouchedTrie(world.readAccount(state, address).storage)
    : (written ?? undefined)
}

/**
 * Sets keys of a trie, and removes those with empty values at the end: a removal then needs no node that an addition
 * keeps apart. Gathers the misses of removals.
 */
function createUpdate(start: Trie, misses: Miss[]) {
  const number = beginUpdate()
  let trie = start
  const removed: Uint8Array[] = []
  return {
    set(key: Uint8Array, value: Uint8Array): void {
      if (value.length === 0) removed.push(key)
      else trie = trieSet(trie, key, value, number)
    },
    finish(): Trie {
      for (const key of removed) {
        try {
          trie = trieSet(trie, key, bytes.EMPTY_BYTES)
        } catch (error) {
          if (!(error instanceof Miss)) throw error
          misses.push(error)
        }
      }
      return trie
    },
  }
}

function encodeAccount(account: world.Account, storageRoot: Uint8Array): Uint8Array {
  return encodeItems([account.nonce, account.balance, storageRoot, account.code.hash])
}

/** The entry of an account in a trie over a base that has none; empty for an account that is as it is there. */
function encodeDifference(
  below: world.Account | undefined,
  after: world.Account | undefined,
  storageTrie: Trie,
): Uint8Array {
  const isSameStorage = storageTrie === undefined && below?.storage.base === after?.storage.base
  if (isSameStorage && isSameBesidesStorage(below, after)) return bytes.EMPTY_BYTES
  if (after === undefined) return DELETED_ACCOUNT
  const isStartedAnew = below?.storage.base !== undefined && after.storage.base === undefined
  return encodeAccount(after, trieRoot(isStartedAnew ? trieOver(storageTrie, BASE_KEY) : storageTrie))
}

export function isSameBesidesStorage(
  before: world.Account | undefined,
  after: world.Account | undefined,
): boolean {
  if (before === undefined || after === undefined) return before === after
  const { nonce, balance, code } = after
  return nonce === before.nonce && balance === before.balance && isSameCode(before.code, code)
}

/** Accounts and slots with unknown nodes on their paths. */
export type UnknownKeys = Map<bytes.Address, Set<Hash>>

/** Adds an account, if its path is unknown, and those of its slots whose paths are. */
export function addUnknown(
  keys: UnknownKeys,
  accountTrie: Trie,
  address: bytes.Address,
  slots: ReadonlySet<Hash>,
  storageTrie: () => Trie,
): void {
  const isUnknown = unknownOnPath(accountTrie, trieKeyOf(address)) !== undefined
  const unknown = [...slots].filter(
    (slot) => isUnknown || unknownOnPath(storageTrie(), trieKeyOf(slot)) !== undefined,
  )
  if (isUnknown || unknown.length > 0) keys.set(address, new Set(unknown))
}

/** Throws a `Miss` of what has to be known to commit to a later state. */
function expectPathsTo(state: world.WorldState, from: CommittedState, base: ProvenBase): void {
  const keys: UnknownKeys = new Map()
  from.state.visitChanges(state, (address, before, after) => {
    const storageBefore = before?.storage ?? world.EMPTY_STORAGE
    const storageAfter = after?.storage ?? world.EMPTY_STORAGE
    const slots = new Set<Hash>()
    if (storageBefore !== storageAfter && provenBaseOf(storageAfter) !== undefined)
      visitWritten(storageBefore, storageAfter, (slot) => slots.add(slot))
    addUnknown(keys, from.accountTrie, address, slots, () =>
      startTrie(from.storageTries, address, storageBefore, storageAfter),
    )
  })
  if (keys.size > 0) base.miss(keys)
}

/**
 * Computes the tries of `state` from those of another committed state, usually an earlier one. Over a base with tries,
 * throws a `Miss` of what is not known of them.
 */
export function commitState(from: CommittedState, state: world.WorldState): CommittedState {
  const proven = provenBaseOf(state)
  if (proven !== undefined) expectPathsTo(state, from, proven)
  let { storageTries } = from
  const misses: Miss[] = []
  const accounts = createUpdate(from.accountTrie, misses)
  const base = hasSyntheticTrie(state) ? (state.base as MapBase<bytes.Address, world.Account>) : undefined
  const hasBase = from.state.base !== undefined || state.base !== undefined
  const changes = hasBase ? undefined : new FoundChanges(from.state)
  from.state.visitChanges(state, (address, before, after) => {
    const storageBefore = before?.storage ?? world.EMPTY_STORAGE
    const storageAfter = after?.storage ?? world.EMPTY_STORAGE
    const slots: Encodable[] = []
    let isSame = isSameBesidesStorage(before, after)
    if (storageBefore !== storageAfter) {
      const start = startTrie(storageTries, address, storageBefore, storageAfter)
      const trie = storageTrieAfter(start, storageBefore, storageAfter, misses, slots)
      const isEmpty = trie === undefined
      isSame &&= trie === start && storageBefore.base === storageAfter.base
      storageTries =
        isEmpty && storageAfter.base === undefined
          ? storageTries.delete(address)
          : storageTries.set(address, trie ?? null)
    }
    changes?.add(address, before, after, slots)
    if (isSame) return
    const storageTrie = after && storageTrieOf({ state, storageTries }, address)
    const entry =
      base !== undefined
        ? encodeDifference(base.get(address), after, storageTrie)
        : after === undefined
          ? bytes.EMPTY_BYTES
          : encodeAccount(after, trieRoot(storageTrie))
    accounts.set(trieKeyOf(address), entry)
  })
  const accountTrie = accounts.finish()
  const missed = Miss.ofNodes(misses)
  if (missed !== undefined) throw missed
  return { state, accountTrie, storageTries, changes }
}

/** A committed state whose tries are computed on first use. A class, because getters in a literal stay in memory. */
class UncommittedState implements CommittedState {
  readonly state: world.WorldState
  /** The state whose tries they start from, until they are computed. */
  #start: CommittedState | undefined
  #committed: CommittedState | undefined = undefined

  constructor(from: CommittedState, state: world.WorldState) {
    this.#start = (from instanceof UncommittedState && from.#start) || from
    this.state = state
  }

  private commit(): CommittedState {
    if (this.#committed === undefined) {
      this.#committed = commitState(this.#start as CommittedState, this.state)
      this.#start = undefined
    }
    return this.#committed
  }

  get accountTrie(): Trie {
    return this.commit().accountTrie
  }

  get storageTries(): CommittedState['storageTries'] {
    return this.commit().storageTries
  }
}

/** Lazy `commitState`: the first access computes the tries, so that many edits cost one update. */
export function commitStateLater(from: CommittedState, state: world.WorldState): CommittedState {
  return new UncommittedState(from, state)
}

export function stateRoot(committed: CommittedState): Hash {
  return bytes.bytesToHex(trieRoot(committed.accountTrie))
}

export function storageRoot(committed: CommittedState, address: bytes.Address): Hash {
  return bytes.bytesToHex(trieRoot(storageTrieOf(committed, address)))
}
