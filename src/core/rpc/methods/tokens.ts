// ERC-20 balances and allowances, under their names in anvil and tevm.

import { setBalance } from '../../node/control/edit-state.ts'
import { type Allowance, dealToken, setAllowance } from '../../node/control/tokens.ts'
import type { Address } from '../../primitives/hex.ts'
import { address } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { allowanceRequest, dealRequest } from '../codecs/deals.ts'
import { amount } from '../codecs/numbers.ts'
import { acknowledgedEdit } from '../flavor/acknowledge.ts'
import { defineCommand } from '../method.ts'
import type { Session } from '../session.ts'

const EXAMPLE_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const EXAMPLE_SPENDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** The genesis block has no token at this address. */
const EXAMPLE_TOKEN = '0x1111111111111111111111111111111111111111'

function deal(session: Session, token: Address, to: Address, balance: bigint): Promise<true | null> {
  return acknowledgedEdit(session, (state, config) =>
    dealToken(config, state, { token, to, amount: balance, supply: 'kept' }),
  )
}

function allow(session: Session, allowance: Allowance): Promise<true | null> {
  return acknowledgedEdit(session, (state, config) => setAllowance(config, state, allowance))
}

const dealERC20 = defineCommand({
  summary: 'Sets the ERC-20 balance of an account, in the storage slot from which the token reads it.',
  params: [required('address', address), required('token', address), required('balance', amount)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [EXAMPLE_ACCOUNT, EXAMPLE_TOKEN, '0x64'], error: 'tokenNotSettable' },
  handle: (session, account, token, balance) => deal(session, token, account, balance),
})

export { dealERC20 as anvil_dealERC20, dealERC20 as anvil_setERC20Balance, dealERC20 as hardhat_dealERC20 }

export const anvil_setERC20Allowance = defineCommand({
  summary: 'Sets an ERC-20 allowance, in the storage slot from which the token reads it.',
  params: [
    required('owner', address),
    required('spender', address),
    required('token', address),
    required('amount', amount),
  ],
  result: 'null; true in flavors hardhat and ganache',
  example: {
    params: [EXAMPLE_ACCOUNT, EXAMPLE_SPENDER, EXAMPLE_TOKEN, '0x64'],
    error: 'tokenNotSettable',
  },
  handle: (session, owner, spender, token, allowed) =>
    allow(session, { token, owner, spender, amount: allowed }),
})

const dealTo = defineCommand({
  summary: 'Sets the balance of an account in a token or, if none is named, in ether. Parameters as in tevm.',
  params: [required('deal', dealRequest)],
  result: 'null; true in flavors hardhat and ganache',
  example: { params: [{ account: EXAMPLE_ACCOUNT, amount: '0xde0b6b3a7640000' }] },
  handle: (session, { erc20, account, amount: balance }) =>
    erc20 === undefined
      ? acknowledgedEdit(session, (state) => setBalance(state, account, balance))
      : deal(session, erc20, account, balance),
})

export { dealTo as anvil_deal, dealTo as anvil_dealErc20 }

export const anvil_setErc20Allowance = defineCommand({
  summary: 'The same as anvil_setERC20Allowance, with the parameter object of tevm.',
  params: [required('allowance', allowanceRequest)],
  result: 'null; true in flavors hardhat and ganache',
  example: {
    params: [{ erc20: EXAMPLE_TOKEN, owner: EXAMPLE_ACCOUNT, spender: EXAMPLE_SPENDER, amount: '0x64' }],
    error: 'tokenNotSettable',
  },
  handle: (session, { erc20, owner, spender, amount: allowed }) =>
    allow(session, { token: erc20, owner, spender, amount: allowed }),
})
