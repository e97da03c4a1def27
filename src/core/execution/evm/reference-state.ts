// The state manager of @ethereumjs, on a writer of the state.

import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account as EvmAccount, type Address as EvmAddress } from '@ethereumjs/util'
import { bytesToHex, type Hash, padLeft, stripLeadingZeros } from '../../primitives/hex.ts'
import * as world from '../../state/world-state.ts'
import { StateWriter } from '../../state/world-state.ts'

const NO_ROOT = new Uint8Array(32)

/** Any non-empty storage root: the EVM only checks whether an account has storage (EIP-7610). */
const SOME_STORAGE_ROOT = new Uint8Array(32).fill(0xff)

function toEvmAccount(account: world.Account): EvmAccount {
  const root = account.storage.isEmpty ? undefined : SOME_STORAGE_ROOT
  return new EvmAccount(account.nonce, account.balance, root, account.code.hash)
}

function slotOf(key: Uint8Array): Hash {
  return bytesToHex(padLeft(key, 32))
}

export class ReferenceState implements StateManagerInterface {
  readonly writer: StateWriter

  constructor(writer: StateWriter) {
    this.writer = writer
  }

  readonly originalStorageCache = {
    get: async (address: EvmAddress, key: Uint8Array): Promise<Uint8Array> =>
      this.writer.originalStorage(bytesToHex(address.bytes), slotOf(key)),
    clear: (): void => this.writer.beginTransaction(),
  }

  async getAccount(address: EvmAddress): Promise<EvmAccount | undefined> {
    const account = this.writer.current.get(bytesToHex(address.bytes))
    return account === undefined ? undefined : toEvmAccount(account)
  }

  async putAccount(address: EvmAddress, account?: EvmAccount): Promise<void> {
    if (account === undefined) return this.deleteAccount(address)
    const { nonce } = account
    const balance = world.asBalance(account.balance)
    this.writer.current = world.updateAccount(this.writer.current, bytesToHex(address.bytes), {
      nonce,
      balance,
    })
  }

  async deleteAccount(address: EvmAddress): Promise<void> {
    this.writer.current = this.writer.current.delete(bytesToHex(address.bytes))
  }

  async modifyAccountFields(address: EvmAddress, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new EvmAccount()
    if (fields.nonce !== undefined) account.nonce = fields.nonce
    if (fields.balance !== undefined) account.balance = fields.balance
    return this.putAccount(address, account)
  }

  async putCode(address: EvmAddress, bytes: Uint8Array): Promise<void> {
    this.writer.current = world.updateAccount(this.writer.current, bytesToHex(address.bytes), {
      code: world.makeCode(bytes),
    })
  }

  async getCode(address: EvmAddress): Promise<Uint8Array> {
    return world.readAccount(this.writer.current, bytesToHex(address.bytes)).code.bytes
  }

  async getCodeSize(address: EvmAddress): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: EvmAddress, key: Uint8Array): Promise<Uint8Array> {
    return world.readStorage(this.writer.current, bytesToHex(address.bytes), slotOf(key))
  }

  async putStorage(address: EvmAddress, key: Uint8Array, value: Uint8Array): Promise<void> {
    // Copied, because the interpreter reuses its buffers.
    const copy = stripLeadingZeros(value).slice()
    this.writer.writeSlot(bytesToHex(address.bytes), slotOf(key), copy)
  }

  async clearStorage(address: EvmAddress): Promise<void> {
    const hex = bytesToHex(address.bytes)
    // An account of a fork that certainly has no slots stays one of the fork.
    if (this.writer.current.get(hex)?.storage.isEmpty === false)
      this.writer.current = world.updateAccount(this.writer.current, hex, { storage: world.EMPTY_STORAGE })
  }

  async checkpoint(): Promise<void> {
    this.writer.checkpoint()
  }

  async commit(): Promise<void> {
    this.writer.commit()
  }

  async revert(): Promise<void> {
    this.writer.revert()
  }

  clearCaches(): void {}

  shallowCopy(): ReferenceState {
    return new ReferenceState(new StateWriter(this.writer.current))
  }

  /** Not a real root: `commitState` computes those. runTx, which tests use, puts it into a receipt. */
  async getStateRoot(): Promise<Uint8Array> {
    return NO_ROOT
  }

  async setStateRoot(): Promise<void> {
    throw new Error('the writer sets the state, not a root')
  }

  async hasStateRoot(): Promise<boolean> {
    return false
  }
}
