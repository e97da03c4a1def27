// Account edits, tokens and impersonation, under their names in anvil, Hardhat, ganache, tevm and Tenderly.

import * as edits from '../../node/control/edit-state.ts'
import { dealToken, setAllowance, setBalance } from '../../node/control/edit-state.ts'
import * as wallet from '../../node/control/wallet.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address } from '../../primitives/hex.ts'
import { signature, slotNumber, storageValue } from '../codecs/accounts.ts'
import { address, boolean, data } from '../codecs/basic.ts'
import { amount, nonce, required } from '../codecs/codec.ts'
import { need, recordCodec } from '../codecs/object.ts'
import { type Controlled, defineCommand, defineControl, outcomeWith } from '../method.ts'
import { FIRST_ACCOUNT, SECOND_ACCOUNT, STRANGER, WORD_42 } from './examples.ts'

export const anvil_setBalance = defineControl({
  summary: 'Sets the balance of an account, in wei.',
  params: [required('address', address), required('balance', amount)],
  hardhat: { variant: 'SetBalance', params: ['address', 'quantity'] },
  example: { params: [SECOND_ACCOUNT, '0xde0b6b3a7640000'] },
  answer: 'edited',
  apply: ({ state }, account, balance) => setBalance(state, account, balance),
})

export const anvil_addBalance = defineControl({
  summary: 'Adds wei to the balance of an account.',
  params: [required('address', address), required('amount', amount)],
  example: { params: [SECOND_ACCOUNT, '0xde0b6b3a7640000'] },
  answer: 'edited',
  apply: ({ state }, account, added) => edits.addBalance(state, account, added),
})

export const anvil_setCode = defineControl({
  summary: 'Sets the runtime code of an account. No constructor runs.',
  params: [required('address', address), required('code', data)],
  hardhat: { variant: 'SetCode', params: ['address', 'data'] },
  example: { params: [SECOND_ACCOUNT, '0x602a60005260206000f3'] },
  answer: 'edited',
  apply: ({ state }, account, code) => edits.setCode(state, account, code),
})

export const anvil_setNonce = defineControl({
  summary:
    'Sets the nonce of an account. The flavor hardhat refuses a lower one, and any while the pool is not empty.',
  params: [required('address', address), required('nonce', nonce)],
  hardhat: { variant: 'SetNonce', params: ['address', 'nonce'] },
  example: { params: [SECOND_ACCOUNT, '0x5'] },
  answer: 'edited',
  apply({ state, flavor }, account, next) {
    if (flavor === 'hardhat') edits.checkNonceRaised(state, account, next)
    return edits.setNonce(state, account, next)
  },
})

export const anvil_setStorageAt = defineControl({
  summary: 'Sets a storage slot of an account. The flavor hardhat takes only values of 32 bytes.',
  params: [required('address', address), required('slot', slotNumber), required('value', storageValue)],
  hardhat: { variant: 'SetStorageAt', params: ['address', 'storageKey', 'storageValue'] },
  example: { params: [SECOND_ACCOUNT, '0x0', WORD_42] },
  answer: 'true',
  apply({ state, flavor }, account, key, { bytes, isWord }) {
    if (flavor === 'hardhat' && !isWord) throw failure('storageValueLength')
    return edits.setStorageAt(state, account, key, bytes)
  },
})

function deal({ state }: Controlled, token: Address, to: Address, balance: bigint) {
  return dealToken(state, { token, to, amount: balance, supply: 'kept' })
}

export const anvil_dealERC20 = defineControl({
  summary: 'Sets the ERC-20 balance of an account, in the storage slot from which the token reads it.',
  params: [required('address', address), required('token', address), required('balance', amount)],
  // The genesis block has no token at this address.
  example: { params: [FIRST_ACCOUNT, STRANGER, '0x64'], error: 'tokenNotSettable' },
  answer: 'edited',
  apply: (chain, account, token, balance) => deal(chain, token, account, balance),
})

export const anvil_deal = defineControl({
  summary: 'Sets the balance of an account in a token or, if none is named, in ether. Parameters as in tevm.',
  params: [required('deal', recordCodec({ erc20: address, account: need(address), amount: need(amount) }))],
  example: { params: [{ account: FIRST_ACCOUNT, amount: '0xde0b6b3a7640000' }] },
  answer: 'edited',
  apply: (chain, { erc20, account, amount: balance }) =>
    erc20 === undefined ? setBalance(chain.state, account, balance) : deal(chain, erc20, account, balance),
})

