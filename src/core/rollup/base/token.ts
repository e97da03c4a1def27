// B20 tokens: their fields, roles and policies. The order of checks decides which error a call ends with, and what it costs.

import type { AbiValue } from '../../primitives/abi.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { memoizeMany } from '../../primitives/lru-cache.ts'
import { emit, overflow, parseNativeAbi, raise } from './abi.ts'
import { ASSET_TEXT, STABLECOIN_TEXT } from './abi-text.ts'
import { isAuthorized } from './policies.ts'
import type { NativePort } from './port.ts'
import { ROLES, type Scope } from './roles.ts'
import { after, ID_BITS, mapped, part } from './slots.ts'

export const assetAbi = parseNativeAbi(ASSET_TEXT)
export const stablecoinAbi = parseNativeAbi(STABLECOIN_TEXT)

const ROOT: Hash = '0xc78b71fee795ddd74aff64ea9b2474194c938c3196430e10bb5f01ed48434000'

const SLOTS = Array.from({ length: 16 }, (_, offset) => after(ROOT, offset))

export function fieldSlot(offset: number): Hash {
  return SLOTS[offset] as Hash
}

export const FIELDS = {
  name: fieldSlot(0),
  symbol: fieldSlot(1),
  contractUri: fieldSlot(2),
  totalSupply: fieldSlot(3),
  balances: fieldSlot(4),
  allowances: fieldSlot(5),
  roles: fieldSlot(6),
  roleAdmins: fieldSlot(7),
  adminCount: fieldSlot(8),
  transferPolicies: fieldSlot(9),
  paused: fieldSlot(11),
  supplyCap: fieldSlot(12),
  nonces: fieldSlot(13),
}

export interface TokenCall {
  readonly port: NativePort
  readonly token: Address
  readonly isAsset: boolean
  readonly caller: Address
  /** True for the factory's calls while it creates the token: roles and transfer policies do not count. */
  readonly isPrivileged: boolean
}

export const MAX_SUPPLY = 2n ** 128n - 1n
export const MAX_WORD = 2n ** 256n - 1n

/** Features that can be paused. */
export const [TRANSFER, MINT, BURN, SEIZE] = [0, 1, 2, 3] as const

export const fail = (name: string, ...values: readonly AbiValue[]) => raise(assetAbi, name, ...values)

export function tell({ port, token }: TokenCall, name: string, ...values: readonly AbiValue[]): void {
  emit(port, assetAbi, token, name, ...values)
}

export function loadField({ port, token }: TokenCall, slot: Hash): bigint {
  return port.load(token, slot)
}

export function storeField({ port, token }: TokenCall, slot: Hash, value: bigint): void {
  port.store(token, slot, value)
}

export const balanceSlot = memoizeMany(1000, (account: Address): Hash => mapped(account, FIELDS.balances))

export function hasRole(call: TokenCall, role: Hash, account: Address): boolean {
  return loadField(call, mapped(account, mapped(role, FIELDS.roles))) !== 0n
}

export function requireHeld(call: TokenCall, role: Hash): void {
  if (!hasRole(call, role, call.caller)) throw fail('AccessControlUnauthorizedAccount', call.caller, role)
}

export function requireRole(call: TokenCall, role: Hash): void {
  if (!call.isPrivileged) requireHeld(call, role)
}

export function requireRunning(call: TokenCall, feature: number): void {
  if (part(loadField(call, FIELDS.paused), feature, 1) === 1n) throw fail('ContractPaused', BigInt(feature))
}

export function requireMinting(call: TokenCall): void {
  requireRunning(call, MINT)
  requireRole(call, ROLES.MINT_ROLE)
}

export function plus(a: bigint, b: bigint): bigint {
  if (a + b > MAX_WORD) throw overflow()
  return a + b
}

export function policyId(call: TokenCall, { offset, bit }: Scope): bigint {
  return part(loadField(call, fieldSlot(offset)), bit, ID_BITS)
}

export function requirePolicy({ port }: TokenCall, { hash }: Scope, id: bigint, account: Address): void {
  if (!isAuthorized(port, id, account)) throw fail('PolicyForbids', hash, id)
}

export function checkPolicy(call: TokenCall, scope: Scope, account: Address): void {
  requirePolicy(call, scope, policyId(call, scope), account)
}
