// The tries of an upstream at the block of a fork, as far as proofs have shown their nodes.

import { type Address, bytesToHex, equalBytes, type Hash, hexToBytes } from '../primitives/hex.ts'
import { decodeItem } from '../primitives/rlp.ts'
import type { MissingNode } from '../state/miss.ts'
import type { ProvenBase } from '../state/overlay-map.ts'
import { trieKeyOf } from '../state/state-tries.ts'
import { type Trie, trieGet, trieRoot, unknownOnPath } from '../state/trie.ts'
import { type NodeSource, trieAt } from '../state/trie-nodes.ts'
import { EMPTY_CODE } from '../state/world-state.ts'

/** RLP of nodes by their hashes. */
export type Nodes = ReadonlyMap<Hash, Uint8Array>

const EMPTY_ROOT = trieRoot(undefined)

export function trieWithRoot(root: Uint8Array, source: NodeSource): Trie {
  return equalBytes(root, EMPTY_ROOT) ? undefined : trieAt(root, source)
}

/** The fields of an account in the trie (yellow paper, 4.1). */
export interface AccountFields {
  readonly nonce: Uint8Array
  readonly balance: Uint8Array
  readonly storageRoot: Uint8Array
  readonly codeHash: Uint8Array
}

const NO_ACCOUNT: AccountFields = {
  nonce: new Uint8Array(0),
  balance: new Uint8Array(0),
  storageRoot: EMPTY_ROOT,
  codeHash: EMPTY_CODE.hash,
}

/** The fields of an account; those of an empty one for an address that the trie does not have. */
export function accountFields(value: Uint8Array | undefined): AccountFields {
  if (value === undefined) return NO_ACCOUNT
  const [nonce, balance, storageRoot, codeHash] = decodeItem(value) as Uint8Array[]
  return { nonce, balance, storageRoot, codeHash } as AccountFields
}

interface Missing {
  readonly proofs: ProvenBase['miss']
  readonly nodes: (nodes: readonly MissingNode[]) => never
}

export interface ProvenTries {
  readonly accounts: ProvenBase
  readonly storageOf: (address: Address) => ProvenBase
}

/** The tries of a block with a state root. */
export function createProvenTries(nodes: Nodes, root: Hash, missing: Missing): ProvenTries {
  const sourceOf = (owner: Address | undefined): NodeSource => ({
    get: (hash) => nodes.get(bytesToHex(hash)),
    miss: (prefix, hash) => missing.nodes([{ owner, prefix, hash: bytesToHex(hash) }]),
  })
  const accountTrie = trieWithRoot(hexToBytes(root), sourceOf(undefined))
  const storageTries = new Map<Address, Trie>()
  function storageTrie(address: Address): Trie {
    if (!storageTries.has(address)) {
      const key = trieKeyOf(address)
      if (unknownOnPath(accountTrie, key) !== undefined) missing.proofs(new Map([[address, new Set()]]))
      const { storageRoot } = accountFields(trieGet(accountTrie, key))
      storageTries.set(address, trieWithRoot(storageRoot, sourceOf(address)))
    }
    return storageTries.get(address)
  }
  return {
    accounts: { trie: () => accountTrie, miss: missing.proofs },
    storageOf: (address) => ({ trie: () => storageTrie(address), miss: missing.proofs }),
  }
}
