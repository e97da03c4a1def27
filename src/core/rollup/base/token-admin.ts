// B20 tokens: roles, metadata and permits.

import { elementaryType } from '../../primitives/abi.ts'
import { addressOfPublicKey, keccak256Hex, recoverPublicKey } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import {
  type Address,
  concatBytes,
  EMPTY_BYTES,
  type Hash,
  hexToBytes,
  utf8ToBytes,
  ZERO_ADDRESS,
  ZERO_HASH,
} from '../../primitives/hex.ts'
import { chargeHash } from './port.ts'
import { ROLES } from './roles.ts'
import { loadText, mapped, storeText } from './slots.ts'
import {
  FIELDS,
  fail,
  hasRole,
  loadField,
  requireHeld,
  requireRole,
  storeField,
  type TokenCall,
  tell,
} from './token.ts'
import { approve } from './token-moves.ts'

const { DEFAULT_ADMIN_ROLE, METADATA_ROLE } = ROLES

function roleAdmin(call: TokenCall, role: Hash): Hash {
  return `0x${loadField(call, mapped(role, FIELDS.roleAdmins)).toString(16).padStart(64, '0')}`
}

/** Without an admin, no role changes hands any more. */
function requireSomeAdmin(call: TokenCall): void {
  if (loadField(call, FIELDS.adminCount) === 0n)
    throw fail('AccessControlUnauthorizedAccount', call.caller, DEFAULT_ADMIN_ROLE)
}

function requireAdminOf(call: TokenCall, role: Hash): void {
  if (call.isPrivileged) return
  requireSomeAdmin(call)
  requireHeld(call, roleAdmin(call, role))
}

/** Gives a role or takes it; nothing happens if the account has it already, or has it not. */
export function setRole(call: TokenCall, role: Hash, account: Address, isHeld: boolean): void {
  if (hasRole(call, role, account) === isHeld) return
  storeField(call, mapped(account, mapped(role, FIELDS.roles)), isHeld ? 1n : 0n)
  if (role === DEFAULT_ADMIN_ROLE)
    storeField(call, FIELDS.adminCount, loadField(call, FIELDS.adminCount) + (isHeld ? 1n : -1n))
  tell(call, isHeld ? 'RoleGranted' : 'RoleRevoked', role, account, call.caller)
}

function keepLastAdmin(call: TokenCall, role: Hash, account: Address): void {
  const isLast =
    role === DEFAULT_ADMIN_ROLE && hasRole(call, role, account) && loadField(call, FIELDS.adminCount) === 1n
  if (isLast) throw fail('LastAdminCannotRenounce')
}

function updateText(slot: Hash, event: string, ...more: readonly string[]) {
  return (call: TokenCall, text: string): void => {
    requireRole(call, METADATA_ROLE)
    storeText(call.port, call.token, slot, text)
    if (event !== '') tell(call, event, call.caller, text)
    for (const name of more) tell(call, name)
  }
}

function textAt(slot: Hash) {
  return ({ port, token }: TokenCall): string => loadText(port, token, slot)
}

const DOMAIN_TYPE = keccak256Hex(
  utf8ToBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)
