// Functions of the emulator for accounts: their state, those that it signs for, and subscriptions of one listener.

import * as edits from '../../node/control/edit-state.ts'
import * as wallet from '../../node/control/wallet.ts'
import { unchanged } from '../../node/events.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash, Hex } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import {
  anySlot,
  anyStorageBytes,
  orBytes,
  passphrase,
  privateKey,
  signature,
} from '../../rpc/codecs/accounts.ts'
import { address, boolean, bytesOf } from '../../rpc/codecs/basic.ts'
import { type Amount, amountUpTo, anyAmount, type Codec, number, refuse } from '../../rpc/codecs/codec.ts'
import { type LogFilterWire, subscriptionDetail, subscriptionKind } from '../../rpc/codecs/filter.ts'
import { need, objectCodec, or } from '../../rpc/codecs/object.ts'
import { endSubscriptions, type Receiver } from '../../rpc/events/waits.ts'
import type { RpcBlock, RpcHeader } from '../../rpc/format/block.ts'
import type { RpcLog, RpcReceipt } from '../../rpc/format/receipt.ts'
import type { RpcTransaction } from '../../rpc/format/transaction.ts'
import { METHODS } from '../../rpc/registry.ts'
import type { Session } from '../../rpc/session.ts'
import { argument, optionalArgument, refuseCall } from '../checks.ts'
import { arg, control, edit } from './define.ts'

/** The balance that `deal` sets. */
export interface DealOptions {
  /** The account. */
  readonly to: Address
  /** An ERC-20 token. Default ether. */
  readonly token?: Address
  /** The balance afterwards, in wei or in the token's smallest unit. */
  readonly amount: Amount
  /** True if the token's total supply changes by as much as the balance. Default false. */
  readonly adjustTotalSupply?: boolean
}

/** The allowance that `setAllowance` sets. */
export interface AllowanceOptions {
  /** An ERC-20 token. */
  readonly token: Address
  /** The owner of the tokens. */
  readonly owner: Address
  /** The account that may spend them. */
  readonly spender: Address
  /** In the token's smallest unit. */
  readonly amount: Amount
}

/**
 * Edits of accounts outside any transaction. They show at once in `latest` and in the block being built, and in the
 * state root of the next block; a revert undoes them.
 */
