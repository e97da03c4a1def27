// The requests for accounts and slots at a block, with their answers checked.

import { keccak256 } from '../primitives/crypto.ts'
import { type Address, bytesToHex, type Hash, toQuantity, ZERO_HASH } from '../primitives/hex.ts'
import type { ForeignJson } from '../primitives/json-reader.ts'
import type { MissedCall } from '../state/overlay-map.ts'
import { trieRoot } from '../state/trie.ts'
import { EMPTY_CODE } from '../state/world-state.ts'
import * as replies from './answers.ts'
import { checkProof, readNodes } from './proven-tries.ts'
import { type AskUpstream, isAtItsNumber } from './source.ts'
import { mayBeRefusal, refusalCode, UNKNOWN_METHOD } from './upstream.ts'

/** Where roots are proven, each account and each slot comes with its proof. */
export const ROOTS = ['synthetic', 'proven'] as const
export type Roots = (typeof ROOTS)[number]

/** An account and some of its slots, as `eth_getProof` has them. */
export interface ProvenAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash
  readonly hasStorage: boolean
  /** Without leading zeros, in the order of the slots. */
  readonly values: readonly Uint8Array[]
  /** The nodes that prove it. */
  readonly nodes: ReadonlyMap<Hash, Uint8Array>
}

export type StateRequests = ReturnType<typeof createStateRequests>

const NO_STORAGE: Hash = bytesToHex(trieRoot(undefined))

/** Some nodes have zeros in place of the hashes of an account that is not there. */
function hashOr(hash: Hash, ofNothing: Hash): Hash {
  return hash === ZERO_HASH ? ofNothing : hash
}

/** The slots in an answer, in the order in which they were asked for. */
function readSlots(proofs: ForeignJson, slots: readonly Hash[]) {
  const items = proofs.items()
  if (items.length !== slots.length) proofs.refuse(`${slots.length} slots`)
  return items.map((slot, index) => {
    const asked = slots[index] as Hash
    if (replies.quantityIn(slot.field('key')) !== BigInt(asked)) slot.refuse(`slot ${asked}`)
    return {
      value: replies.slotValueIn(slot.field('value')),
      nodes: () => readNodes(slot.field('proof')),
    }
  })
}

/** Reads a proof, and checks it below a root. */
function readProof(
  proof: ForeignJson,
  [address, slots]: readonly [Address, readonly Hash[]],
  stateRoot: Hash | undefined,
): ProvenAccount {
  const codeHash = hashOr(proof.field('codeHash').hex(32), bytesToHex(EMPTY_CODE.hash))
  const storageHash = hashOr(proof.field('storageHash').hex(32), NO_STORAGE)
  const nonce = replies.quantityIn(proof.field('nonce'))
  const balance = replies.quantityIn(proof.field('balance'))
  const read = readSlots(proof.field('storageProof'), slots)
  const values = read.map(({ value }) => value)
  const account = { nonce, balance, codeHash, hasStorage: storageHash !== NO_STORAGE, values }
  if (stateRoot === undefined) return { ...account, nodes: new Map() }
  const given = {
    account: readNodes(proof.field('accountProof')),
    storage: read.map(({ nodes }) => nodes()),
  }
  const nodes = checkProof(stateRoot, [address, slots], { ...account, storageHash }, given, proof)
  return { ...account, nodes }
}

function readAccessList(list: ForeignJson): Map<Address, Set<Hash>> {
  const touched = new Map<Address, Set<Hash>>()
  for (const item of list.array()) {
    const entry = list.at('', item)
    const keys = entry.field('storageKeys')
    const slots = keys.array().map((key) => keys.at('', key).hex(32))
    touched.set(entry.field('address').hex(20), new Set(slots))
  }
  return touched
}

/** Names of emulators, as `web3_clientVersion` has them. Edits of their head are in its state, but not in its root. */
const EMULATORS = /^(anvil|hardhat|edr|ganache|ethereumjs|tickchain)/i

