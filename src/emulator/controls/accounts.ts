// Functions of the emulator that edit and impersonate accounts.

import * as edits from '../../node/control/edit-state.ts'
import * as impersonation from '../../node/control/impersonate.ts'
import { type Allowance, type Deal, dealToken, setAllowance } from '../../node/control/tokens.ts'
import { unchanged } from '../../node/events.ts'
import type { Node } from '../../node/node.ts'
import type { NodeConfig, NodeState } from '../../node/node-state.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import { alsoBytes, anySlot, anyStorageBytes, signature } from '../../rpc/codecs/accounts.ts'
import { address, asRecord, boolean, bytesOf, needed } from '../../rpc/codecs/basic.ts'
import { type Codec, refuse } from '../../rpc/codecs/codec.ts'
import { type Amount, amountUpTo, anyAmount } from '../../rpc/codecs/numbers.ts'
import { argument, option } from '../checks.ts'
import { type WalletControls, walletControls } from './wallet.ts'

/** What `deal` gives, and to whom. */
export interface DealOptions {
  readonly to: Address
  /** An ERC-20 token; ether if it is left out. */
  readonly token?: Address
  /** The balance afterwards, in wei or in the token's smallest unit. */
  readonly amount: Amount
  /** Whether the total supply of the token changes by as much as the balance. Default false. */
  readonly adjustTotalSupply?: boolean
}

/** What `setAllowance` allows, and to whom. */
export interface AllowanceOptions {
  readonly token: Address
  readonly owner: Address
  readonly spender: Address
  /** In the token's smallest unit. */
  readonly amount: Amount
}

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

/** A deal in a token, or in ether. */
type AnyDeal = Deal | Omit<Deal, 'token' | 'supply'>

function applyDeal(config: NodeConfig, state: NodeState, deal: AnyDeal): NodeState | Promise<NodeState> {
  return 'token' in deal ? dealToken(config, state, deal) : edits.setBalance(state, deal.to, deal.amount)
}

const dealOptions: Codec<AnyDeal, DealOptions> = {
  name: 'object with to, token, amount and adjustTotalSupply',
  decode(value, path) {
    const record = asRecord(value, path)
    const balance = {
      to: needed(record, 'to', address, path),
      amount: needed(record, 'amount', anyAmount, path),
    }
    const token = option(record, 'token', address, undefined, path)
    const isAdjusted = option(record, 'adjustTotalSupply', boolean, false, path)
    if (token !== undefined) return { ...balance, token, supply: isAdjusted ? 'adjusted' : 'kept' }
    if (isAdjusted) refuse(path, 'expected a token whose total supply to adjust, got none')
    return balance
  },
}

const allowanceOptions: Codec<Allowance, AllowanceOptions> = {
  name: 'object with token, owner, spender and amount',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      token: needed(record, 'token', address, path),
      owner: needed(record, 'owner', address, path),
      spender: needed(record, 'spender', address, path),
      amount: needed(record, 'amount', anyAmount, path),
    }
  },
}

const anyNonce = amountUpTo(MAX_UINT64)
const code = bytesOf()
const anySignature = alsoBytes(signature)

export function accountControls(node: Node): AccountControls & WalletControls {
  const { config } = node
  /** Decodes arguments when the command runs, so that a wrong one rejects the promise. */
  const change = (to: (state: NodeState) => NodeState | Promise<NodeState>): Promise<undefined> =>
    node.execute(async (state) => unchanged(await to(state)))
  /** Makes a function of an account and a value. */
  const edit =
    <Value>(
      call: string,
      name: string,
      codec: Codec<Value>,
      to: (state: NodeState, account: Address, value: Value) => NodeState,
    ) =>
    (account: Address, value: unknown): Promise<void> =>
      change((state) =>
        to(state, argument(call, 'address', account, address), argument(call, name, value, codec)),
      )
  return {
    ...walletControls(node),
    setBalance: edit('setBalance', 'balance', anyAmount, edits.setBalance),
    addBalance: edit('addBalance', 'amount', anyAmount, edits.addBalance),
    // Copied: the state keeps the bytes.
    setCode: edit('setCode', 'code', code, (state, account, bytes) =>
      edits.setCode(state, account, bytes.slice()),
    ),
    setNonce: edit('setNonce', 'nonce', anyNonce, edits.setNonce),
    setStorageAt: (account, slot, value) =>
      change((state) => {
        const call = 'setStorageAt'
        return edits.setStorageAt(
          state,
          argument(call, 'address', account, address),
          argument(call, 'slot', slot, anySlot),
          argument(call, 'value', value, anyStorageBytes),
        )
      }),
    impersonate: (account) =>
      change((state) =>
        account === 'all'
          ? impersonation.impersonateAll(state)
          : impersonation.impersonate(state, argument('impersonate', 'account', account, address)),
      ),
    stopImpersonating: (account) =>
      change((state) =>
        account === 'all'
          ? impersonation.stopImpersonatingAll(state)
          : impersonation.stopImpersonating(
              state,
              argument('stopImpersonating', 'account', account, address),
            ),
      ),
    impersonateSignature: (signed, signer) =>
      change((state) => {
        const call = 'impersonateSignature'
        const bytes = argument(call, 'signature', signed, anySignature)
        return impersonation.impersonateSignature(state, bytes, argument(call, 'address', signer, address))
      }),
    deal: (options) =>
      change((state) => applyDeal(config, state, argument('deal', 'options', options, dealOptions))),
    setAllowance: (options) =>
      change((state) =>
        setAllowance(config, state, argument('setAllowance', 'options', options, allowanceOptions)),
      ),
  }
}