export interface AccountControls {
  /**
   * Sets the balance of an account.
   *
   * @param address 20 bytes of hex.
   * @param balance Wei.
   * @throws TickchainError `invalidCall`
   * @see `anvil_setBalance`, `hardhat_setBalance`, `evm_setAccountBalance`
   * @example
   * const account = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
   * await chain.setBalance(account, 10n ** 18n)
   * await chain.request('eth_getBalance', [account, 'latest']) // => '0xde0b6b3a7640000'
   */
  setBalance(address: Address, balance: Amount): Promise<void>
  /**
   * Adds to the balance of an account.
   *
   * @param address 20 bytes of hex.
   * @param amount Wei.
   * @throws TickchainError `invalidCall`, also where the sum does not fit 256 bits
   * @see `anvil_addBalance`, `tenderly_addBalance`
   * @example
   * const account = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
   * await chain.addBalance(account, 2)
   * await chain.addBalance(account, '0x3')
   * await chain.request('eth_getBalance', [account, 'latest']) // => '0x5'
   */
  addBalance(address: Address, amount: Amount): Promise<void>
  /**
   * Sets the deployed code of an account. No constructor runs; storage stays.
   *
   * @param address 20 bytes of hex.
   * @param code Bytes or hex.
   * @throws TickchainError `invalidCall`
   * @see `anvil_setCode`, `hardhat_setCode`, `evm_setAccountCode`
   * @example
   * const contract = '0xcccccccccccccccccccccccccccccccccccccccc'
   * await chain.setCode(contract, '0x602a60005260206000f3') // returns 42
   * BigInt(await chain.request('eth_call', [{ to: contract }])) // => 42n
   */
  setCode(address: Address, code: Hex | Uint8Array): Promise<void>
  /**
   * Sets the nonce of an account, also to a lower one. Its pooled transactions with lower nonces are dropped.
   *
   * @param address 20 bytes of hex.
   * @param nonce A number below 2⁶⁴.
   * @throws TickchainError `invalidCall`
   * @see `anvil_setNonce`, `hardhat_setNonce`, `evm_setAccountNonce`
   * @example
   * const account = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
   * await chain.setNonce(account, 5)
   * await chain.request('eth_getTransactionCount', [account, 'latest']) // => '0x5'
   */
  setNonce(address: Address, nonce: Amount): Promise<void>
  /**
   * Sets a storage slot of an account.
   *
   * @param address 20 bytes of hex.
   * @param slot A number, or hex of up to 32 bytes.
   * @param value A number, or hex of up to 32 bytes.
   * @throws TickchainError `invalidCall`
   * @see `anvil_setStorageAt`, `hardhat_setStorageAt`, `evm_setAccountStorageAt`
   * @example
   * const contract = '0xcccccccccccccccccccccccccccccccccccccccc'
   * await chain.setStorageAt(contract, 0, 42n)
   * BigInt(await chain.request('eth_getStorageAt', [contract, '0x0', 'latest'])) // => 42n
   */
  setStorageAt(address: Address, slot: Amount, value: Amount): Promise<void>
  /**
   * Accepts transactions of an account, or of all accounts, without a signature. The account may be a contract; it pays
   * for its gas.
   *
   * @param account 20 bytes of hex, or `'all'`.
   * @throws TickchainError `invalidCall`
   * @see `anvil_impersonateAccount`, `hardhat_impersonateAccount`, `anvil_autoImpersonateAccount`
   * @example
   * const from = '0xcccccccccccccccccccccccccccccccccccccccc'
   * await chain.impersonate(from)
   * await chain.setBalance(from, 10n ** 18n)
   * await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: from, value: '0x1' }] })
   */
  impersonate(account: Address | 'all'): Promise<void>
  /**
   * Stops impersonating an account. With `'all'` it undoes `impersonate('all')`: accounts named individually stay
   * impersonated.
   *
   * @param account 20 bytes of hex, or `'all'`.
   * @throws TickchainError `invalidCall`
   * @see `anvil_stopImpersonatingAccount`, `hardhat_stopImpersonatingAccount`
   * @example
   * const from = '0xcccccccccccccccccccccccccccccccccccccccc'
   * await chain.impersonate(from)
   * await chain.stopImpersonating(from)
   * await chain.request({ method: 'eth_sendTransaction', params: [{ from }] }) // throws unknownAccount
   */
  stopImpersonating(account: Address | 'all'): Promise<void>
  /**
   * Makes ecrecover return an account for a signature, whatever was signed.
   *
   * @param signature 65 bytes (r, s, v), as bytes or hex.
   * @param address 20 bytes of hex.
   * @throws TickchainError `invalidCall`
   * @see `anvil_impersonateSignature`
   * @example
   * const signature = new Uint8Array(65).fill(27) // r, s and v
   * await chain.impersonateSignature(signature, '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb')
   */
  impersonateSignature(signature: Hex | Uint8Array, address: Address): Promise<void>
  /**
   * Sets the balance of an account in an ERC-20 token, or in ether. The storage slot is found by observing which
   * one `balanceOf` reads.
   *
   * @param options The account, the token and the amount.
   * @throws TickchainError `invalidCall`; `tokenNotSettable` if no slot holds just the balance
   * @see ERC-20, `anvil_dealERC20`
   * @example
   * const to = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
   * await chain.deal({ to, amount: 10n ** 18n })
   * await chain.request('eth_getBalance', [to, 'latest']) // => '0xde0b6b3a7640000'
   */
  deal(options: DealOptions): Promise<void>
  /**
   * Sets an allowance of an ERC-20 token. The storage slot is found by observing which one `allowance` reads.
   *
   * @param options The token, its owner, the spender and the amount.
   * @throws TickchainError `invalidCall`; `tokenNotSettable` if no slot holds just the allowance
   * @see ERC-20, `anvil_setERC20Allowance`
   * @example
   * const token = '0xcccccccccccccccccccccccccccccccccccccccc' // no contract
   * const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
   * const spender = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
   * await chain.setAllowance({ token, owner, spender, amount: 1n }) // throws tokenNotSettable
   */
  setAllowance(options: AllowanceOptions): Promise<void>
}

const dealFields = objectCodec({
  to: need(address),
  token: address,
  amount: need(anyAmount),
  adjustTotalSupply: or(boolean, false),
})

/** A deal in a token, or in ether. */
type AnyDeal = edits.Deal | Omit<edits.Deal, 'token' | 'supply'>

const dealOptions: Codec<AnyDeal, DealOptions> = {
  name: dealFields.name,
  decode(value, path) {
    const { to, amount, token, adjustTotalSupply } = dealFields.decode(value, path)
    if (token !== undefined) return { to, amount, token, supply: adjustTotalSupply ? 'adjusted' : 'kept' }
    if (adjustTotalSupply) refuse(path, 'expected a token whose total supply to adjust, got none')
    return { to, amount }
  },
}

const allowanceOptions = objectCodec({
  token: need(address),
  owner: need(address),
  spender: need(address),
  amount: need(anyAmount),
})

const impersonated: Codec<Address | 'all'> = {
  name: 'address or all',
  decode: (value, path) => (value === 'all' ? value : address.decode(value, path)),
}

