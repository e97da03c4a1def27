// Codecs of the token deals and allowances of tevm's methods.

import type { Address } from '../../primitives/hex.ts'
import { address, asFields, field, requiredField } from './basic.ts'
import type { Codec } from './codec.ts'
import { amount } from './numbers.ts'

export interface DealRequest {
  /** Absent for ether. */
  readonly erc20: Address | undefined
  readonly account: Address
  readonly amount: bigint
}

export const dealRequest: Codec<
  DealRequest,
  { readonly erc20?: string; readonly account: string; readonly amount: string | number }
> = {
  name: 'object with erc20, account and amount',
  decode(value, path) {
    const record = asFields(value, path, ['erc20', 'account', 'amount'])
    return {
      erc20: field(record, 'erc20', address, path),
      account: requiredField(record, 'account', address, path),
      amount: requiredField(record, 'amount', amount, path),
    }
  },
}

export interface AllowanceRequest {
  readonly erc20: Address
  readonly owner: Address
  readonly spender: Address
  readonly amount: bigint
}

export const allowanceRequest: Codec<
  AllowanceRequest,
  {
    readonly erc20: string
    readonly owner: string
    readonly spender: string
    readonly amount: string | number
  }
> = {
  name: 'object with erc20, owner, spender and amount',
  decode(value, path) {
    const record = asFields(value, path, ['erc20', 'owner', 'spender', 'amount'])
    return {
      erc20: requiredField(record, 'erc20', address, path),
      owner: requiredField(record, 'owner', address, path),
      spender: requiredField(record, 'spender', address, path),
      amount: requiredField(record, 'amount', amount, path),
    }
  },
}
