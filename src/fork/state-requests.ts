// The requests for accounts and slots at a block, with their answers checked.

import {
  type Address,
  bytesToHex,
  type Hash,
  type Hex,
  hexToBytes,
  toQuantity,
  ZERO_HASH,
} from '../primitives/hex.ts'
import { EMPTY_CODE } from '../state/account.ts'
import type { MissedCall } from '../state/miss.ts'
import { trieRoot } from '../state/trie.ts'
import {
  answeredAmount,
  answeredArray,
  answeredHash,
  answeredHex,
  answeredObject,
  answeredWord,
  fieldIn,
  type Place,
  placeOf,
  refuseAnswer,
} from './answers.ts'
import { nameOfRequest } from './upstream.ts'

/** An account and some of its slots, as `eth_getProof` has them. */
export interface ProvenAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash
  readonly hasStorage: boolean
  /** Without leading zeros, in the order of the slots. */
  readonly values: readonly Uint8Array[]
}

export interface StateRequests {
  readonly proof: (address: Address, slots: readonly Hash[]) => Promise<ProvenAccount>
  /** Code with a hash that is known, or with any. */
  readonly code: (address: Address) => Promise<Uint8Array>
  readonly balance: (address: Address) => Promise<bigint>
  readonly nonce: (address: Address) => Promise<bigint>
  readonly slot: (address: Address, slot: Hash) => Promise<Uint8Array>
  /** The slots, by address, that a message would touch. */
  readonly accessList: (call: MissedCall) => Promise<Map<Address, Set<Hash>>>
}

/** The storage roots of accounts without slots; some nodes have zeros for an account that is not there. */
const NO_STORAGE: ReadonlySet<Hash> = new Set([bytesToHex(trieRoot(undefined)), ZERO_HASH])

function readValues(proof: Record<string, unknown>, place: Place, slots: readonly Hash[]): Uint8Array[] {
  const [answered, at] = fieldIn(proof, 'storageProof', place)
  const items = answeredArray(answered, at)
  if (items.length !== slots.length) refuseAnswer(at, `${slots.length} slots`)
  return items.map((item, index) => {
    const slotAt = { ...at, path: `${at.path}[${index}]` }
    const slot = answeredObject(item, slotAt)
    const asked = slots[index] as Hash
    if (answeredAmount(...fieldIn(slot, 'key', slotAt)) !== BigInt(asked))
      refuseAnswer(slotAt, `slot ${asked}`)
    return answeredWord(...fieldIn(slot, 'value', slotAt))
  })
}

function readProof(answer: unknown, place: Place, slots: readonly Hash[]): ProvenAccount {
  const proof = answeredObject(answer, place)
  const codeHash = answeredHash(...fieldIn(proof, 'codeHash', place))
  return {
    nonce: answeredAmount(...fieldIn(proof, 'nonce', place)),
    balance: answeredAmount(...fieldIn(proof, 'balance', place)),
    codeHash: codeHash === ZERO_HASH ? bytesToHex(EMPTY_CODE.hash) : codeHash,
    hasStorage: !NO_STORAGE.has(answeredHash(...fieldIn(proof, 'storageHash', place))),
    values: readValues(proof, place, slots),
  }
}

function readAccessList(answer: unknown, place: Place): Map<Address, Set<Hash>> {
  const [list, listAt] = fieldIn(answeredObject(answer, place), 'accessList', place)
  const touched = new Map<Address, Set<Hash>>()
  for (const item of answeredArray(list, listAt)) {
    const entry = answeredObject(item, listAt)
    const [keys, keysAt] = fieldIn(entry, 'storageKeys', listAt)
    const slots = answeredArray(keys, keysAt).map((key) => answeredHash(key, keysAt))
    const [address, addressAt] = fieldIn(entry, 'address', listAt)
    touched.set(answeredHex(address, addressAt, 20), new Set(slots))
  }
  return touched
}

/** Requests at a block, by `ask`. */
export function createStateRequests(
  ask: (method: string, params: readonly unknown[]) => Promise<unknown>,
  blockNumber: number,
): StateRequests {
  const block: Hex = toQuantity(blockNumber)
  async function request<Value>(
    method: string,
    params: readonly unknown[],
    read: (answer: unknown, place: Place) => Value,
  ): Promise<Value> {
    const all = [...params, block]
    return read(await ask(method, all), placeOf(nameOfRequest(method, all)))
  }
  return {
    proof: (address, slots) =>
      request('eth_getProof', [address, slots], (answer, place) => readProof(answer, place, slots)),
    code: (address) =>
      request('eth_getCode', [address], (answer, place) => hexToBytes(answeredHex(answer, place))),
    balance: (address) => request('eth_getBalance', [address], answeredAmount),
    nonce: (address) => request('eth_getTransactionCount', [address], answeredAmount),
    slot: (address, slot) => request('eth_getStorageAt', [address, slot], answeredWord),
    accessList({ from, to, value, input }) {
      const message = { from, ...(to === undefined ? {} : { to }), data: bytesToHex(input) }
      const paid = value === 0n ? message : { ...message, value: toQuantity(value) }
      return request('eth_createAccessList', [paid], readAccessList)
    },
  }
}