export const anvil_setERC20Allowance = defineControl({
  summary: 'Sets an ERC-20 allowance, in the storage slot from which the token reads it.',
  params: [
    required('owner', address),
    required('spender', address),
    required('token', address),
    required('amount', amount),
  ],
  example: { params: [FIRST_ACCOUNT, SECOND_ACCOUNT, STRANGER, '0x64'], error: 'tokenNotSettable' },
  answer: 'edited',
  apply: ({ state }, owner, spender, token, allowed) =>
    setAllowance(state, { token, owner, spender, amount: allowed }),
})

export const anvil_setErc20Allowance = defineControl({
  summary: 'The same as anvil_setERC20Allowance, with the parameter object of tevm.',
  params: [
    required(
      'allowance',
      recordCodec({
        erc20: need(address),
        owner: need(address),
        spender: need(address),
        amount: need(amount),
      }),
    ),
  ],
  example: {
    params: [{ erc20: STRANGER, owner: FIRST_ACCOUNT, spender: SECOND_ACCOUNT, amount: '0x64' }],
    error: 'tokenNotSettable',
  },
  answer: 'edited',
  apply: ({ state }, { erc20: token, ...allowance }) => setAllowance(state, { token, ...allowance }),
})

export const anvil_impersonateAccount = defineControl({
  summary:
    'Impersonates an account: its transactions need no key from now on, even if it is a contract. It pays for its gas.',
  params: [required('address', address)],
  hardhat: { params: ['address'] },
  example: { params: [STRANGER] },
  answer: 'edited',
  apply: ({ state }, account) => wallet.impersonate(state, account),
})

export const anvil_stopImpersonatingAccount = defineCommand({
  summary: 'Ends the impersonation of an account.',
  params: [required('address', address)],
  hardhat: { params: ['address'] },
  result: 'null; in flavors hardhat and ganache, whether it was impersonated',
  example: { params: [STRANGER] },
  async handle({ node, options }, account) {
    const wasImpersonated = await node.execute((state) =>
      outcomeWith(wallet.stopImpersonating(state, account), state.controls.impersonated.has(account)),
    )
    return options.flavor === 'anvil' ? null : wasImpersonated
  },
})

export const anvil_autoImpersonateAccount = defineControl({
  summary: 'Impersonates every account (true), or only those named one by one (false).',
  params: [required('isEnabled', boolean)],
  answer: 'edited',
  apply: ({ state }, isEnabled) =>
    isEnabled ? wallet.impersonateAll(state) : wallet.stopImpersonatingAll(state),
})

export const anvil_impersonateSignature = defineControl({
  summary: 'Makes ecrecover return an account for a signature (r, s, v), whatever the message.',
  params: [required('signature', signature), required('address', address)],
  example: { params: [`0x${'11'.repeat(64)}1b`, STRANGER] },
  answer: 'edited',
  apply: ({ state }, bytes, account) => wallet.impersonateSignature(state, bytes, account),
})

export {
  anvil_addBalance as hardhat_addBalance,
  anvil_addBalance as tenderly_addBalance,
  anvil_autoImpersonateAccount as hardhat_autoImpersonateAccount,
  anvil_deal as anvil_dealErc20,
  anvil_dealERC20 as anvil_setERC20Balance,
  anvil_dealERC20 as hardhat_dealERC20,
  anvil_impersonateAccount as ganache_impersonateAccount,
  anvil_impersonateAccount as hardhat_impersonateAccount,
  anvil_setBalance as evm_setAccountBalance,
  anvil_setBalance as hardhat_setBalance,
  anvil_setBalance as tenderly_setBalance,
  anvil_setCode as evm_setAccountCode,
  anvil_setCode as hardhat_setCode,
  anvil_setNonce as evm_setAccountNonce,
  anvil_setNonce as ganache_setNonce,
  anvil_setNonce as hardhat_setNonce,
  anvil_setStorageAt as evm_setAccountStorageAt,
  anvil_setStorageAt as ganache_setStorageAt,
  anvil_setStorageAt as hardhat_setStorageAt,
  anvil_stopImpersonatingAccount as ganache_stopImpersonatingAccount,
  anvil_stopImpersonatingAccount as hardhat_stopImpersonatingAccount,
}
