// Learns accounts and slots of an upstream at one block, in as few requests as it allows.

import { failure } from '../primitives/errors.ts'
import { type Address, bytesToHex, type Hash } from '../primitives/hex.ts'
import { makeCode } from '../state/account.ts'
import type { MissedCall } from '../state/miss.ts'
import { type Keys, type KnownAccount, type Learning, learnSlots } from './known.ts'
import { chunksOf, type Prover } from './prover.ts'
import type { ProvenAccount, StateRequests } from './state-requests.ts'
import { refusalCode, UNKNOWN_METHOD } from './upstream.ts'

export interface StateFetcher {
  /** Learns accounts and slots that are not known yet, all at once. */
  readonly fetch: (keys: Keys) => Promise<void>
  /** What a message would touch, as the upstream says; empty if it cannot say. */
  readonly touchedBy: (call: MissedCall) => Promise<Keys>
}

const NO_KEYS: Keys = new Map()

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

export function createStateFetcher(
  requests: StateRequests,
  prove: Prover['prove'],
  learning: Learning,
  roots: Roots,
): StateFetcher {
  let hasProofs = true
  let hasAccessLists = true

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

  /** Learns slots of a known account: several with one proof. */
  async function fetchSlots(address: Address, slots: readonly Hash[]): Promise<void> {
    const isProven = slots.length > 1 || (slots.length === 1 && roots === 'proven')
    const proof = isProven ? await proofOf(address, slots) : undefined
    const values = proof?.values ?? (await Promise.all(slots.map((slot) => requests.slot(address, slot))))
    learnSlots(learning, address, slots, values)
  }

  async function fetchAccount(address: Address, slots: readonly Hash[]): Promise<void> {
    const [proof, code] = await Promise.all([proofOf(address, slots), requests.code(address)])
    if (proof !== undefined) {
      learnSlots(learning, address, slots, proof.values)
      learning.accounts.set(address, provenAccount(address, proof, code))
      return
    }
    const [balance, nonce] = await Promise.all([
      requests.balance(address),
      requests.nonce(address),
      fetchSlots(address, slots),
    ])
    // Without a proof, an account with code may have slots, and so may one whose delegation was taken off (EIP-7702).
    const hasStorage = code.length > 0 || nonce > 0n
    learning.accounts.set(address, { nonce, balance, code: makeCode(code), hasStorage })
  }

  async function fetchUnknown(address: Address, keys: ReadonlySet<Hash>): Promise<void> {
    const account = learning.accounts.get(address)
    const known = learning.slots.get(address)
    const slots = account?.hasStorage === false ? [] : [...keys].filter((slot) => known?.has(slot) !== true)
    const [first = [], ...rest] = chunksOf(slots)
    await Promise.all([
      account === undefined ? fetchAccount(address, first) : fetchSlots(address, first),
      ...rest.map((chunk) => fetchSlots(address, chunk)),
    ])
  }

  return {
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
