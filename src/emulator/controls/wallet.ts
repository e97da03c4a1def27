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
 * Accounts whose keys `eth_sendTransaction` and the methods that sign use. Those of the option `accounts` are
 * unlocked, and have the empty passphrase.
 */
export interface WalletControls {
  /**
   * Lists the accounts that the emulator signs for, in lower case, locked ones among them.
   *
   * @see `personal_listAccounts`
   * @example
   * const [first] = await chain.listAccounts()
   * first // => '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
   */
  listAccounts(): Promise<readonly Address[]>
  /**
   * Makes an account, locked with a passphrase, and resolves to its address. The key follows from the seed.
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
   * Adds an account whose key nobody has, locked with a passphrase; unlocked, it sends as if impersonated. Resolves to
   * false where it is there already.
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
   * Forgets an account. Resolves to false where there is none.
   *
   * @param address 20 bytes of hex.
   * @param passphrase That of the account.
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
   * @param passphrase That of the account.
   * @param options How long.
   * @throws TickchainError `invalidCall`, `unknownAccount` or `wrongPassphrase`
   * @see `personal_unlockAccount`
   * @example
   * const address = await chain.newAccount('secret')
   * await chain.unlockAccount(address, 'wrong') // throws wrongPassphrase
   */
  unlockAccount(address: Address, passphrase: string, options?: UnlockOptions): Promise<void>
  /**
   * Locks an account. Resolves to false where there is none.
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
