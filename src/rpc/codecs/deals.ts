// Codecs of the objects with which tevm's methods name tokens and accounts.

import type { Address } from '../../primitives/hex.ts'
import { address, asFields, field, needed } from './basic.ts'
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
      account: needed(record, 'account', address, path),
      amount: needed(record, 'amount', amount, path),
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
      erc20: needed(record, 'erc20', address, path),
      owner: needed(record, 'owner', address, path),
      spender: needed(record, 'spender', address, path),
      amount: needed(record, 'amount', amount, path),
    }
  },
}
