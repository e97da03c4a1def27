// Functions of the emulator for the state of accounts.

import * as edits from '../../node/control/edit-state.ts'
import * as wallet from '../../node/control/wallet.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import { anySlot, anyStorageBytes, orBytes, signature } from '../../rpc/codecs/accounts.ts'
import { address, boolean, bytesOf } from '../../rpc/codecs/basic.ts'
import { type Amount, amountUpTo, anyAmount, type Codec, refuse } from '../../rpc/codecs/codec.ts'
import { converted, need, objectCodec, or } from '../../rpc/codecs/object.ts'
import { arg, control } from './define.ts'

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

type AnyDeal = edits.Deal | Omit<edits.Deal, 'token' | 'supply'>

const dealOptions = converted(
  objectCodec({
    to: need(address),
    token: address,
    amount: need(anyAmount),
    adjustTotalSupply: or(boolean, false),
  }),
  ({ to, amount, token, adjustTotalSupply }, path): AnyDeal => {
    if (token !== undefined) return { to, amount, token, supply: adjustTotalSupply ? 'adjusted' : 'kept' }
    if (adjustTotalSupply) refuse(path, 'expected a token whose total supply to adjust, got none')
    return { to, amount }
  },
)

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
  setBalance: control([arg('address', address), arg('balance', anyAmount)], edits.setBalance),
  addBalance: control([arg('address', address), arg('amount', anyAmount)], edits.addBalance),
  setCode: control([arg('address', address), arg('code', bytesOf())], edits.setCode),
  setNonce: control([arg('address', address), arg('nonce', amountUpTo(MAX_UINT64))], edits.setNonce),
  setStorageAt: control(
    [arg('address', address), arg('slot', anySlot), arg('value', anyStorageBytes)],
    edits.setStorageAt,
  ),
  impersonate: control([arg('account', impersonated)], (state, account) =>
    account === 'all' ? wallet.impersonateAll(state) : wallet.impersonate(state, account),
  ),
  stopImpersonating: control([arg('account', impersonated)], (state, account) =>
    account === 'all' ? wallet.stopImpersonatingAll(state) : wallet.stopImpersonating(state, account),
  ),
  impersonateSignature: control(
    [arg('signature', orBytes(signature)), arg('address', address)],
    wallet.impersonateSignature,
  ),
  deal: control([arg('options', dealOptions)], (state, deal) =>
    'token' in deal ? edits.dealToken(state, deal) : edits.setBalance(state, deal.to, deal.amount),
  ),
  setAllowance: control([arg('options', allowanceOptions)], edits.setAllowance),
}