const PERMIT_TYPE = keccak256Hex(
  utf8ToBytes('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
)
const [WORD, NUMBER, ADDRESS] = ['bytes32', 'uint256', 'address'].map(elementaryType) as [
  ReturnType<typeof elementaryType>,
  ReturnType<typeof elementaryType>,
  ReturnType<typeof elementaryType>,
]
const VERSION = '1'

/** A hash, which is paid for from version 2 on. */
function hashOf({ port }: TokenCall, bytes: Uint8Array): Hash {
  if (port.version > 1) chargeHash(port, bytes.length)
  return keccak256Hex(bytes)
}

function domainSeparator(call: TokenCall): Hash {
  const { port, token } = call
  const name = hashOf(call, utf8ToBytes(loadText(port, token, FIELDS.name)))
  const version = hashOf(call, utf8ToBytes(VERSION))
  const types = [WORD, WORD, WORD, NUMBER, ADDRESS]
  return hashOf(call, encodeAbi(types, [DOMAIN_TYPE, name, version, port.chainId, token], EMPTY_BYTES))
}

const RECOVERY_GAS = 3000

function signerOf(digest: Hash, v: bigint, r: Hash, s: Hash): Address {
  if (v !== 27n && v !== 28n) return ZERO_ADDRESS
  const key = recoverPublicKey(hexToBytes(digest), BigInt(r), BigInt(s), Number(v) - 27)
  return key === undefined ? ZERO_ADDRESS : addressOfPublicKey(key)
}

type Signature = readonly [v: bigint, r: Hash, s: Hash]

function permit(
  call: TokenCall,
  owner: Address,
  spender: Address,
  value: bigint,
  deadline: bigint,
  ...signature: Signature
): void {
  const { port } = call
  if (port.timestamp > deadline) throw fail('ExpiredSignature', deadline)
  const domain = domainSeparator(call)
  const slot = mapped(owner, FIELDS.nonces)
  const nonce = loadField(call, slot)
  const types = [WORD, ADDRESS, ADDRESS, NUMBER, NUMBER, NUMBER]
  const struct = hashOf(
    call,
    encodeAbi(types, [PERMIT_TYPE, owner, spender, value, nonce, deadline], EMPTY_BYTES),
  )
  const digest = hashOf(call, concatBytes(Uint8Array.of(0x19, 0x01), hexToBytes(domain), hexToBytes(struct)))
  if (port.version > 1) port.charge(RECOVERY_GAS)
  const signer = signerOf(digest, ...signature)
  if (signer === ZERO_ADDRESS || signer !== owner) throw fail('InvalidSigner', signer, owner)
  storeField(call, slot, loadField(call, slot) + 1n)
  approve(call, owner, spender, value)
}

export const ADMIN_FUNCTIONS = {
  hasRole,
  getRoleAdmin: roleAdmin,
  grantRole(call: TokenCall, role: Hash, account: Address): void {
    if (call.isPrivileged && role === DEFAULT_ADMIN_ROLE) requireSomeAdmin(call)
    requireAdminOf(call, role)
    setRole(call, role, account, true)
  },
  revokeRole(call: TokenCall, role: Hash, account: Address): void {
    requireAdminOf(call, role)
    keepLastAdmin(call, role, account)
    setRole(call, role, account, false)
  },
  renounceRole(call: TokenCall, role: Hash, confirmation: Address): void {
    if (confirmation !== call.caller) throw fail('AccessControlBadConfirmation')
    keepLastAdmin(call, role, call.caller)
    setRole(call, role, call.caller, false)
  },
  renounceLastAdmin(call: TokenCall): void {
    requireHeld(call, DEFAULT_ADMIN_ROLE)
    if (loadField(call, FIELDS.adminCount) !== 1n) throw fail('NotSoleAdmin')
    setRole(call, DEFAULT_ADMIN_ROLE, call.caller, false)
    tell(call, 'LastAdminRenounced', call.caller)
  },
  setRoleAdmin(call: TokenCall, role: Hash, admin: Hash): void {
    const previous = roleAdmin(call, role)
    if (!call.isPrivileged) {
      requireSomeAdmin(call)
      requireHeld(call, previous)
    }
    storeField(call, mapped(role, FIELDS.roleAdmins), BigInt(admin))
    tell(call, 'RoleAdminChanged', role, previous, admin)
  },
  name: textAt(FIELDS.name),
  symbol: textAt(FIELDS.symbol),
  contractURI: textAt(FIELDS.contractUri),
  updateName: updateText(FIELDS.name, 'NameUpdated', 'EIP712DomainChanged'),
  updateSymbol: updateText(FIELDS.symbol, 'SymbolUpdated'),
  updateContractURI: updateText(FIELDS.contractUri, '', 'ContractURIUpdated'),
  nonces: (call: TokenCall, owner: Address): bigint => loadField(call, mapped(owner, FIELDS.nonces)),
  DOMAIN_SEPARATOR: domainSeparator,
  permit,
  eip712Domain: (call: TokenCall) => [
    ...['0x0f', loadText(call.port, call.token, FIELDS.name), VERSION, call.port.chainId],
    ...[call.token, ZERO_HASH, []],
  ],
}
