// What the calls that edit accounts take, checked.

import { asAmountArgument, asBoolean, refuseArgument } from './control-arguments.ts'
import type { Amount } from './genesis-options.ts'
import type { Allowance, Deal } from './node/tokens.ts'
import {
  type Address,
  bigIntToBytes,
  type Hash,
  type Hex,
  hexToBytes,
  isHexBytes,
  toWord,
} from './primitives/hex.ts'

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

const MAX_UINT64 = 2n ** 64n - 1n

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

export function resolveBytes(call: string, what: string, value: Hex | Uint8Array): Uint8Array {
  if (value instanceof Uint8Array) return value.slice()
  return isHexBytes(value) ? hexToBytes(value) : refuseArgument(call, `${what} as bytes or hex`, value)
}

export function resolveSignature(call: string, value: Hex | Uint8Array): Uint8Array {
  const signature = resolveBytes(call, 'a signature', value)
  if (signature.length !== 65) refuseArgument(call, 'a signature of 65 bytes (r, s, v)', signature.length)
  return signature
}

function asOptions<Options>(call: string, options: Options): Options {
  return typeof options === 'object' && options !== null
    ? options
    : refuseArgument(call, 'an object', options)
}

function asNamedAddress(call: string, name: string, value: unknown): Address {
  return isHexBytes(value, 20)
    ? (value.toLowerCase() as Address)
    : refuseArgument(call, `${name} to be an address of 20 bytes`, value)
}

/** A deal in a token, or in ether. */
export function resolveDeal(options: DealOptions): Deal | Omit<Deal, 'token' | 'supply'> {
  const call = 'deal'
  const { to, token, amount, adjustTotalSupply = false } = asOptions(call, options)
  const isAdjusted = asBoolean(call, 'adjustTotalSupply', adjustTotalSupply)
  const balance = { to: asNamedAddress(call, 'to', to), amount: asAmountArgument(call, 'amount', amount) }
  if (token === undefined) {
    if (isAdjusted) refuseArgument(call, 'a token whose total supply to adjust', token)
    return balance
  }
  const supply = isAdjusted ? 'adjusted' : 'kept'
  return { ...balance, token: asNamedAddress(call, 'token', token), supply }
}

export function resolveAllowance(options: AllowanceOptions): Allowance {
  const call = 'setAllowance'
  const { token, owner, spender, amount } = asOptions(call, options)
  return {
    token: asNamedAddress(call, 'token', token),
    owner: asNamedAddress(call, 'owner', owner),
    spender: asNamedAddress(call, 'spender', spender),
    amount: asAmountArgument(call, 'amount', amount),
  }
}
