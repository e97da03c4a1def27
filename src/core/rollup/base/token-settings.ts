// B20 tokens: pauses, policies, and the supply cap.

import type { Hash } from '../../primitives/hex.ts'
import { policyExists } from './policies.ts'
import { POLICY_SCOPES, ROLES, type Scope } from './roles.ts'
import { ID_BITS, part, withPart } from './slots.ts'
import * as tokens from './token.ts'

function setPaused(event: 'Paused' | 'Unpaused', role: Hash) {
  return (call: tokens.TokenCall, features: readonly bigint[]): void => {
    tokens.requireRole(call, role)
    if (features.length === 0) throw tokens.fail('EmptyFeatureSet')
    const bit = event === 'Paused' ? 1n : 0n
    const { paused } = tokens.FIELDS
    const before = tokens.loadField(call, paused)
    const after = features.reduce((mask, feature) => withPart(mask, Number(feature), 1, bit), before)
    tokens.storeField(call, paused, after)
    tokens.tell(call, event, call.caller, features)
  }
}

function scopeOf({ port }: tokens.TokenCall, hash: Hash): Scope {
  const scope = Object.values(POLICY_SCOPES).find((each) => each.hash === hash)
  if (scope === undefined || scope.since > port.version) throw tokens.fail('UnsupportedPolicyType', hash)
  return scope
}

function updatePolicy(call: tokens.TokenCall, hash: Hash, id: bigint): void {
  const { port, isAsset } = call
  tokens.requireRole(call, ROLES.DEFAULT_ADMIN_ROLE)
  const scope = scopeOf(call, hash)
  const isReadFirst = port.version === 1 && !isAsset
  const early = isReadFirst ? tokens.policyId(call, scope) : 0n
  if (!policyExists(port, id)) throw tokens.fail('PolicyNotFound', id)
  const old = isReadFirst ? early : tokens.policyId(call, scope)
  const slot = tokens.fieldSlot(scope.offset)
  tokens.storeField(call, slot, withPart(tokens.loadField(call, slot), scope.bit, ID_BITS, id))
  tokens.tell(call, 'PolicyUpdated', hash, old, id)
}

function updateSupplyCap(call: tokens.TokenCall, cap: bigint): void {
  tokens.requireRole(call, ROLES.DEFAULT_ADMIN_ROLE)
  const supply = tokens.loadField(call, tokens.FIELDS.totalSupply)
  if (cap < supply || cap > tokens.MAX_SUPPLY) throw tokens.fail('InvalidSupplyCap', supply, cap)
  const old = tokens.loadField(call, tokens.FIELDS.supplyCap)
  tokens.storeField(call, tokens.FIELDS.supplyCap, cap)
  tokens.tell(call, 'SupplyCapUpdated', call.caller, old, cap)
}

export const SETTING_FUNCTIONS = {
  updateSupplyCap,
  pausedFeatures(call: tokens.TokenCall): bigint[] {
    const paused = tokens.loadField(call, tokens.FIELDS.paused)
    const { TRANSFER, MINT, BURN, SEIZE } = tokens
    const features = [TRANSFER, MINT, BURN, ...(call.port.version === 1 ? [] : [SEIZE])]
    return features.filter((feature) => part(paused, feature, 1) === 1n).map(BigInt)
  },
  isPaused: (call: tokens.TokenCall, feature: bigint): boolean =>
    part(tokens.loadField(call, tokens.FIELDS.paused), Number(feature), 1) === 1n,
  pause: setPaused('Paused', ROLES.PAUSE_ROLE),
  unpause: setPaused('Unpaused', ROLES.UNPAUSE_ROLE),
  policyId: (call: tokens.TokenCall, hash: Hash): bigint => tokens.policyId(call, scopeOf(call, hash)),
  updatePolicy,
}
