// B20 tokens: roles, metadata and permits; pauses, policies, and the supply cap.

import { elementaryType } from '../../primitives/abi.ts'
import { addressOfPublicKey, keccak256Hex, recoverPublicKey } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import * as hex from '../../primitives/hex.ts'
import { policyExists } from './policies.ts'
import { chargeHash } from './port.ts'
import { POLICY_SCOPES, ROLES, type Scope } from './roles.ts'
import { ID_BITS, loadText, mapped, part, storeText, withPart } from './slots.ts'
import * as tokens from './token.ts'
import { approve } from './token-moves.ts'

const { DEFAULT_ADMIN_ROLE, METADATA_ROLE } = ROLES
const { adminCount, nonces } = tokens.FIELDS

function roleAdmin(call: tokens.TokenCall, role: hex.Hash): hex.Hash {
  return `0x${tokens.loadField(call, mapped(role, tokens.FIELDS.roleAdmins)).toString(16).padStart(64, '0')}`
}

/** Without an admin, no role changes hands any more. */
function requireSomeAdmin(call: tokens.TokenCall): void {
  if (tokens.loadField(call, adminCount) === 0n)
    throw tokens.fail('AccessControlUnauthorizedAccount', call.caller, DEFAULT_ADMIN_ROLE)
}

function requireAdminOf(call: tokens.TokenCall, role: hex.Hash): void {
  if (call.isPrivileged) return
  requireSomeAdmin(call)
  tokens.requireHeld(call, roleAdmin(call, role))
}

/** Gives a role or takes it; nothing happens if the account has it already, or has it not. */
export function setRole(call: tokens.TokenCall, role: hex.Hash, account: hex.Address, isHeld: boolean): void {
  if (tokens.hasRole(call, role, account) === isHeld) return
  tokens.storeField(call, mapped(account, mapped(role, tokens.FIELDS.roles)), isHeld ? 1n : 0n)
  if (role === DEFAULT_ADMIN_ROLE)
    tokens.storeField(call, adminCount, tokens.loadField(call, adminCount) + (isHeld ? 1n : -1n))
  tokens.tell(call, isHeld ? 'RoleGranted' : 'RoleRevoked', role, account, call.caller)
}

function keepLastAdmin(call: tokens.TokenCall, role: hex.Hash, account: hex.Address): void {
  if (role !== DEFAULT_ADMIN_ROLE || !tokens.hasRole(call, role, account)) return
  if (tokens.loadField(call, adminCount) === 1n) throw tokens.fail('LastAdminCannotRenounce')
}

function updateText(slot: hex.Hash, event: string, ...more: readonly string[]) {
  return (call: tokens.TokenCall, text: string): void => {
    tokens.requireRole(call, METADATA_ROLE)
    storeText(call.port, call.token, slot, text)
    if (event !== '') tokens.tell(call, event, call.caller, text)
    for (const name of more) tokens.tell(call, name)
  }
}

function textAt(slot: hex.Hash) {
  return ({ port, token }: tokens.TokenCall): string => loadText(port, token, slot)
}

const DOMAIN_TYPE = keccak256Hex(
  hex.utf8ToBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)
