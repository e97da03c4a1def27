// World states and their accounts: plain immutable data, which share code by reference. The writer of a transaction: its
// checkpoints are a stack of references to states, and a revert restores one.

import { keccak256 } from '../primitives/crypto.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import * as hex from '../primitives/hex.ts'
import type { ImmutableMap } from '../primitives/immutable-map.ts'
import { MAX_UINT256 } from '../primitives/numbers.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'

export interface Code {
  readonly bytes: Uint8Array
  readonly hash: Uint8Array
}

/** Slot (32-byte hex) → value (big-endian, without leading zeros); absent means zero. */
export type Storage = ImmutableMap<Hash, Uint8Array>

export interface Account {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Code
  readonly storage: Storage
}

export const EMPTY_CODE: Code = {
  bytes: hex.EMPTY_BYTES,
  hash: hex.hexToBytes('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'),
}

export const EMPTY_STORAGE: Storage = PersistentMap.empty()

export const EMPTY_ACCOUNT: Account = { nonce: 0n, balance: 0n, code: EMPTY_CODE, storage: EMPTY_STORAGE }

/** Code that is hashed for the state's trie, and not if its state is left before a block is sealed. */
class KnownCode implements Code {
  readonly bytes: Uint8Array
  private known: Uint8Array | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get hash(): Uint8Array {
    this.known ??= keccak256(this.bytes)
    return this.known
  }
}

export function makeCode(bytes: Uint8Array): Code {
  return bytes.length === 0 ? EMPTY_CODE : new KnownCode(bytes)
}

/** The code of an account of which only the hash is known; a read of its bytes throws a `Miss` until they are learnt. */
export class UnknownCode implements Code {
  readonly hash: Uint8Array
  private known: Uint8Array | undefined
  private readonly miss: () => never

  constructor(hash: Uint8Array, miss: () => never) {
    this.hash = hash
    this.miss = miss
  }

  get bytes(): Uint8Array {
    return this.known ?? this.miss()
  }

  get isKnown(): boolean {
    return this.known !== undefined
  }

  learn(bytes: Uint8Array): void {
    this.known = bytes
  }
}

export function isNoCode(code: Code): boolean {
  return code === EMPTY_CODE || (!(code instanceof UnknownCode) && code.bytes.length === 0)
}

export function hasCode(state: WorldState, address: hex.Address): boolean {
  return readAccount(state, address).code.bytes.length > 0
}

export function codeHashHex(account: Account): Hash {
  return hex.bytesToHex(account.code.hash)
}

/** Dead as EIP-161 defines it: non-existent or empty. */
export function isDead({ nonce, balance, code }: Account): boolean {
  return nonce === 0n && balance === 0n && isNoCode(code)
}

/** The length of a delegation designator: a prefix and an address. */
const DELEGATION_BYTES = 23

/** The address in a delegation designator (EIP-7702); `undefined` for other code. */
export function delegateOf(code: Uint8Array): Address | undefined {
  const isDelegation = code.length === DELEGATION_BYTES && code[0] === 0xef && code[1] === 1 && code[2] === 0
  return isDelegation ? hex.bytesToHex(code.subarray(3)) : undefined
}

export type WorldState = ImmutableMap<Address, Account>

export const EMPTY_WORLD_STATE: WorldState = PersistentMap.empty()

/** The account, or an empty one if it does not exist. */
export function readAccount(state: WorldState, address: Address): Account {
  return state.get(address) ?? EMPTY_ACCOUNT
}

/** The code that runs at an address: its own, or that to which it delegates (EIP-7702). */
export function runCodeAt(state: WorldState, address: Address): Uint8Array {
  const { bytes } = readAccount(state, address).code
  const delegate = delegateOf(bytes)
  return delegate === undefined ? bytes : readAccount(state, delegate).code.bytes
}

/** The value of a slot without leading zeros; empty for zero. */
export function readStorage(state: WorldState, address: Address, slot: Hash): Uint8Array {
  return state.get(address)?.storage.get(slot) ?? hex.EMPTY_BYTES
}

export function updateAccount(state: WorldState, address: Address, changes: Partial<Account>): WorldState {
  const account = readAccount(state, address)
  return state.set(address, {
    nonce: changes.nonce ?? account.nonce,
    balance: changes.balance ?? account.balance,
    code: changes.code ?? account.code,
    storage: changes.storage ?? account.storage,
  })
}

/** Caps a balance at 256 bits, as revm does; only balances that a test has set can exceed them. */
export function asBalance(amount: bigint): bigint {
  return amount > MAX_UINT256 ? MAX_UINT256 : amount
}

export function credit(state: WorldState, address: Address, amount: bigint): WorldState {
  const { nonce, balance, code, storage } = readAccount(state, address)
  return state.set(address, { nonce, balance: asBalance(balance + amount), code, storage })
}

/** Sets a slot; `value` has no leading zeros, and an empty one deletes the slot. */
export function setSlot(storage: Storage, slot: Hash, value: Uint8Array): Storage {
  return value.length === 0 ? storage.delete(slot) : storage.set(slot, value)
}

/** Writes a slot of an existing account. */
export function writeStorage(state: WorldState, address: Address, slot: Hash, value: Uint8Array): WorldState {
  return updateAccount(state, address, { storage: setSlot(readAccount(state, address).storage, slot, value) })
}

/**
 * A storage with a slot written. One that has its value of the start of the transaction again was not written: the state,
 * and with it made-up roots of a fork, does not depend on the way to it.
 */
export function withSlot(storage: Storage, original: Storage, slot: Hash, value: Uint8Array): Storage {
  const isRestored = hex.equalBytes(original.get(slot) ?? hex.EMPTY_BYTES, value)
  return isRestored ? storage.restore(slot, original) : setSlot(storage, slot, value)
}

export class StateWriter {
  private readonly checkpoints: WorldState[] = []
  /** The state at the outermost checkpoint, where the transaction began: the "original" values of EIP-2200. */
  transactionStart: WorldState
  /** The state as written so far. */
  current: WorldState

  constructor(state: WorldState) {
    this.current = state
    this.transactionStart = state
  }

  /** Starts from another state, without checkpoints. */
  reset(state: WorldState): void {
    this.checkpoints.length = 0
    this.current = state
    this.transactionStart = state
  }

  /** Makes the present state that of the "original" values. */
  beginTransaction(): void {
    this.transactionStart = this.current
  }

  /** The value of a slot at the start of the transaction. */
  originalStorage(address: Address, slot: Hash): Uint8Array {
    return readStorage(this.transactionStart, address, slot)
  }

  /** The storage of an account at the start of the transaction. */
  originalStorageOf(address: Address): Storage {
    return readAccount(this.transactionStart, address).storage
  }

  writeSlot(address: Address, slot: Hash, value: Uint8Array): void {
    const { storage } = readAccount(this.current, address)
    const changed = withSlot(storage, this.originalStorageOf(address), slot, value)
    this.current = updateAccount(this.current, address, { storage: changed })
  }

  checkpoint(): void {
    if (this.checkpoints.length === 0) this.transactionStart = this.current
    this.checkpoints.push(this.current)
  }

  commit(): void {
    this.checkpoints.pop()
  }

  revert(): void {
    const older = this.checkpoints.pop()
    if (older !== undefined) this.current = older
  }
}
