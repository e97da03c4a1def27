// Proofs of accounts and slots of a committed state.

import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import type { Account } from './account.ts'
import {
  addUnknown,
  type CommittedState,
  provenBaseOf,
  storageRoot,
  storageTrieOf,
  trieKeyOf,
  type UnknownKeys,
} from './state-tries.ts'
import { trieProof } from './trie.ts'
import { readAccount } from './world-state.ts'

/** Throws a `Miss` of the accounts and slots whose proofs a state over another chain cannot give yet. */
export function expectPaths(
  committed: CommittedState,
  wanted: ReadonlyMap<Address, ReadonlySet<Hash>>,
): void {
  const base = provenBaseOf(committed.state)
  if (base === undefined) return
  const keys: UnknownKeys = new Map()
  for (const [address, slots] of wanted)
    addUnknown(keys, committed.accountTrie, address, slots, () => storageTrieOf(committed, address))
  if (keys.size > 0) base.miss(keys)
}

/** Merkle proofs of an account and some of its slots, of inclusion or absence (EIP-1186). */
interface AccountProof {
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
  expectPaths(committed, new Map([[address, new Set(slots)]]))
  const account = readAccount(committed.state, address)
  const storageTrie = storageTrieOf(committed, address)
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