const PERMIT_TYPE = keccak256Hex(
  hex.utf8ToBytes('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
)
const WORD = elementaryType('bytes32')
const NUMBER = elementaryType('uint256')
const ADDRESS = elementaryType('address')
const VERSION = '1'

/** A hash, which is paid for from version 2 on. */
function hashOf({ port }: tokens.TokenCall, bytes: Uint8Array): hex.Hash {
  if (port.version > 1) chargeHash(port, bytes.length)
  return keccak256Hex(bytes)
}

function domainSeparator(call: tokens.TokenCall): hex.Hash {
  const { port, token } = call
  const name = hashOf(call, hex.utf8ToBytes(loadText(port, token, tokens.FIELDS.name)))
  const version = hashOf(call, hex.utf8ToBytes(VERSION))
  const types = [WORD, WORD, WORD, NUMBER, ADDRESS]
  return hashOf(call, encodeAbi(types, [DOMAIN_TYPE, name, version, port.chainId, token], hex.EMPTY_BYTES))
}

const RECOVERY_GAS = 3000

function signerOf(digest: hex.Hash, v: bigint, r: hex.Hash, s: hex.Hash): hex.Address {
  if (v !== 27n && v !== 28n) return hex.ZERO_ADDRESS
  const key = recoverPublicKey(hex.hexToBytes(digest), BigInt(r), BigInt(s), Number(v) - 27)
  return key === undefined ? hex.ZERO_ADDRESS : addressOfPublicKey(key)
}

type Signature = readonly [v: bigint, r: hex.Hash, s: hex.Hash]

function permit(
  call: tokens.TokenCall,
  owner: hex.Address,
  spender: hex.Address,
  value: bigint,
  deadline: bigint,
  ...signature: Signature
): void {
  const { port } = call
  if (port.timestamp > deadline) throw tokens.fail('ExpiredSignature', deadline)
  const domain = domainSeparator(call)
  const slot = mapped(owner, nonces)
  const nonce = tokens.loadField(call, slot)
  const types = [WORD, ADDRESS, ADDRESS, NUMBER, NUMBER, NUMBER]
  const fields = [PERMIT_TYPE, owner, spender, value, nonce, deadline]
  const struct = hashOf(call, encodeAbi(types, fields, hex.EMPTY_BYTES))
  const parts = [Uint8Array.of(0x19, 0x01), hex.hexToBytes(domain), hex.hexToBytes(struct)]
  const digest = hashOf(call, hex.concatBytes(...parts))
  if (port.version > 1) port.charge(RECOVERY_GAS)
  const signer = signerOf(digest, ...signature)
  if (signer === hex.ZERO_ADDRESS || signer !== owner) throw tokens.fail('InvalidSigner', signer, owner)
  tokens.storeField(call, slot, tokens.loadField(call, slot) + 1n)
  approve(call, owner, spender, value)
}

function setPaused(event: 'Paused' | 'Unpaused', role: hex.Hash) {
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

function scopeOf({ port }: tokens.TokenCall, hash: hex.Hash): Scope {
  const scope = Object.values(POLICY_SCOPES).find((each) => each.hash === hash)
  if (scope === undefined || scope.since > port.version) throw tokens.fail('UnsupportedPolicyType', hash)
  return scope
}

function updatePolicy(call: tokens.TokenCall, hash: hex.Hash, id: bigint): void {
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

export const ADMIN_FUNCTIONS = {
  hasRole: tokens.hasRole,
  getRoleAdmin: roleAdmin,
  grantRole(call: tokens.TokenCall, role: hex.Hash, account: hex.Address): void {
    if (call.isPrivileged && role === DEFAULT_ADMIN_ROLE) requireSomeAdmin(call)
    requireAdminOf(call, role)
    setRole(call, role, account, true)
  },
  revokeRole(call: tokens.TokenCall, role: hex.Hash, account: hex.Address): void {
    requireAdminOf(call, role)
    keepLastAdmin(call, role, account)
    setRole(call, role, account, false)
  },
  renounceRole(call: tokens.TokenCall, role: hex.Hash, confirmation: hex.Address): void {
    if (confirmation !== call.caller) throw tokens.fail('AccessControlBadConfirmation')
    keepLastAdmin(call, role, call.caller)
    setRole(call, role, call.caller, false)
  },
  renounceLastAdmin(call: tokens.TokenCall): void {
    tokens.requireHeld(call, DEFAULT_ADMIN_ROLE)
    if (tokens.loadField(call, adminCount) !== 1n) throw tokens.fail('NotSoleAdmin')
    setRole(call, DEFAULT_ADMIN_ROLE, call.caller, false)
    tokens.tell(call, 'LastAdminRenounced', call.caller)
  },
  setRoleAdmin(call: tokens.TokenCall, role: hex.Hash, admin: hex.Hash): void {
    const previous = roleAdmin(call, role)
    if (!call.isPrivileged) {
      requireSomeAdmin(call)
      tokens.requireHeld(call, previous)
    }
    tokens.storeField(call, mapped(role, tokens.FIELDS.roleAdmins), BigInt(admin))
    tokens.tell(call, 'RoleAdminChanged', role, previous, admin)
  },
  name: textAt(tokens.FIELDS.name),
  symbol: textAt(tokens.FIELDS.symbol),
  contractURI: textAt(tokens.FIELDS.contractUri),
  updateName: updateText(tokens.FIELDS.name, 'NameUpdated', 'EIP712DomainChanged'),
  updateSymbol: updateText(tokens.FIELDS.symbol, 'SymbolUpdated'),
  updateContractURI: updateText(tokens.FIELDS.contractUri, '', 'ContractURIUpdated'),
  nonces: (call: tokens.TokenCall, owner: hex.Address): bigint =>
    tokens.loadField(call, mapped(owner, nonces)),
  DOMAIN_SEPARATOR: domainSeparator,
  permit,
  eip712Domain: (call: tokens.TokenCall) => [
    ...['0x0f', loadText(call.port, call.token, tokens.FIELDS.name), VERSION, call.port.chainId],
    ...[call.token, hex.ZERO_HASH, []],
  ],
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
  policyId: (call: tokens.TokenCall, hash: hex.Hash): bigint => tokens.policyId(call, scopeOf(call, hash)),
  updatePolicy,
}
