// Functions of the emulator for the accounts that it signs for: adding, removing, locking.

import * as wallet from '../../node/control/wallet.ts'
import { unchanged } from '../../node/events.ts'
import type { Node } from '../../node/node.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import { alsoBytes, passphrase, privateKey } from '../../rpc/codecs/accounts.ts'
import { address, asRecord } from '../../rpc/codecs/basic.ts'
import type { Codec } from '../../rpc/codecs/codec.ts'
import { number } from '../../rpc/codecs/numbers.ts'
import { argument, option, optionalArgument } from '../checks.ts'

/** How long an account is unlocked. */
export interface UnlockOptions {
  /** Virtual seconds; 0 for until it is locked. Default 300. */
  readonly seconds?: number
}

/**
 * Accounts that `eth_sendTransaction` and the methods that sign use the keys of. Those of the option `accounts` are
 * unlocked, and have the empty passphrase. All throw `invalidCall` for what is not an address, a text or the like.
 */
export interface WalletControls {
  /**
   * The accounts that the emulator signs for, in lower case, locked ones among them.
   *
   * @example
   * const [first] = await chain.listAccounts()
   */
  listAccounts(): Promise<readonly Address[]>
  /**
   * Makes an account, locked with a passphrase, and answers its address. The key follows from the seed.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * const address = await chain.newAccount('secret')
   * await chain.setBalance(address, 10n ** 18n)
   */
  newAccount(passphrase: string): Promise<Address>
  /**
   * Adds an account by its private key of 32 bytes, locked with a passphrase, and answers its address.
   *
   * @throws TickchainError `invalidCall` or `accountExists`
   * @example
   * const address = await chain.importAccount(`0x${'11'.repeat(32)}`, 'secret')
   */
  importAccount(privateKey: Hex | Uint8Array, passphrase: string): Promise<Address>
  /**
   * Adds an account whose key nobody has, locked with a passphrase; unlocked, it sends as if impersonated. False
   * where it is there already.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * const whale = `0x${'aa'.repeat(20)}`
   * await chain.addAccount(whale, '')
   * await chain.unlockAccount(whale, '', { seconds: 0 })
   */
  addAccount(address: Address, passphrase: string): Promise<boolean>
  /**
   * Forgets an account. False where there is none.
   *
   * @throws TickchainError `invalidCall` or `wrongPassphrase`
   * @example
   * const [first] = await chain.listAccounts()
   * await chain.removeAccount(first, '')
   */
  removeAccount(address: Address, passphrase: string): Promise<boolean>
  /**
   * Unlocks an account for a time on the virtual clock, 300 seconds if none is said.
   *
   * @throws TickchainError `invalidCall`, `unknownAccount` or `wrongPassphrase`
   * @example
   * const address = await chain.newAccount('secret')
   * await chain.unlockAccount(address, 'secret', { seconds: 3600 })
   */
  unlockAccount(address: Address, passphrase: string, options?: UnlockOptions): Promise<void>
  /**
   * Locks an account. False where there is none.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * const [first] = await chain.listAccounts()
   * await chain.lockAccount(first)
   */
  lockAccount(address: Address): Promise<boolean>
}

const DEFAULT_SECONDS = 300

const unlockSeconds: Codec<number, UnlockOptions> = {
  name: 'object with seconds',
  decode: (value, path) => option(asRecord(value, path), 'seconds', number, DEFAULT_SECONDS, path),
}

const anyPrivateKey = alsoBytes(privateKey)

/** The controls of a node's wallet. */
export function walletControls(node: Node): WalletControls {
  const addressIn = (call: string, account: unknown): Address => argument(call, 'address', account, address)
  const secretIn = (call: string, secret: unknown): string => argument(call, 'passphrase', secret, passphrase)
  return {
    listAccounts: () => node.read(wallet.heldAccounts),
    async newAccount(passphrase) {
      const secret = secretIn('newAccount', passphrase)
      return node.execute((state) => wallet.createAccount(state, secret))
    },
    async importAccount(privateKey, passphrase) {
      const key = argument('importAccount', 'privateKey', privateKey, anyPrivateKey)
      const secret = secretIn('importAccount', passphrase)
      return node.execute(async (state) => {
        const reason = 'privateKey: not a key of the curve secp256k1'
        const imported = await wallet.importKey(state, key, secret)
        if (imported === undefined) throw failure('invalidCall', { call: 'importAccount', reason })
        return imported
      })
    },
    async addAccount(address, passphrase) {
      const [account, secret] = [addressIn('addAccount', address), secretIn('addAccount', passphrase)]
      return node.execute((state) => wallet.addAccount(state, account, secret))
    },
    async removeAccount(address, passphrase) {
      const [account, secret] = [addressIn('removeAccount', address), secretIn('removeAccount', passphrase)]
      return node.execute((state) => wallet.removeAccount(state, account, secret))
    },
    async unlockAccount(address, passphrase, options) {
      const [account, secret] = [addressIn('unlockAccount', address), secretIn('unlockAccount', passphrase)]
      const seconds = optionalArgument('unlockAccount', 'options', options, unlockSeconds, DEFAULT_SECONDS)
      const durationMs = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000
      await node.execute((state) => unchanged(wallet.unlockAccount(state, account, secret, durationMs)))
    },
    async lockAccount(address) {
      const account = addressIn('lockAccount', address)
      return node.execute((state) => wallet.lockAccount(state, account))
    },
  }
}
