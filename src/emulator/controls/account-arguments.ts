// What the calls that edit accounts take, checked.

import type { Allowance, Deal } from '../../node/control/tokens.ts'
import { type Address, bigIntToBytes, type Hash, type Hex, toWord } from '../../primitives/hex.ts'
import type { Amount } from '../options/checks.ts'
import { MAX_UINT64 } from '../options/checks.ts'
import {
  asAddressArgument,
  asAmountArgument,
  asBoolean,
  asBytesArgument,
  asObjectArgument,
  refuseArgument,
} from './arguments.ts'

/** What `deal` sets, and for whom. */
export interface DealOptions {
  /** The account. */
  readonly to: Address
  /** An ERC-20 token. Default ether. */
  readonly token?: Address
  /** The balance afterwards, in wei or in the token's smallest unit. */
  readonly amount: Amount
  /** Whether the token's total supply changes by as much as the balance. Default false. */
  readonly adjustTotalSupply?: boolean
}

/** What `setAllowance` allows, and to whom. */
export interface AllowanceOptions {
  /** An ERC-20 token. */
  readonly token: Address
  /** Whose tokens they are. */
  readonly owner: Address
  /** Who may take them. */
  readonly spender: Address
  /** In the token's smallest unit. */
  readonly amount: Amount
}

export function resolveNonce(call: string, value: Amount): bigint {
  return asAmountArgument(call, 'nonce', value, MAX_UINT64)
}

export function resolveSlot(call: string, value: Amount): Hash {
  return toWord(asAmountArgument(call, 'slot', value))
}

/** A storage value, as the state holds it. */
export function resolveStorageValue(call: string, value: Amount): Uint8Array {
  return bigIntToBytes(asAmountArgument(call, 'value', value))
}

/** Code, which is the state's own from then on. */
export function resolveCode(call: string, value: Hex | Uint8Array): Uint8Array {
  return asBytesArgument(call, 'code', value).slice()
}

export function resolveSignature(call: string, value: Hex | Uint8Array): Uint8Array {
  const signature = asBytesArgument(call, 'a signature', value)
  if (signature.length !== 65) refuseArgument(call, 'a signature of 65 bytes (r, s, v)', signature.length)
  return signature
}

/** A deal in a token, or in ether. */
export function resolveDeal(options: DealOptions): Deal | Omit<Deal, 'token' | 'supply'> {
  const call = 'deal'
  const { to, token, amount, adjustTotalSupply = false } = asObjectArgument(call, options)
  const isAdjusted = asBoolean(call, 'adjustTotalSupply', adjustTotalSupply)
  const balance = { to: asAddressArgument(call, to, 'to'), amount: asAmountArgument(call, 'amount', amount) }
  if (token === undefined) {
    if (isAdjusted) refuseArgument(call, 'a token whose total supply to adjust', token)
    return balance
  }
  const supply = isAdjusted ? 'adjusted' : 'kept'
  return { ...balance, token: asAddressArgument(call, token, 'token'), supply }
}

export function resolveAllowance(options: AllowanceOptions): Allowance {
  const call = 'setAllowance'
  const { token, owner, spender, amount } = asObjectArgument(call, options)
  return {
    token: asAddressArgument(call, token, 'token'),
    owner: asAddressArgument(call, owner, 'owner'),
    spender: asAddressArgument(call, spender, 'spender'),
    amount: asAmountArgument(call, 'amount', amount),
  }
}