/**
 * Requests at a block, by `ask`. Proofs are checked against its state root; those of emulators against the root that they
 * have, unless roots are to be the true ones.
 */
export function createStateRequests(ask: AskUpstream, header: replies.ForkHeader, roots: Roots) {
  let emulates: Promise<boolean> | undefined

  async function isEmulator(): Promise<boolean> {
    try {
      return EMULATORS.test(`${await ask('web3_clientVersion', [])}`)
    } catch (error) {
      if (!mayBeRefusal(error)) throw error
      return false
    }
  }

  /** The root below which a proof has to be; `undefined` for one without nodes, of an emulator. */
  async function rootFor([first]: readonly Uint8Array[]): Promise<Hash | undefined> {
    const root = first && bytesToHex(keccak256(first))
    if (root === header.stateRoot || roots === 'proven') return header.stateRoot
    emulates ??= isEmulator()
    return (await emulates) ? root : header.stateRoot
  }

  const atBlock = createAskAtBlock(ask, header)
  async function request<Value>(
    method: string,
    params: readonly unknown[],
    read: (answer: ForeignJson) => Value,
  ): Promise<Value> {
    return read(await atBlock.ask(method, params))
  }
  return {
    async proof(address: Address, slots: readonly Hash[]): Promise<ProvenAccount> {
      const proof = await atBlock.ask('eth_getProof', [address, slots])
      const nodes = proof.field('accountProof')
      const isProof = roots === 'proven' || nodes.value !== undefined
      const root = isProof ? await rootFor(readNodes(nodes)) : undefined
      return readProof(proof, [address, slots], root)
    },
    code: (address: Address) => request('eth_getCode', [address], (code) => code.bytes()),
    balance: (address: Address) => request('eth_getBalance', [address], replies.quantityIn),
    nonce: (address: Address) => request('eth_getTransactionCount', [address], replies.quantityIn),
    slot: (address: Address, slot: Hash) => request('eth_getStorageAt', [address, slot], replies.slotValueIn),
    /** The bytes that the upstream's database has under a key. */
    async fromDatabase(key: Hash) {
      return replies.answerTo(await ask('debug_dbGet', [key]), 'debug_dbGet', [key]).bytes()
    },
    /** The slots, by address, that a message would touch. */
    async accessList({ from, to, value, input }: MissedCall) {
      const message = { from, ...(to === undefined ? {} : { to }), data: bytesToHex(input) }
      const paid = value === 0n ? message : { ...message, value: toQuantity(value) }
      return readAccessList((await atBlock.hint('eth_createAccessList', [paid])).field('accessList'))
    },
  }
}

/**
 * Requests with the block as the last parameter. It is named by its hash: once an upstream is reorganised, its number is
 * that of another block.
 */
function createAskAtBlock(ask: AskUpstream, header: replies.ForkHeader) {
  const { number, hash } = header
  const byNumber = toQuantity(number)
  // EIP-1898
  let name: unknown = { blockHash: hash }

  async function askBy(block: unknown, method: string, params: readonly unknown[]) {
    const all = [...params, block]
    return replies.answerTo(await ask(method, all), method, all)
  }
  return {
    /** For what need not be answered. */
    hint: (method: string, params: readonly unknown[]) => askBy(name, method, params),
    async ask(method: string, params: readonly unknown[]) {
      try {
        const answered = await askBy(name, method, params)
        if (name === byNumber) await isAtItsNumber(ask, header)
        return answered
      } catch (error) {
        const code = refusalCode(error)
        if (name === byNumber || code === undefined || UNKNOWN_METHOD.has(code)) throw error
        // Some nodes know blocks by their numbers only.
        if (!(await isAtItsNumber(ask, header))) throw error
        const answered = await askBy(byNumber, method, params)
        name = byNumber
        return answered
      }
    },
  }
}
