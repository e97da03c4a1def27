// B20 tokens: pauses, policies, and the supply cap.

import type { Hash } from '../../primitives/hex.ts'
import { policyExists } from './policies.ts'
import { POLICY_SCOPES, ROLES, type Scope } from './roles.ts'
import { ID_BITS, part, withPart } from './slots.ts'
import {
  BURN,
  FIELDS,
  fail,
  fieldSlot,
  loadField,
  MAX_SUPPLY,
  MINT,
  policyId,
  requireRole,
  SEIZE,
  storeField,
  type TokenCall,
  TRANSFER,
  tell,
} from './token.ts'

function setPaused(event: 'Paused' | 'Unpaused', role: Hash) {
  return (call: TokenCall, features: readonly bigint[]): void => {
    requireRole(call, role)
    if (features.length === 0) throw fail('EmptyFeatureSet')
    const bit = event === 'Paused' ? 1n : 0n
    const before = loadField(call, FIELDS.paused)
    storeField(
      call,
      FIELDS.paused,
      features.reduce((mask, feature) => withPart(mask, Number(feature), 1, bit), before),
    )
    tell(call, event, call.caller, features)
  }
}

function scopeOf({ port }: TokenCall, hash: Hash): Scope {
  const scope = Object.values(POLICY_SCOPES).find((each) => each.hash === hash)
  if (scope === undefined || scope.since > port.version) throw fail('UnsupportedPolicyType', hash)
  return scope
}

function updatePolicy(call: TokenCall, hash: Hash, id: bigint): void {
  const { port, isAsset } = call
  requireRole(call, ROLES.DEFAULT_ADMIN_ROLE)
  const scope = scopeOf(call, hash)
  const isReadFirst = port.version === 1 && !isAsset
  const early = isReadFirst ? policyId(call, scope) : 0n
  if (!policyExists(port, id)) throw fail('PolicyNotFound', id)
  const old = isReadFirst ? early : policyId(call, scope)
  const slot = fieldSlot(scope.offset)
  storeField(call, slot, withPart(loadField(call, slot), scope.bit, ID_BITS, id))
  tell(call, 'PolicyUpdated', hash, old, id)
}

function updateSupplyCap(call: TokenCall, cap: bigint): void {
  requireRole(call, ROLES.DEFAULT_ADMIN_ROLE)
  const supply = loadField(call, FIELDS.totalSupply)
  if (cap < supply || cap > MAX_SUPPLY) throw fail('InvalidSupplyCap', supply, cap)
  const old = loadField(call, FIELDS.supplyCap)
  storeField(call, FIELDS.supplyCap, cap)
  tell(call, 'SupplyCapUpdated', call.caller, old, cap)
}

export const SETTING_FUNCTIONS = {
  updateSupplyCap,
  pausedFeatures(call: TokenCall): bigint[] {
    const paused = loadField(call, FIELDS.paused)
    const features = call.port.version === 1 ? [TRANSFER, MINT, BURN] : [TRANSFER, MINT, BURN, SEIZE]
    return features.filter((feature) => part(paused, feature, 1) === 1n).map(BigInt)
  },
  isPaused: (call: TokenCall, feature: bigint): boolean =>
    part(loadField(call, FIELDS.paused), Number(feature), 1) === 1n,
  pause: setPaused('Paused', ROLES.PAUSE_ROLE),
  unpause: setPaused('Unpaused', ROLES.UNPAUSE_ROLE),
  policyId: (call: TokenCall, hash: Hash): bigint => policyId(call, scopeOf(call, hash)),
  updatePolicy,
}
