// Learns accounts and slots of an upstream at one block, in as few requests as it allows.

import { failure } from '../primitives/errors.ts'
import { type Address, bytesToHex, type Hash } from '../primitives/hex.ts'
import { makeCode } from '../state/account.ts'
import type { MissedCall, MissingNode } from '../state/miss.ts'
import { createNodeFinder } from './find-node.ts'
import { type KnownAccount, type Learning, learnSlot } from './known.ts'
import type { ProvenAccount, StateRequests } from './state-requests.ts'
import { refusalCode } from './upstream.ts'

/** Slots by address. */
export type Keys = ReadonlyMap<Address, ReadonlySet<Hash>>

export interface StateFetcher {
  /** Learns accounts and slots that are not known yet, all at once. */
  readonly fetch: (keys: Keys) => Promise<void>
  /** Learns the nodes on the way to accounts and slots. */
  readonly fetchProofs: (keys: Keys) => Promise<void>
  /** Learns nodes of which no key is known. */
  readonly fetchNodes: (nodes: readonly MissingNode[]) => Promise<void>
  /** What a message would touch, as the upstream says; empty if it cannot say. */
  readonly touchedBy: (call: MissedCall) => Promise<Keys>
}

/** Slots in one proof; nodes limit them. */
const SLOTS_PER_PROOF = 256

/** Codes of nodes that do not have a method: JSON-RPC's, EIP-1474's, EIP-1193's. */
const UNKNOWN_METHOD: ReadonlySet<number> = new Set([-32601, -32004, 4200])

const NO_KEYS: Keys = new Map()

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}

function provenAccount(
  address: Address,
  { nonce, balance, codeHash, hasStorage }: ProvenAccount,
  bytes: Uint8Array,
): KnownAccount {
  const code = makeCode(bytes)
  if (bytesToHex(code.hash) !== codeHash) {
    const reason = `expected code with the hash ${codeHash} of eth_getProof`
    throw failure('upstreamAnswer', { request: `eth_getCode("${address}")`, reason })
  }
  return { nonce, balance, code, hasStorage }
}

/** Where roots are proven, each account and each slot comes with its proof. */
export const ROOTS = ['synthetic', 'proven'] as const
export type Roots = (typeof ROOTS)[number]

export function createStateFetcher(requests: StateRequests, learning: Learning, roots: Roots): StateFetcher {
  let hasProofs = true
  let hasAccessLists = true

  /** Learns the nodes of the proof of an account and some slots. */
  async function prove(address: Address, slots: readonly Hash[]): Promise<ProvenAccount> {
    const proof = await requests.proof(address, slots)
    for (const [hash, node] of proof.nodes) learning.nodes.set(hash, node)
    return proof
  }

  const findNode = createNodeFinder({
    prove,
    fromDatabase: requests.fromDatabase,
    learn: (hash, node) => learning.nodes.set(hash, node),
  })

  /** The proof of an account and some slots; `undefined` once the upstream has refused one that is not needed. */
  async function proofOf(address: Address, slots: readonly Hash[]): Promise<ProvenAccount | undefined> {
    if (!hasProofs) return undefined
    try {
      return await prove(address, slots)
    } catch (error) {
      if (refusalCode(error) === undefined || roots === 'proven') throw error
      hasProofs = false
      return undefined
    }
  }

  function learnSlots(address: Address, slots: readonly Hash[], values: readonly Uint8Array[]): void {
    for (const [index, value] of values.entries()) learnSlot(learning, address, slots[index] as Hash, value)
  }

  /** Learns slots of a known account: several with one proof. */
  async function fetchSlots(address: Address, slots: readonly Hash[]): Promise<void> {
    const isProven = slots.length > 1 || (slots.length === 1 && roots === 'proven')
    const proof = isProven ? await proofOf(address, slots) : undefined
    const values = proof?.values ?? (await Promise.all(slots.map((slot) => requests.slot(address, slot))))
    learnSlots(address, slots, values)
  }

  async function fetchAccount(address: Address, slots: readonly Hash[]): Promise<void> {
    const [proof, code] = await Promise.all([proofOf(address, slots), requests.code(address)])
    if (proof !== undefined) {
      learnSlots(address, slots, proof.values)
      learning.accounts.set(address, provenAccount(address, proof, code))
      return
    }
    const [balance, nonce] = await Promise.all([
      requests.balance(address),
      requests.nonce(address),
      fetchSlots(address, slots),
    ])
    // Without a proof, an account with code may have slots.
    learning.accounts.set(address, { nonce, balance, code: makeCode(code), hasStorage: code.length > 0 })
  }

  async function fetchUnknown(address: Address, keys: ReadonlySet<Hash>): Promise<void> {
    const account = learning.accounts.get(address)
    const known = learning.slots.get(address)
    const slots = account?.hasStorage === false ? [] : [...keys].filter((slot) => known?.has(slot) !== true)
    const [first = [], ...rest] = chunksOf(slots, SLOTS_PER_PROOF)
    await Promise.all([
      account === undefined ? fetchAccount(address, first) : fetchSlots(address, first),
      ...rest.map((chunk) => fetchSlots(address, chunk)),
    ])
  }

  async function fetchProof(address: Address, keys: ReadonlySet<Hash>): Promise<void> {
    const [first = [], ...rest] = chunksOf([...keys], SLOTS_PER_PROOF)
    await Promise.all(
      [first, ...rest].map(async (slots) => learnSlots(address, slots, (await prove(address, slots)).values)),
    )
  }

  return {
    async fetchProofs(keys) {
      await Promise.all([...keys].map(([address, slots]) => fetchProof(address, slots)))
    },
    async fetchNodes(nodes) {
      await Promise.all(nodes.map(findNode))
    },
    async fetch(keys) {
      await Promise.all([...keys].map(([address, slots]) => fetchUnknown(address, slots)))
    },
    async touchedBy(call) {
      if (!hasAccessLists) return NO_KEYS
      try {
        return await requests.accessList(call)
      } catch (error) {
        const code = refusalCode(error)
        if (code === undefined) throw error
        // It is a hint: what it does not name is missed and loaded later.
        hasAccessLists = !UNKNOWN_METHOD.has(code)
        return NO_KEYS
      }
    },
  }
}
