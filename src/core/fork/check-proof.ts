// Checks of an upstream's proofs against the state root of the block, and what they show: the nodes of the tries.

import { keccak256 } from '../primitives/crypto.ts'
import {
  type Address,
  bytesToBigInt,
  bytesToHex,
  equalBytes,
  type Hash,
  hexToBytes,
} from '../primitives/hex.ts'
import { decodeItem } from '../primitives/rlp.ts'
import { trieKeyOf } from '../state/state-tries.ts'
import { trieGet } from '../state/trie.ts'
import { type AnswerPath, answeredArray, answeredHex, fieldIn, refuseAnswer } from './answers.ts'
import { accountFields, trieWithRoot } from './proven-tries.ts'

/** An account and some of its slots, as an upstream says they are. */
interface Claim {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash
  readonly storageHash: Hash
  /** Without leading zeros, in the order of the slots. */
  readonly values: readonly Uint8Array[]
}

/** The nodes in a field of an answer. */
export function readNodes(object: Record<string, unknown>, name: string, place: AnswerPath): Uint8Array[] {
  const [answered, at] = fieldIn(object, name, place)
  return answeredArray(answered, at).map((node) => hexToBytes(answeredHex(node, at)))
}

/**
 * The value of a key below a root, by the nodes of a proof; those that lead to it are added to `known`. Refuses an
 * answer in which one of them is missing.
 */
function provenValue(
  known: Map<Hash, Uint8Array>,
  root: Uint8Array,
  key: Uint8Array,
  proof: readonly Uint8Array[],
  refuse: (hash: Hash) => never,
): Uint8Array | undefined {
  const nodes = new Map(proof.map((node) => [bytesToHex(keccak256(node)), node]))
  const source = {
    get(reference: Uint8Array) {
      const hash = bytesToHex(reference)
      const node = nodes.get(hash)
      if (node !== undefined) known.set(hash, node)
      return node
    },
    miss: (_: Uint8Array, reference: Uint8Array): never => refuse(bytesToHex(reference)),
  }
  return trieGet(trieWithRoot(root, source), key)
}

/** Checks what an upstream says against the proofs that came with it; returns the nodes on the way. */
export function checkProof(
  stateRoot: Hash,
  [address, slots]: readonly [Address, readonly Hash[]],
  claim: Claim,
  {
    account,
    storage,
  }: { readonly account: readonly Uint8Array[]; readonly storage: readonly Uint8Array[][] },
  place: AnswerPath,
): Map<Hash, Uint8Array> {
  const known = new Map<Hash, Uint8Array>()
  const at = (path: string): AnswerPath => ({ ...place, path: `${place.path}.${path}` })
  const accountAt = at('accountProof')
  const value = provenValue(known, hexToBytes(stateRoot), trieKeyOf(address), account, (hash) =>
    refuseAnswer(accountAt, `a proof of ${address} below the state root ${stateRoot}, with the node ${hash}`),
  )
  const { nonce, balance, storageRoot, codeHash } = accountFields(value)
  const isSame =
    bytesToBigInt(nonce) === claim.nonce &&
    bytesToBigInt(balance) === claim.balance &&
    bytesToHex(codeHash) === claim.codeHash &&
    bytesToHex(storageRoot) === claim.storageHash
  if (!isSame)
    refuseAnswer(accountAt, `a proof of the nonce, balance, codeHash and storageHash of ${address}`)
  for (const [index, slot] of slots.entries()) {
    const slotAt = at(`storageProof[${index}].proof`)
    const word = provenValue(known, storageRoot, trieKeyOf(slot), storage[index] ?? [], (hash) =>
      refuseAnswer(slotAt, `a proof of the slot ${slot} of ${address}, with the node ${hash}`),
    )
    const proven = word === undefined ? new Uint8Array(0) : (decodeItem(word) as Uint8Array)
    if (!equalBytes(proven, claim.values[index] as Uint8Array))
      refuseAnswer(slotAt, `a proof of the value of the slot ${slot} of ${address}`)
  }
  return known
}
