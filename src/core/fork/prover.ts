// Learns the nodes of an upstream's tries, by proofs.

import type { Address, Hash } from '../primitives/hex.ts'
import type { MissingNode } from '../state/miss.ts'
import { createNodeFinder } from './find-node.ts'
import { type Keys, type Learning, learnSlots } from './known.ts'
import type { ProvenAccount, StateRequests } from './state-requests.ts'

/** Slots in one proof; nodes limit them. */
const SLOTS_PER_PROOF = 256

/** Slots in the order given, as many together as one proof has. */
export function chunksOf(slots: readonly Hash[]): Hash[][] {
  const chunks: Hash[][] = []
  for (let start = 0; start < slots.length; start += SLOTS_PER_PROOF)
    chunks.push(slots.slice(start, start + SLOTS_PER_PROOF))
  return chunks
}

export interface Prover {
  /** The proof of an account and some slots. */
  readonly prove: (address: Address, slots: readonly Hash[]) => Promise<ProvenAccount>
  /** Learns the nodes on the way to accounts and slots. */
  readonly fetchProofs: (keys: Keys) => Promise<void>
  /** Learns nodes of which no key is known. */
  readonly fetchNodes: (nodes: readonly MissingNode[]) => Promise<void>
}

export function createProver(
  { proof, fromDatabase }: StateRequests,
  learning: Learning,
  keepsNodes: boolean,
): Prover {
  async function prove(address: Address, slots: readonly Hash[]): Promise<ProvenAccount> {
    const proven = await proof(address, slots)
    if (keepsNodes) for (const [hash, node] of proven.nodes) learning.nodes.set(hash, node)
    return proven
  }
  async function learnProof(address: Address, slots: readonly Hash[]): Promise<void> {
    learnSlots(learning, address, slots, (await prove(address, slots)).values)
  }
  const findNode = createNodeFinder({
    prove,
    fromDatabase,
    learn: (hash, node) => learning.nodes.set(hash, node),
  })
  return {
    prove,
    async fetchProofs(keys) {
      const proofs = [...keys].flatMap(([address, slots]) =>
        (slots.size === 0 ? [[]] : chunksOf([...slots])).map((chunk) => learnProof(address, chunk)),
      )
      await Promise.all(proofs)
    },
    async fetchNodes(nodes) {
      await Promise.all(nodes.map(findNode))
    },
  }
}
