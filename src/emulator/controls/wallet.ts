// The accounts that the emulator signs for, as functions of the emulator: more of them, and whether they are locked.

import * as wallet from '../../node/control/wallet.ts'
import { unchanged } from '../../node/events.ts'
import type { Node } from '../../node/node.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, type Hex, hexToBytes, isHexBytes } from '../../primitives/hex.ts'
import { asAddressArgument, asFields, asWholeNumber, refuseArgument } from './arguments.ts'

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

function asPassphrase(call: string, value: unknown): string {
  return typeof value === 'string' ? value : refuseArgument(call, 'a passphrase, which is a text', value)
}

/** A key is never repeated in a message. */
function refuseKey(given: string): never {
  throw failure('invalidCall', {
    call: 'importAccount',
    expected: 'a private key of secp256k1, 32 bytes or hex of them',
    given,
  })
}

function asKey(value: unknown): Uint8Array {
  if (isHexBytes(value, 32)) return hexToBytes(value)
  return value instanceof Uint8Array && value.length === 32
    ? value.slice()
    : refuseKey(`something else (${typeof value})`)
}

const DEFAULT_SECONDS = 300

/** The wallet of a node. */
export function walletControls(node: Node): WalletControls {
  return {
    listAccounts: () => node.read(wallet.heldAccounts),
    async newAccount(passphrase) {
      const secret = asPassphrase('newAccount', passphrase)
      return node.execute((state) => wallet.createAccount(state, secret))
    },
    async importAccount(privateKey, passphrase) {
      const key = asKey(privateKey)
      const secret = asPassphrase('importAccount', passphrase)
      return node.execute(
        async (state) => (await wallet.importKey(state, key, secret)) ?? refuseKey('one that is none'),
      )
    },
    async addAccount(address, passphrase) {
      const account = asAddressArgument('addAccount', address)
      const secret = asPassphrase('addAccount', passphrase)
      return node.execute((state) => wallet.addAccount(state, account, secret))
    },
    async removeAccount(address, passphrase) {
      const account = asAddressArgument('removeAccount', address)
      const secret = asPassphrase('removeAccount', passphrase)
      return node.execute((state) => wallet.removeAccount(state, account, secret))
    },
    async unlockAccount(address, passphrase, options) {
      const account = asAddressArgument('unlockAccount', address)
      const secret = asPassphrase('unlockAccount', passphrase)
      const { seconds = DEFAULT_SECONDS } = asFields('unlockAccount', options)
      const whole = asWholeNumber('unlockAccount', 'seconds', seconds)
      const durationMs = whole === 0 ? Number.POSITIVE_INFINITY : whole * 1000
      await node.execute((state) => unchanged(wallet.unlockAccount(state, account, secret, durationMs)))
    },
    async lockAccount(address) {
      const account = asAddressArgument('lockAccount', address)
      return node.execute((state) => wallet.lockAccount(state, account))
    },
  }
}
