// The Merkle commitments of a world state. They are brought up to date from an earlier version by what has
// changed between the two, so a block pays for what it touched and for nothing else.

import { keccak256 } from '../primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  bytesToHex,
  EMPTY_BYTES,
  type Hash,
  hexToBytes,
} from '../primitives/hex.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import { encodeBytes, encodeBytesList } from '../primitives/rlp.ts'
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

/** keccak-256 of an address or a slot, remembered: the same few are hashed block after block. */
function trieKeyOf(hex: Address | Hash): Uint8Array {
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
  return encodeBytesList([
    bigIntToBytes(account.nonce),
    bigIntToBytes(account.balance),
    storageRoot,
    account.code.hash,
  ])
}

/** Commits to `state`, starting from the tries of an earlier (or any other) committed state. */
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

/** The committed state whose tries a later one starts from, as long as nobody has asked for its own. */
const uncommitted = new WeakMap<CommittedState, CommittedState>()

/** The same as `commitState`, but the tries are made when somebody looks at them: many edits cost one commitment. */
export function commitStateLater(from: CommittedState, state: WorldState): CommittedState {
  const start = uncommitted.get(from) ?? from
  let committed: CommittedState | undefined
  const commit = (): CommittedState => {
    committed ??= commitState(start, state)
    uncommitted.delete(later)
    return committed
  }
  const later: CommittedState = {
    state,
    get accountTrie() {
      return commit().accountTrie
    },
    get storageTries() {
      return commit().storageTries
    },
  }
  uncommitted.set(later, start)
  return later
}

export function stateRoot(committed: CommittedState): Hash {
  return bytesToHex(trieRoot(committed.accountTrie))
}

export function storageRoot(committed: CommittedState, address: Address): Hash {
  return bytesToHex(trieRoot(committed.storageTries.get(address)))
}

/** Proofs of an account and of some of its slots, present or absent (EIP-1186). */
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