export const accountControls = {
  setBalance: edit([arg('address', address), arg('balance', anyAmount)], edits.setBalance),
  addBalance: edit([arg('address', address), arg('amount', anyAmount)], edits.addBalance),
  setCode: edit([arg('address', address), arg('code', bytesOf())], edits.setCode),
  setNonce: edit([arg('address', address), arg('nonce', amountUpTo(MAX_UINT64))], edits.setNonce),
  setStorageAt: edit(
    [arg('address', address), arg('slot', anySlot), arg('value', anyStorageBytes)],
    edits.setStorageAt,
  ),
  impersonate: edit([arg('account', impersonated)], (state, account) =>
    account === 'all' ? wallet.impersonateAll(state) : wallet.impersonate(state, account),
  ),
  stopImpersonating: edit([arg('account', impersonated)], (state, account) =>
    account === 'all' ? wallet.stopImpersonatingAll(state) : wallet.stopImpersonating(state, account),
  ),
  impersonateSignature: edit(
    [arg('signature', orBytes(signature)), arg('address', address)],
    wallet.impersonateSignature,
  ),
  deal: control([arg('options', dealOptions)], async (config, state, deal) =>
    unchanged(
      'token' in deal
        ? await edits.dealToken(config, state, deal)
        : edits.setBalance(state, deal.to, deal.amount),
    ),
  ),
  setAllowance: control([arg('options', allowanceOptions)], async (config, state, allowance) =>
    unchanged(await edits.setAllowance(config, state, allowance)),
  ),
}

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
  listAccounts:
    ({ node }: Session) =>
    () =>
      node.read(wallet.heldAccounts),
  newAccount: control([arg('passphrase', passphrase)], (_, state, secret) =>
    wallet.createAccount(state, secret),
  ),
  importAccount: control(
    [arg('privateKey', orBytes(privateKey)), arg('passphrase', passphrase)],
    async (_, state, key, secret) => {
      const reason = 'privateKey: not a key of the curve secp256k1'
      const imported = await wallet.importKey(state, key, secret)
      if (imported === undefined) throw failure('invalidCall', { call: 'importAccount', reason })
      return imported
    },
  ),
  addAccount: control(ACCOUNT, (_, state, account, secret) => wallet.addAccount(state, account, secret)),
  removeAccount: control(ACCOUNT, (_, state, account, secret) =>
    wallet.removeAccount(state, account, secret),
  ),
  unlockAccount: edit(
    [...ACCOUNT, arg('options', objectCodec({ seconds: or(number, SECONDS) }), { seconds: SECONDS })],
    (state, account, secret, { seconds }) =>
      wallet.unlockAccount(state, account, secret, seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000),
  ),
  lockAccount: control([arg('address', address)], (_, state, account) => wallet.lockAccount(state, account)),
}

/** Messages of a subscription by its kind, in the shapes of JSON-RPC. */
export interface SubscriptionResults {
  /** A sealed block. */
  newHeads: RpcHeader
  /** A log of a sealed block; with `removed: true` if its block is no longer part of the chain. */
  logs: RpcLog
  /** A log of a pre-confirmed transaction. */
  pendingLogs: RpcLog
  /** A transaction that the pool has accepted; with the filter `true`, in full. */
  newPendingTransactions: Hash | RpcTransaction
  /** The receipts of the wanted transactions of a sealed block. */
  transactionReceipts: readonly RpcReceipt[]
  /** The block being built, after each partial block. */
  newFlashblocks: RpcBlock
  /** A pre-confirmed transaction; in full with the filter `true`, or with one of logs. */
  newFlashblockTransactions: Hash | RpcTransaction
  /** Once: `false`. */
  syncing: boolean
}

/** Filter of a subscription: a filter of logs, hashes of transactions, or `true` for full transactions. */
export type SubscriptionFilter = (LogFilterWire & { readonly transactionHashes?: readonly Hash[] }) | boolean

/** Ends a subscription; resolves when its listener is called no more. */
export type EndSubscription = () => Promise<void>

/** Listens to what `eth_subscribe` offers. */
export interface SubscriptionControls {
  /**
   * Calls the listener with every result of a subscription, before the call that causes it resolves. Faults do not apply.
   *
   * @param kind As `eth_subscribe` takes it.
   * @param filter Which of them, as the second parameter of `eth_subscribe`; `undefined` for all.
   * @param listener Gets the result. If it throws, a `listenerError` is emitted and nothing else is affected.
   * @throws TickchainError `invalidCall`
   * @see `eth_subscribe`
   * @example
   * const numbers = []
   * const end = await chain.subscribe('newHeads', undefined, ({ number }) => numbers.push(number))
   * await chain.advance(4000)
   * numbers // => ['0x1', '0x2']
   * await end()
   */
  subscribe<Kind extends keyof SubscriptionResults>(
    kind: Kind,
    filter: SubscriptionFilter | undefined,
    listener: (result: SubscriptionResults[Kind]) => void,
  ): Promise<EndSubscription>
}

/** The controls of a session's subscriptions; `report` is told what a listener throws. */
export function subscriptionControls(
  session: Session,
  report: (error: unknown) => void,
): SubscriptionControls {
  return {
    async subscribe(kind, filter, listener) {
      const [asked, detail] = [
        argument('subscribe', 'kind', kind, subscriptionKind),
        optionalArgument('subscribe', 'filter', filter, subscriptionDetail, undefined),
      ]
      if (typeof listener !== 'function') refuseCall('subscribe', 'a function as listener', listener)
      const emit: Receiver = ({ data }) => {
        try {
          listener(data.result as never)
        } catch (error) {
          report(error)
        }
      }
      await METHODS.eth_subscribe.handle({ ...session, emit }, asked, detail)
      return () =>
        session.node.execute((state) => ({
          ...unchanged(state),
          effects: [() => endSubscriptions(session.subscriptions, emit)],
          result: undefined,
        }))
    },
  }
}
