// Learns accounts and slots of an upstream at one block, in as few requests as it allows, and by proofs the nodes of its
// tries. A removal makes a node beside the paths of all known keys part of its parent, and no proof of the key that is
// removed has it: those are looked for.

import { keccak256, keccakInput, keccakOfInput } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, bytesToHex, equalBytes, type Hash, type Hex, hexToBytes } from '../primitives/hex.ts'
import type { MissedCall, MissingKey, MissingNode } from '../state/overlay-map.ts'
import { nibbleAt } from '../state/trie-nodes.ts'
import { type Code, EMPTY_CODE, makeCode, UnknownCode } from '../state/world-state.ts'
import { type Keys, type Learning, learnSlots } from './known.ts'
import { nameOfNode } from './recording.ts'
import type { ProvenAccount, Roots, StateRequests } from './state-requests.ts'
import { isFromUpstream, isUpstreamFailure, mayBeRefusal, refusalCode, UNKNOWN_METHOD } from './upstream.ts'

/** Slots in one proof; nodes limit them. */
const SLOTS_PER_PROOF = 256

/** Slots in the order given, as many together as one proof has. */
function chunksOf(slots: readonly Hash[]): Hash[][] {
  const chunks: Hash[][] = []
  for (let start = 0; start < slots.length; start += SLOTS_PER_PROOF)
    chunks.push(slots.slice(start, start + SLOTS_PER_PROOF))
  return chunks
}

export type Prover = ReturnType<typeof createProver>

export function createProver(
  { proof, fromDatabase }: StateRequests,
  learning: Learning,
  keepsNodes: boolean,
) {
  /** The proof of an account and some slots. */
  async function prove(address: Address, slots: readonly Hash[]): Promise<ProvenAccount> {
    const proven = await proof(address, slots)
    if (keepsNodes) for (const [hash, node] of proven.nodes) learning.nodes.set(hash, node)
    return proven
  }
  const findNode = createNodeFinder({
    prove,
    fromDatabase,
    learn: (hash, node) => learning.nodes.set(hash, node),
  })
  return {
    prove,
    /** Learns the nodes on the way to accounts and slots. */
    async fetchProofs(keys: Keys) {
      const proofs = [...keys].flatMap(([address, slots]) =>
        (slots.size === 0 ? [[]] : chunksOf([...slots])).map(async (chunk) =>
          learnSlots(learning, address, chunk, (await prove(address, chunk)).values),
        ),
      )
      await Promise.all(proofs)
    },
    /** Learns nodes of which no key is known. */
    async fetchNodes(nodes: readonly MissingNode[]) {
      await Promise.all(nodes.map(findNode))
    },
  }
}

const ADDRESS_BYTES = 20
const SLOT_BYTES = 32

/** Nibbles that a search for a key finds at once: it takes 65 thousand hashes, some hundredths of a second. */
const SEARCHED_FIRST = 4
/** The most nibbles that are searched for: 17 million hashes, some seconds. */
const MOST_SEARCHED = 6
/** Searches, in multiples of the hashes that they take on average; one in 10^8 takes longer. */
const MOST_TIMES = 20

interface NodeRequests extends Pick<StateRequests, 'fromDatabase'> {
  /** Learns the nodes that a proof has. */
  readonly prove: (address: Address, slots: readonly Hash[]) => Promise<unknown>
  readonly learn: (hash: Hash, node: Uint8Array) => void
}

/** The first key, counted from 0, whose hash begins with these nibbles. */
function keyBelow(prefix: Uint8Array, length: number): Hex | undefined {
  const most = MOST_TIMES * 16 ** prefix.length
  const digits = Array.from(prefix, (nibble) => nibble.toString(16)).join('')
  const first = Number.parseInt(digits.slice(0, 2).padEnd(2, '0'), 16)
  const mask = prefix.length === 1 ? 0xf0 : 0xff
  for (let count = 0; count < most; count++) {
    const input = keccakInput()
    input.fill(0, 0, length)
    for (let rest = count, at = length - 1; rest > 0; rest = Math.floor(rest / 256), at--) input[at] = rest
    const hash = keccakOfInput(0, length)
    if (((hash[0] as number) & mask) !== first) continue
    if (prefix.every((nibble, index) => nibble === nibbleAt(hash, index)))
      return `0x${count.toString(16).padStart(2 * length, '0')}`
  }
  return undefined
}

/** Learns a node by the proof of a key below it, which nothing else has to know of. */
async function proveBelow({ prove }: NodeRequests, { owner, prefix }: MissingNode): Promise<boolean> {
  const key = keyBelow(prefix, owner === undefined ? ADDRESS_BYTES : SLOT_BYTES)
  if (key === undefined) return false
  try {
    await (owner === undefined ? prove(key, []) : prove(owner, [key]))
    return true
  } catch (error) {
    // Nobody has to answer for a key that was made up; the database may have the node.
    if (!isFromUpstream(error)) throw error
    return false
  }
}

export function createNodeFinder(requests: NodeRequests): (node: MissingNode) => Promise<void> {
  let hasDatabase = true

  /** Nodes that keep tries by their hashes answer this: geth with `--state.scheme hash`. */
  async function readDatabase(hash: Hash): Promise<boolean> {
    if (!hasDatabase) return false
    try {
      const node = await requests.fromDatabase(hash)
      if (bytesToHex(keccak256(node)) !== hash) return false
      requests.learn(hash, node)
      return true
    } catch (error) {
      const code = refusalCode(error)
      if (code === undefined) throw error
      hasDatabase = !UNKNOWN_METHOD.has(code)
      return false
    }
  }

  return async (node) => {
    const { length } = node.prefix
    if (length <= SEARCHED_FIRST && (await proveBelow(requests, node))) return
    if (await readDatabase(node.hash)) return
    if (length <= MOST_SEARCHED && (await proveBelow(requests, node))) return
    throw failure('unknownTrieNode', { node: nameOfNode(node) })
  }
}

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
