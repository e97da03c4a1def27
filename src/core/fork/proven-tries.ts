// The tries of an upstream at the block of a fork, as far as proofs have shown their nodes, and checks of these proofs
// against the state root.

import { keccak256 } from '../primitives/crypto.ts'
import * as hex from '../primitives/hex.ts'
import type { ForeignJson } from '../primitives/json-reader.ts'
import { decodeItem } from '../primitives/rlp.ts'
import type { MissingKey, ProvenBase } from '../state/overlay-map.ts'
import { trieKeyOf } from '../state/state-tries.ts'
import { type Trie, trieGet, trieRoot, unknownOnPath } from '../state/trie.ts'
import { type NodeSource, trieAt } from '../state/trie-nodes.ts'
import { EMPTY_CODE } from '../state/world-state.ts'

const EMPTY_ROOT = trieRoot(undefined)

function trieWithRoot(root: Uint8Array, source: NodeSource): Trie {
  return hex.equalBytes(root, EMPTY_ROOT) ? undefined : trieAt(root, source)
}

/** The fields of an account in the trie (yellow paper, 4.1). */
type AccountFields = Readonly<Record<'nonce' | 'balance' | 'storageRoot' | 'codeHash', Uint8Array>>

const NO_ACCOUNT: AccountFields = {
  nonce: new Uint8Array(0),
  balance: new Uint8Array(0),
  storageRoot: EMPTY_ROOT,
  codeHash: EMPTY_CODE.hash,
}

/** The fields of an account; those of an empty one for an address that the trie does not have. */
function accountFields(value: Uint8Array | undefined): AccountFields {
  if (value === undefined) return NO_ACCOUNT
  const [nonce, balance, storageRoot, codeHash] = decodeItem(value) as Uint8Array[]
  return { nonce, balance, storageRoot, codeHash } as AccountFields
}

export type ProvenTries = ReturnType<typeof createProvenTries>

export function createProvenTries(
  nodes: ReadonlyMap<hex.Hash, Uint8Array>,
  root: hex.Hash,
  miss: (key: MissingKey) => never,
) {
  const sourceOf = (owner: hex.Address | undefined): NodeSource => ({
    get: (hash) => nodes.get(hex.bytesToHex(hash)),
    miss: (prefix, hash) => miss({ kind: 'nodes', nodes: [{ owner, prefix, hash: hex.bytesToHex(hash) }] }),
  })
  const missProofs: ProvenBase['miss'] = (keys) => miss({ kind: 'proofs', keys })
  const accountTrie = trieWithRoot(hex.hexToBytes(root), sourceOf(undefined))
  const storageTries = new Map<hex.Address, Trie>()
  function storageTrie(address: hex.Address): Trie {
    if (!storageTries.has(address)) {
      const key = trieKeyOf(address)
      if (unknownOnPath(accountTrie, key) !== undefined) missProofs(new Map([[address, new Set()]]))
      const { storageRoot } = accountFields(trieGet(accountTrie, key))
      storageTries.set(address, trieWithRoot(storageRoot, sourceOf(address)))
    }
    return storageTries.get(address)
  }
  return {
    accounts: { trie: () => accountTrie, miss: missProofs } satisfies ProvenBase,
    storageOf: (address: hex.Address): ProvenBase => ({ trie: () => storageTrie(address), miss: missProofs }),
  }
}

/** An account and some of its slots, as an upstream says they are. */
interface Claim {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: hex.Hash
  readonly storageHash: hex.Hash
  /** Without leading zeros, in the order of the slots. */
  readonly values: readonly Uint8Array[]
}

export function readNodes(nodes: ForeignJson): Uint8Array[] {
  return nodes.array().map((node) => nodes.at('', node).bytes())
}

/**
 * The value of a key below a root, by the nodes of a proof; those that lead to it are added to `known`. Refuses an
 * answer in which one of them is missing.
 */
function provenValue(
  known: Map<hex.Hash, Uint8Array>,
  root: Uint8Array,
  key: Uint8Array,
  proof: readonly Uint8Array[],
  refuse: (hash: hex.Hash) => never,
): Uint8Array | undefined {
  const nodes = new Map(proof.map((node) => [hex.bytesToHex(keccak256(node)), node]))
  const source = {
    get(reference: Uint8Array) {
      const hash = hex.bytesToHex(reference)
      const node = nodes.get(hash)
      if (node !== undefined) known.set(hash, node)
      return node
    },
    miss: (_: Uint8Array, reference: Uint8Array): never => refuse(hex.bytesToHex(reference)),
  }
  return trieGet(trieWithRoot(root, source), key)
}

/** Checks what an upstream says against the proofs that came with it; returns the nodes on the way. */
export function checkProof(
  stateRoot: hex.Hash,
  [address, slots]: readonly [hex.Address, readonly hex.Hash[]],
  claim: Claim,
  {
    account,
    storage,
  }: { readonly account: readonly Uint8Array[]; readonly storage: readonly Uint8Array[][] },
  answer: ForeignJson,
): Map<hex.Hash, Uint8Array> {
  const known = new Map<hex.Hash, Uint8Array>()
  const proof = answer.at('.accountProof')
  const value = provenValue(known, hex.hexToBytes(stateRoot), trieKeyOf(address), account, (hash) =>
    proof.refuse(`a proof of ${address} below the state root ${stateRoot}, with the node ${hash}`),
  )
  const { nonce, balance, storageRoot, codeHash } = accountFields(value)
  const isSame =
    hex.bytesToBigInt(nonce) === claim.nonce &&
    hex.bytesToBigInt(balance) === claim.balance &&
    hex.bytesToHex(codeHash) === claim.codeHash &&
    hex.bytesToHex(storageRoot) === claim.storageHash
  if (!isSame) proof.refuse(`a proof of the nonce, balance, codeHash and storageHash of ${address}`)
  for (const [index, slot] of slots.entries()) {
    const slotProof = answer.at(`.storageProof[${index}].proof`)
    const word = provenValue(known, storageRoot, trieKeyOf(slot), storage[index] ?? [], (hash) =>
      slotProof.refuse(`a proof of the slot ${slot} of ${address}, with the node ${hash}`),
    )
    const proven = word === undefined ? new Uint8Array(0) : (decodeItem(word) as Uint8Array)
    if (!hex.equalBytes(proven, claim.values[index] as Uint8Array))
      slotProof.refuse(`a proof of the value of the slot ${slot} of ${address}`)
  }
  return known
}
