// Control over accounts as functions of the emulator: what they have, who plays them, and which tokens they hold.

import * as edits from '../../node/control/edit-state.ts'
import * as impersonation from '../../node/control/impersonate.ts'
import { dealToken, setAllowance } from '../../node/control/tokens.ts'
import { unchanged } from '../../node/events.ts'
import type { Node } from '../../node/node.ts'
import type { NodeState } from '../../node/node-state.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import type { Amount } from '../options/checks.ts'
import {
  type AllowanceOptions,
  type DealOptions,
  resolveAllowance,
  resolveCode,
  resolveDeal,
  resolveNonce,
  resolveSignature,
  resolveSlot,
  resolveStorageValue,
} from './account-arguments.ts'
import { asAddressArgument, asAmountArgument } from './arguments.ts'
import { type WalletControls, walletControls } from './wallet.ts'

/**
 * Edits of accounts outside any transaction. They show at once in `latest` and in the block being built, a snapshot
 * keeps them and a revert undoes them; the next block's state root has them. All throw `invalidCall` for what is not
 * an address, an amount or the like, and nothing has changed then.
 */
export interface AccountControls {
  /**
   * Sets the balance of an account, in wei.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setBalance('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 10n ** 18n)
   */
  setBalance(address: Address, balance: Amount): Promise<void>
  /**
   * Adds wei to the balance of an account.
   *
   * @throws TickchainError `invalidCall`, also where the sum does not fit 256 bits
   * @example
   * await chain.addBalance('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0xde0b6b3a7640000')
   */
  addBalance(address: Address, amount: Amount): Promise<void>
  /**
   * Sets the code of an account as it is run: no constructor is, and its storage stays.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setCode('0x1111111111111111111111111111111111111111', '0x602a60005260206000f3')
   */
  setCode(address: Address, code: Hex | Uint8Array): Promise<void>
  /**
   * Sets the nonce of an account, also to a lower one. Its transactions below leave the pool.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setNonce('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 5)
   */
  setNonce(address: Address, nonce: Amount): Promise<void>
  /**
   * Sets a storage slot of an account; slot and value are numbers or hex of up to 32 bytes.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * await chain.setStorageAt('0x1111111111111111111111111111111111111111', 0, 42n)
   */
  setStorageAt(address: Address, slot: Amount, value: Amount): Promise<void>
  /**
   * Takes transactions of an account, or of all, without a signature from now on. It may be a contract, and pays for
   * its gas as any sender does.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * const from = '0x1111111111111111111111111111111111111111'
   * await chain.impersonate(from)
   * await chain.setBalance(from, 10n ** 18n)
   * await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: from, value: '0x1' }] })
   */
  impersonate(account: Address | 'all'): Promise<void>
  /**
   * Undoes one call of `impersonate`: after 'all', accounts that were named one by one stay impersonated.
   *
   * @throws TickchainError `invalidCall`
   */
  stopImpersonating(account: Address | 'all'): Promise<void>
  /**
   * Lets ecrecover answer an account for a signature of 65 bytes (r, s, v), whatever it signs.
   *
   * @throws TickchainError `invalidCall`
   * @example
   * const signature = `0x${'11'.repeat(64)}1b`
   * await chain.impersonateSignature(signature, '0x1111111111111111111111111111111111111111')
   */
  impersonateSignature(signature: Hex | Uint8Array, address: Address): Promise<void>
  /**
   * Sets the balance of an account in an ERC-20 token, or in ether where none is named. The storage slot is found by
   * asking the token, whatever its layout.
   *
   * @throws TickchainError `invalidCall`; `tokenNotSettable` where no slot holds the balance by itself
   * @example
   * await chain.deal({ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', amount: 10n ** 18n })
   */
  deal(options: DealOptions): Promise<void>
  /**
   * Sets an allowance of an ERC-20 token. The storage slot is found by asking the token.
   *
   * @throws TickchainError `invalidCall`; `tokenNotSettable` where no slot holds the allowance by itself
   */
  setAllowance(options: AllowanceOptions): Promise<void>
}

export function accountControls(node: Node): AccountControls & WalletControls {
  const { config } = node
  /** Arguments are checked when a call's turn has come, so that a wrong one rejects. */
  const change = (to: (state: NodeState) => NodeState | Promise<NodeState>): Promise<undefined> =>
    node.execute(async (state) => unchanged(await to(state)))
  return {
    ...walletControls(node),
    setBalance: (address, balance) =>
      change((state) =>
        edits.setBalance(
          state,
          asAddressArgument('setBalance', address),
          asAmountArgument('setBalance', 'balance', balance),
        ),
      ),
    addBalance: (address, amount) =>
      change((state) =>
        edits.addBalance(
          state,
          asAddressArgument('addBalance', address),
          asAmountArgument('addBalance', 'amount', amount),
        ),
      ),
    setCode: (address, code) =>
      change((state) =>
        edits.setCode(state, asAddressArgument('setCode', address), resolveCode('setCode', code)),
      ),
    setNonce: (address, nonce) =>
      change((state) =>
        edits.setNonce(state, asAddressArgument('setNonce', address), resolveNonce('setNonce', nonce)),
      ),
    setStorageAt: (address, slot, value) =>
      change((state) => {
        const call = 'setStorageAt'
        const account = asAddressArgument(call, address)
        return edits.setStorageAt(state, account, resolveSlot(call, slot), resolveStorageValue(call, value))
      }),
    impersonate: (account) =>
      change((state) =>
        account === 'all'
          ? impersonation.impersonateAll(state)
          : impersonation.impersonate(state, asAddressArgument('impersonate', account)),
      ),
    stopImpersonating: (account) =>
      change((state) =>
        account === 'all'
          ? impersonation.stopImpersonatingAll(state)
          : impersonation.stopImpersonating(state, asAddressArgument('stopImpersonating', account)),
      ),
    impersonateSignature: (signature, address) =>
      change((state) => {
        const call = 'impersonateSignature'
        const bytes = resolveSignature(call, signature)
        return impersonation.impersonateSignature(state, bytes, asAddressArgument(call, address))
      }),
    deal: (options) =>
      change((state) => {
        const deal = resolveDeal(options)
        return 'token' in deal
          ? dealToken(config, state, deal)
          : edits.setBalance(state, deal.to, deal.amount)
      }),
    setAllowance: (options) => change((state) => setAllowance(config, state, resolveAllowance(options))),
  }
}
