// The state manager that @ethereumjs writes to while a transaction runs. The state is immutable, so checkpoints are a
// stack of references, and a revert restores one.

import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account as EvmAccount, type Address as EvmAddress } from '@ethereumjs/util'
import { type Address, bytesToHex, type Hash, padLeft, stripLeadingZeros } from '../primitives/hex.ts'
import { type Account, EMPTY_STORAGE, makeCode } from './account.ts'
import {
  asBalance,
  readAccount,
  readStorage,
  updateAccount,
  type WorldState,
  writeStorage,
} from './world-state.ts'

const NO_ROOT = new Uint8Array(32)

/** Any non-empty storage root: the EVM only checks whether an account has storage (EIP-7610). */
const SOME_STORAGE_ROOT = new Uint8Array(32).fill(0xff)

function toEvmAccount(account: Account): EvmAccount {
  const root = account.storage.isEmpty ? undefined : SOME_STORAGE_ROOT
  return new EvmAccount(account.nonce, account.balance, root, account.code.hash)
}

function slotOf(key: Uint8Array): Hash {
  return bytesToHex(padLeft(key, 32))
}

export class StateWriter implements StateManagerInterface {
  private readonly checkpoints: WorldState[] = []
  /** The state at the outermost checkpoint, where the transaction began: the "original" values of EIP-2200. */
  private transactionStart: WorldState
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

  readonly originalStorageCache = {
    get: async (address: EvmAddress, key: Uint8Array): Promise<Uint8Array> =>
      this.originalStorage(bytesToHex(address.bytes), slotOf(key)),
    clear: (): void => {
      this.transactionStart = this.current
    },
  }

  /** The value of a slot at the start of the transaction. */
  originalStorage(address: Address, slot: Hash): Uint8Array {
    return readStorage(this.transactionStart, address, slot)
  }

  async getAccount(address: EvmAddress): Promise<EvmAccount | undefined> {
    const account = this.current.get(bytesToHex(address.bytes))
    return account === undefined ? undefined : toEvmAccount(account)
  }

  async putAccount(address: EvmAddress, account?: EvmAccount): Promise<void> {
    if (account === undefined) return this.deleteAccount(address)
    const { nonce } = account
    const balance = asBalance(account.balance)
    this.current = updateAccount(this.current, bytesToHex(address.bytes), { nonce, balance })
  }

  async deleteAccount(address: EvmAddress): Promise<void> {
    this.current = this.current.delete(bytesToHex(address.bytes))
  }

  async modifyAccountFields(address: EvmAddress, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new EvmAccount()
    if (fields.nonce !== undefined) account.nonce = fields.nonce
    if (fields.balance !== undefined) account.balance = fields.balance
    return this.putAccount(address, account)
  }

  async putCode(address: EvmAddress, bytes: Uint8Array): Promise<void> {
    this.current = updateAccount(this.current, bytesToHex(address.bytes), { code: makeCode(bytes) })
  }

  async getCode(address: EvmAddress): Promise<Uint8Array> {
    return readAccount(this.current, bytesToHex(address.bytes)).code.bytes
  }

  async getCodeSize(address: EvmAddress): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: EvmAddress, key: Uint8Array): Promise<Uint8Array> {
    return readStorage(this.current, bytesToHex(address.bytes), slotOf(key))
  }

  async putStorage(address: EvmAddress, key: Uint8Array, value: Uint8Array): Promise<void> {
    // Copied, because the interpreter reuses its buffers.
    const copy = stripLeadingZeros(value).slice()
    this.current = writeStorage(this.current, bytesToHex(address.bytes), slotOf(key), copy)
  }

  async clearStorage(address: EvmAddress): Promise<void> {
    const hex = bytesToHex(address.bytes)
    if (this.current.has(hex)) this.current = updateAccount(this.current, hex, { storage: EMPTY_STORAGE })
  }

  async checkpoint(): Promise<void> {
    if (this.checkpoints.length === 0) this.transactionStart = this.current
    this.checkpoints.push(this.current)
  }

  async commit(): Promise<void> {
    this.checkpoints.pop()
  }

  async revert(): Promise<void> {
    const older = this.checkpoints.pop()
    if (older !== undefined) this.current = older
  }

  clearCaches(): void {}

  shallowCopy(): StateWriter {
    return new StateWriter(this.current)
  }

  /** Not a real root: `commitState` computes those. runTx, which tests use, puts it into a receipt. */
  async getStateRoot(): Promise<Uint8Array> {
    return NO_ROOT
  }

  async setStateRoot(): Promise<void> {
    throw new Error('reset() sets the state, not a root')
  }

  async hasStateRoot(): Promise<boolean> {
    return false
  }
}
