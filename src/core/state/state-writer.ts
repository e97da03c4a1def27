// The writer of a transaction: checkpoints are a stack of references to states, and a revert restores one.

import type { Address, Hash } from '../primitives/hex.ts'
import * as hex from '../primitives/hex.ts'
import {
  readAccount,
  readStorage,
  type Storage,
  setSlot,
  updateAccount,
  type WorldState,
} from './world-state.ts'

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
