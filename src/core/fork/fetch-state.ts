// Learns accounts and slots of an upstream at one block, in as few requests as it allows.

import { failure } from '../primitives/errors.ts'
import { type Address, bytesToHex, equalBytes, type Hash, hexToBytes } from '../primitives/hex.ts'
import type { MissedCall, MissingKey } from '../state/overlay-map.ts'
import { type Code, EMPTY_CODE, makeCode, UnknownCode } from '../state/world-state.ts'
import { type Keys, type Learning, learnSlots } from './known.ts'
import { chunksOf, type Prover } from './prover.ts'
import type { ProvenAccount, Roots, StateRequests } from './state-requests.ts'
import { isUpstreamFailure, mayBeRefusal, refusalCode, UNKNOWN_METHOD } from './upstream.ts'

export type StateFetcher = ReturnType<typeof createStateFetcher>

const NO_KEYS: Keys = new Map()

function checkCode(address: Address, bytes: Uint8Array, hash: Uint8Array): Code {
  const code = makeCode(bytes)
  if (equalBytes(code.hash, hash)) return code
  const reason = `expected code with the hash ${bytesToHex(hash)} of eth_getProof`
  throw failure('upstreamAnswer', { request: `eth_getCode("${address}")`, reason })
}

/** Proofs as long as the upstream gives them. */
function createProofs(prove: Prover['prove'], roots: Roots) {
  let hasProofs = true

  /** The proof of an account and some slots; `undefined` once the upstream has refused one that is not needed. */
  async function proofOf(address: Address, slots: readonly Hash[]): Promise<ProvenAccount | undefined> {
    if (!hasProofs) return undefined
    try {
      return await prove(address, slots)
    } catch (error) {
      if (roots === 'proven' || !mayBeRefusal(error)) throw error
      const code = refusalCode(error)
      const isLimited = slots.length > 1 && code !== undefined && !UNKNOWN_METHOD.has(code)
      if (isLimited) return proofInHalves(address, slots)
      hasProofs = code === undefined
      return undefined
    }
  }

  /** The same, of a node that may not prove so many slots at once. */
  async function proofInHalves(address: Address, slots: readonly Hash[]): Promise<ProvenAccount | undefined> {
    const half = slots.length >> 1
    const first = await proofOf(address, slots.slice(0, half))
    const second = first && (await proofOf(address, slots.slice(half)))
    return second && { ...second, values: [...first.values, ...second.values] }
  }

  return proofOf
}

export function createStateFetcher(
  requests: StateRequests,
  prove: Prover['prove'],
  learning: Learning,
  roots: Roots,
  miss: (key: MissingKey) => never,
) {
  const proofOf = createProofs(prove, roots)
  let hasAccessLists = true

  /** The code with a hash, whose bytes may not have been answered. */
  function codeOf(address: Address, bytes: Uint8Array | undefined, hash: Uint8Array): Code {
    if (equalBytes(hash, EMPTY_CODE.hash) && (bytes ?? EMPTY_CODE.bytes).length === 0) return EMPTY_CODE
    if (bytes === undefined) return new UnknownCode(hash, () => miss({ kind: 'code', address }))
    return checkCode(address, bytes, hash)
  }

  /** Learns slots of a known account: several with one proof. */
  async function fetchSlots(address: Address, slots: readonly Hash[]): Promise<void> {
    const isProven = slots.length > 1 || (slots.length === 1 && roots === 'proven')
    const proof = isProven ? await proofOf(address, slots) : undefined
    const values = proof?.values ?? (await Promise.all(slots.map((slot) => requests.slot(address, slot))))
    learnSlots(learning, address, slots, values)
  }

  async function fetchAccount(address: Address, slots: readonly Hash[]): Promise<void> {
    // Beside a proof, which has its hash, code is only read ahead: most accounts are not executed.
    let refused: unknown
    const asked = requests.code(address).catch((error) => {
      if (!isUpstreamFailure(error)) throw error
      refused = error
      return undefined
    })
    const [proof, bytes] = await Promise.all([proofOf(address, slots), asked])
    if (proof !== undefined) {
      learnSlots(learning, address, slots, proof.values)
      const { nonce, balance, codeHash, hasStorage } = proof
      const code = codeOf(address, bytes, hexToBytes(codeHash))
      learning.accounts.set(address, { nonce, balance, code, hasStorage })
      return
    }
    if (bytes === undefined) throw refused
    const [balance, nonce] = await Promise.all([
      requests.balance(address),
      requests.nonce(address),
      fetchSlots(address, slots),
    ])
    // Without a proof, an account with code may have slots, and so may one whose delegation was taken off (EIP-7702).
    const hasStorage = bytes.length > 0 || nonce > 0n
    learning.accounts.set(address, { nonce, balance, code: makeCode(bytes), hasStorage })
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
    /** Learns code that could not be read ahead. */
    async fetchCode(address: Address) {
      const code = learning.accounts.get(address)?.code
      if (code instanceof UnknownCode)
        code.learn(checkCode(address, await requests.code(address), code.hash).bytes)
    },
    /** Learns accounts and slots that are not known yet, all at once. */
    async fetch(keys: Keys) {
      await Promise.all([...keys].map(([address, slots]) => fetchUnknown(address, slots)))
    },
    /** Accounts and slots that a message would touch, as the upstream says; empty if it cannot say. */
    async touchedBy(call: MissedCall): Promise<Keys> {
      if (!hasAccessLists) return NO_KEYS
      try {
        return await requests.accessList(call)
      } catch (error) {
        const code = refusalCode(error)
        // It is a hint: what it does not name is missed and loaded later.
        hasAccessLists = code === undefined || !UNKNOWN_METHOD.has(code)
        return NO_KEYS
      }
    },
  }
}
