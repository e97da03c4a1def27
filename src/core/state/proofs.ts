// Proofs of accounts and slots of a committed state.

import { type Address, EMPTY_BYTES, type Hash } from '../primitives/hex.ts'
import * as tries from './state-tries.ts'
import { storageTrieOf } from './state-tries.ts'
import { trieProof } from './trie.ts'
import { type Account, readAccount } from './world-state.ts'

/** Throws a `Miss` of the accounts and slots whose proofs a state over another chain cannot give yet. */
export function expectPaths(
  committed: tries.CommittedState,
  wanted: ReadonlyMap<Address, ReadonlySet<Hash>>,
): void {
  const base = tries.provenBaseOf(committed.state)
  if (base === undefined) return
  const keys: tries.UnknownKeys = new Map()
  for (const [address, slots] of wanted)
    tries.addUnknown(keys, committed.accountTrie, address, slots, () => storageTrieOf(committed, address))
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
  committed: tries.CommittedState,
  address: Address,
  slots: readonly Hash[],
): AccountProof {
  expectPaths(committed, new Map([[address, new Set(slots)]]))
  const account = readAccount(committed.state, address)
  const storageTrie = storageTrieOf(committed, address)
  return {
    account,
    storageRoot: tries.storageRoot(committed, address),
    accountProof: trieProof(committed.accountTrie, tries.trieKeyOf(address)),
    storageProofs: slots.map((slot) => ({
      value: account.storage.get(slot) ?? EMPTY_BYTES,
      proof: trieProof(storageTrie, tries.trieKeyOf(slot)),
    })),
  }
}
