// Functions of the emulator for the accounts that it signs for.

import * as wallet from '../../node/control/wallet.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import { orBytes, passphrase, privateKey } from '../../rpc/codecs/accounts.ts'
import { address } from '../../rpc/codecs/basic.ts'
import { number } from '../../rpc/codecs/codec.ts'
import { objectCodec, or } from '../../rpc/codecs/object.ts'
import { arg, control, reading } from './define.ts'

/** The time for which an account is unlocked. */
export interface UnlockOptions {
  /** Virtual seconds; 0 for no limit. Default 300. */
  readonly seconds?: number
}

/**
 * Accounts that the emulator signs for, in `eth_sendTransaction` and the signing methods. Those of the option
 * `accounts` are unlocked and have the empty passphrase.
 */
export interface WalletControls {
  /**
   * Lists the accounts that the emulator signs for, in lower case, including locked ones.
   *
   * @see `personal_listAccounts`
   * @example
   * const [first] = await chain.listAccounts()
   * first // => '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
   */
  listAccounts(): Promise<readonly Address[]>
  /**
   * Creates an account, locked with a passphrase, and resolves to its address. The key is derived from the seed.
   *
   * @param passphrase Any text.
   * @throws TickchainError `invalidCall`
   * @see `personal_newAccount`
   * @example
   * const address = await chain.newAccount('secret')
   * await chain.unlockAccount(address, 'secret')
   */
  newAccount(passphrase: string): Promise<Address>
  /**
   * Adds an account by its private key, locked with a passphrase, and resolves to its address.
   *
   * @param privateKey 32 bytes, as bytes or hex.
   * @param passphrase Any text.
   * @throws TickchainError `invalidCall` or `accountExists`
   * @see `personal_importRawKey`
   * @example
   * const privateKey = '0x45a915e4d060149eb4365960e6a7a45f334393093061116b197e3240065ff2d8'
   * await chain.importAccount(privateKey, 'secret') // => '0xa94f5374fce5edbc8e2a8697c15331677e6ebf0b'
   */
  importAccount(privateKey: Hex | Uint8Array, passphrase: string): Promise<Address>
  /**
   * Adds an account without a key, locked with a passphrase. Unlocked, it sends as if impersonated. Resolves to false
   * if it exists already.
   *
   * @param address 20 bytes of hex.
   * @param passphrase Any text.
   * @throws TickchainError `invalidCall`
   * @see `evm_addAccount`
   * @example
   * const whale = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
   * await chain.addAccount(whale, '') // => true
   * await chain.unlockAccount(whale, '', { seconds: 0 })
   */
  addAccount(address: Address, passphrase: string): Promise<boolean>
  /**
   * Removes an account. Resolves to false if there is none.
   *
   * @param address 20 bytes of hex.
   * @param passphrase The account's passphrase.
   * @throws TickchainError `invalidCall` or `wrongPassphrase`
   * @see `evm_removeAccount`
   * @example
   * await chain.removeAccount('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '') // => true
   */
  removeAccount(address: Address, passphrase: string): Promise<boolean>
  /**
   * Unlocks an account for a time on the virtual clock.
   *
   * @param address 20 bytes of hex.
   * @param passphrase The account's passphrase.
   * @param options How long.
   * @throws TickchainError `invalidCall`, `unknownAccount` or `wrongPassphrase`
   * @see `personal_unlockAccount`
   * @example
   * const address = await chain.newAccount('secret')
   * await chain.unlockAccount(address, 'wrong') // throws wrongPassphrase
   */
  unlockAccount(address: Address, passphrase: string, options?: UnlockOptions): Promise<void>
  /**
   * Locks an account. Resolves to false if there is none.
   *
   * @param address 20 bytes of hex.
   * @throws TickchainError `invalidCall`
   * @see `personal_lockAccount`
   * @example
   * const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
   * await chain.lockAccount(from) // => true
   * await chain.request({ method: 'eth_sendTransaction', params: [{ from }] }) // throws accountLocked
   */
  lockAccount(address: Address): Promise<boolean>
}

const SECONDS = 300
const ACCOUNT = [arg('address', address), arg('passphrase', passphrase)] as const

export const walletControls = {
  listAccounts: reading(wallet.heldAccounts),
  newAccount: control([arg('passphrase', passphrase)], wallet.createAccount),
  importAccount: control(
    [arg('privateKey', orBytes(privateKey)), arg('passphrase', passphrase)],
    async (state, key, secret) => {
      const reason = 'privateKey: not a key of the curve secp256k1'
      const imported = await wallet.importKey(state, key, secret)
      if (imported === undefined) throw failure('invalidCall', { call: 'importAccount', reason })
      return imported
    },
  ),
  addAccount: control(ACCOUNT, wallet.addAccount),
  removeAccount: control(ACCOUNT, wallet.removeAccount),
  unlockAccount: control(
    [...ACCOUNT, arg('options', objectCodec({ seconds: or(number, SECONDS) }), { seconds: SECONDS })],
    (state, account, secret, { seconds }) =>
      wallet.unlockAccount(state, account, secret, seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000),
  ),
  lockAccount: control([arg('address', address)], wallet.lockAccount),
}
