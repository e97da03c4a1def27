// Learns the nodes of an upstream's tries, by proofs. A removal makes a node beside the paths of all known keys part of
// its parent, and no proof of the key that is removed has it: those are looked for.

import { keccak256, keccakInput, keccakOfInput } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '../primitives/hex.ts'
import type { MissingNode } from '../state/overlay-map.ts'
import { nibbleAt } from '../state/trie-nodes.ts'
import { type Keys, type Learning, learnSlots } from './known.ts'
import { nameOfNode } from './recording.ts'
import type { ProvenAccount, StateRequests } from './state-requests.ts'
import { isFromUpstream, refusalCode, UNKNOWN_METHOD } from './upstream.ts'

/** Slots in one proof; nodes limit them. */
const SLOTS_PER_PROOF = 256

/** Slots in the order given, as many together as one proof has. */
export function chunksOf(slots: readonly Hash[]): Hash[][] {
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
