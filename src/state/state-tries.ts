// Account and storage tries of a world state. An update starts from an earlier version and applies the differences, so
// its cost depends only on what a block has changed.

import { keccak256 } from '../primitives/crypto.ts'
import { encodeItems } from '../primitives/encode-rlp.ts'
import { type Address, bytesToHex, EMPTY_BYTES, type Hash, hexToBytes } from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import { encodeBytes } from '../primitives/rlp.ts'
import { type Account, EMPTY_STORAGE, type Storage } from './account.ts'
import { type Trie, trieProof, trieRoot, trieSet } from './trie.ts'
import { EMPTY_WORLD_STATE, readAccount, type WorldState } from './world-state.ts'

/** A world state with the tries that commit to it. */
export interface CommittedState {
  readonly state: WorldState
  readonly accountTrie: Trie
  readonly storageTries: PersistentMap<Address, NonNullable<Trie>>
}

export const EMPTY_COMMITTED_STATE: CommittedState = {
  state: EMPTY_WORLD_STATE,
  accountTrie: undefined,
  storageTries: PersistentMap.empty(),
}

const TRIE_KEY_CACHE_SIZE = 20_000
const trieKeys = new Map<string, Uint8Array>()

/** keccak-256 of an address or a slot; cached, because blocks change the same few again and again. */
export function trieKeyOf(hex: Address | Hash): Uint8Array {
  let key = trieKeys.get(hex)
  if (key === undefined) {
    key = keccak256(hexToBytes(hex))
    if (trieKeys.size >= TRIE_KEY_CACHE_SIZE) trieKeys.clear()
    trieKeys.set(hex, key)
  }
  return key
}

function updateStorageTrie(trie: Trie, before: Storage, after: Storage): Trie {
  let updated = trie
  before.visitChanges(after, (slot, _, value) => {
    updated = trieSet(updated, trieKeyOf(slot), value === undefined ? EMPTY_BYTES : encodeBytes(value))
  })
  return updated
}

function encodeAccount(account: Account, storageRoot: Uint8Array): Uint8Array {
  return encodeItems([account.nonce, account.balance, storageRoot, account.code.hash])
}

/** Computes the tries of `state` from those of another committed state, usually an earlier one. */
export function commitState(from: CommittedState, state: WorldState): CommittedState {
  let { accountTrie, storageTries } = from
  from.state.visitChanges(state, (address, before, after) => {
    const storageBefore = before?.storage ?? EMPTY_STORAGE
    const storageAfter = after?.storage ?? EMPTY_STORAGE
    let storageTrie: Trie = storageTries.get(address)
    if (storageBefore !== storageAfter) {
      storageTrie = updateStorageTrie(storageTrie, storageBefore, storageAfter)
      storageTries =
        storageTrie === undefined ? storageTries.delete(address) : storageTries.set(address, storageTrie)
    }
    const encoded = after === undefined ? EMPTY_BYTES : encodeAccount(after, trieRoot(storageTrie))
    accountTrie = trieSet(accountTrie, trieKeyOf(address), encoded)
  })
  return { state, accountTrie, storageTries }
}

/** Lazy committed state → the state whose tries it will start from, until its own are computed. */
const uncommitted = new WeakMap<CommittedState, CommittedState>()

/** Lazy `commitState`: the first access computes the tries, so that many edits cost one update. */
export function commitStateLater(from: CommittedState, state: WorldState): CommittedState {
  const start = uncommitted.get(from) ?? from
  let committed: CommittedState | undefined
  const commit = (): CommittedState => {
    committed ??= commitState(start, state)
    uncommitted.delete(lazy)
    return committed
  }
  const lazy: CommittedState = {
    state,
    get accountTrie() {
      return commit().accountTrie
    },
    get storageTries() {
      return commit().storageTries
    },
  }
  uncommitted.set(lazy, start)
  return lazy
}

export function stateRoot(committed: CommittedState): Hash {
  return bytesToHex(trieRoot(committed.accountTrie))
}

export function storageRoot(committed: CommittedState, address: Address): Hash {
  return bytesToHex(trieRoot(committed.storageTries.get(address)))
}

/** Merkle proofs of an account and some of its slots, of inclusion or absence (EIP-1186). */
export interface AccountProof {
  readonly account: Account
  readonly storageRoot: Hash
  readonly accountProof: readonly Uint8Array[]
  readonly storageProofs: readonly { readonly value: Uint8Array; readonly proof: readonly Uint8Array[] }[]
}

export function proveAccount(
  committed: CommittedState,
  address: Address,
  slots: readonly Hash[],
): AccountProof {
  const account = readAccount(committed.state, address)
  const storageTrie = committed.storageTries.get(address)
  return {
    account,
    storageRoot: storageRoot(committed, address),
    accountProof: trieProof(committed.accountTrie, trieKeyOf(address)),
    storageProofs: slots.map((slot) => ({
      value: account.storage.get(slot) ?? EMPTY_BYTES,
      proof: trieProof(storageTrie, trieKeyOf(slot)),
    })),
  }
}
