// PolicyRegistry: lists of accounts, and from version 2 on unions and intersections of them, by which tokens decide who may
// do what. A token reads its storage without a call.

import type { AbiValue } from '../../primitives/abi.ts'
import { type Address, type Hash, toWord, ZERO_ADDRESS } from '../../primitives/hex.ts'
import { emit, overflow, parseNativeAbi, raise } from './abi.ts'
import { POLICY_TEXT } from './abi-text.ts'
import { POLICY_REGISTRY } from './features.ts'
import type { NativePort } from './port.ts'
import { after, loadIds, mapped, part, storeIds } from './slots.ts'

export const policyAbi = parseNativeAbi(POLICY_TEXT)

const ROOT: Hash = '0x00503aeb06982fa1fe3151dc68f90b3946c55c449dfd447e49dcaece71ba4a00'
const [POLICIES, MEMBERS, PENDING_ADMINS, COUNTER, CHILDREN] = [0, 1, 2, 3, 4].map((offset) =>
  after(ROOT, offset),
) as [Hash, Hash, Hash, Hash, Hash]

/** Types, which are the top bytes of ids. */
const [BLOCKLIST, ALLOWLIST, UNION, INTERSECT] = [0n, 1n, 2n, 3n]
const TYPE_SHIFT = 56n
const ALWAYS_ALLOW = 0n
const ALWAYS_BLOCK = (ALLOWLIST << TYPE_SHIFT) | 1n
const FIRST_COUNTER = 2n
const EXISTS = 1n << 255n
/** From version 3 on, turns a policy round. */
const INVERTED = 1n << 63n
const MOST_ACCOUNTS = 64
const [FEWEST_CHILDREN, MOST_CHILDREN] = [2n, 4n]

const fail = (name: string, ...values: readonly AbiValue[]) => raise(policyAbi, name, ...values)

function tell(port: NativePort, name: string, ...values: readonly AbiValue[]): void {
  emit(port, policyAbi, POLICY_REGISTRY, name, ...values)
}

function slotOf(id: bigint, mapping: Hash): Hash {
  return mapped(toWord(id), mapping)
}

function memberSlot(id: bigint, account: Address): Hash {
  return mapped(account, slotOf(id, MEMBERS))
}

function typeOf(id: bigint): bigint {
  return id >> TYPE_SHIFT
}

function isBuiltIn(id: bigint): boolean {
  return id === ALWAYS_ALLOW || id === ALWAYS_BLOCK
}

function isComposite(id: bigint): boolean {
  return typeOf(id) === UNION || typeOf(id) === INTERSECT
}

function isWellFormed({ version }: NativePort, id: bigint): boolean {
  return typeOf(id) <= (version === 1 ? ALLOWLIST : INTERSECT)
}

/** The policy that an id turns round. */
function baseOf({ version }: NativePort, id: bigint): bigint {
  return version > 2 ? id & ~INVERTED : id
}

export function policyExists(port: NativePort, given: bigint): boolean {
  const id = baseOf(port, given)
  if (isBuiltIn(id)) return true
  return isWellFormed(port, id) && wordOf(port, id) !== 0n
}

export function isAuthorized(port: NativePort, id: bigint, account: Address): boolean {
  if (isBuiltIn(id)) return id === ALWAYS_ALLOW
  const base = baseOf(port, id)
  if (base !== id) return policyExists(port, base) && !isAuthorized(port, base, account)
  if (!isWellFormed(port, id)) return false
  if (!isComposite(id)) {
    const isMember = port.load(POLICY_REGISTRY, memberSlot(id, account)) !== 0n
    return isMember === (typeOf(id) === ALLOWLIST)
  }
  const isUnion = typeOf(id) === UNION
  for (const child of loadIds(port, POLICY_REGISTRY, slotOf(id, CHILDREN)))
    if (isAuthorized(port, child, account) === isUnion) return isUnion
  return !isUnion
}

/** The word of a policy, zero if it does not exist. */
function wordOf(port: NativePort, id: bigint): bigint {
  const word = port.load(POLICY_REGISTRY, slotOf(id, POLICIES))
  return (word & EXISTS) === 0n ? 0n : word
}

function addressIn(word: bigint): Address {
  return `0x${part(word, 0, 160).toString(16).padStart(40, '0')}`
}

function existing(port: NativePort, id: bigint): bigint {
  const word = wordOf(port, id)
  if (word === 0n) throw fail('PolicyNotFound')
  return word
}

function requireAdmin({ caller }: NativePort, word: bigint): void {
  if (addressIn(word) !== caller) throw fail('Unauthorized')
}

function writePolicy(port: NativePort, id: bigint, admin: Address): void {
  port.store(POLICY_REGISTRY, slotOf(id, POLICIES), EXISTS | BigInt(admin))
}

/** The counter; with the first policy come those that are built in. */
function nextCounter(port: NativePort): bigint {
  const counter = port.load(POLICY_REGISTRY, COUNTER)
  if (counter >= FIRST_COUNTER) return counter
  port.mark(POLICY_REGISTRY)
  writePolicy(port, ALWAYS_ALLOW, ZERO_ADDRESS)
  writePolicy(port, ALWAYS_BLOCK, ZERO_ADDRESS)
  port.store(POLICY_REGISTRY, COUNTER, FIRST_COUNTER)
  return FIRST_COUNTER
}

function create(port: NativePort, admin: Address, type: bigint): bigint {
  const counter = nextCounter(port)
  if (counter >= (1n << TYPE_SHIFT) - 1n) throw overflow()
  port.store(POLICY_REGISTRY, COUNTER, counter + 1n)
  const id = (type << TYPE_SHIFT) | counter
  writePolicy(port, id, admin)
  tell(port, 'PolicyCreated', id, port.caller, type)
  tell(port, 'PolicyAdminUpdated', id, ZERO_ADDRESS, admin)
  return id
}

function checkCreation(admin: Address, type: bigint, isSimple: boolean): void {
  if (admin === ZERO_ADDRESS) throw fail('ZeroAddress')
  if (type <= ALLOWLIST !== isSimple) throw fail('IncompatiblePolicyType')
}

function checkBatch(accounts: readonly Address[]): void {
  if (accounts.length > MOST_ACCOUNTS) throw fail('BatchSizeTooLarge', BigInt(MOST_ACCOUNTS))
}

function setMembers(port: NativePort, id: bigint, isAdded: boolean, accounts: readonly Address[]): void {
  for (const account of accounts) port.store(POLICY_REGISTRY, memberSlot(id, account), isAdded ? 1n : 0n)
  const name = typeOf(id) === ALLOWLIST ? 'AllowlistUpdated' : 'BlocklistUpdated'
  tell(port, name, id, port.caller, isAdded, accounts)
}

function updateMembers(type: bigint) {
  return (port: NativePort, id: bigint, isAdded: boolean, accounts: readonly Address[]): void => {
    const word = existing(port, id)
    if (typeOf(id) !== type) throw fail('IncompatiblePolicyType')
    requireAdmin(port, word)
    checkBatch(accounts)
    setMembers(port, id, isAdded, accounts)
  }
}

function checkChildren(port: NativePort, ids: readonly bigint[]): void {
  const count = BigInt(ids.length)
  if (count < FEWEST_CHILDREN || count > MOST_CHILDREN) throw fail('ChildPoliciesOutsideOfRange')
  for (const id of ids) existing(port, baseOf(port, id))
  for (const id of ids) {
    const base = baseOf(port, id)
    if (isBuiltIn(base) || isComposite(base)) throw fail('InvalidChildPolicy', id)
  }
}

function setChildren(port: NativePort, id: bigint, ids: readonly bigint[]): void {
  storeIds(port, POLICY_REGISTRY, slotOf(id, CHILDREN), ids)
  tell(port, 'CompositePolicyUpdated', id, port.caller, ids)
}

/** Gives a policy another admin, and forgets the one that was to be. */
function passOn(port: NativePort, id: bigint, from: Address, to: Address): void {
  writePolicy(port, id, to)
  port.store(POLICY_REGISTRY, slotOf(id, PENDING_ADMINS), 0n)
  tell(port, 'PolicyAdminUpdated', id, from, to)
}

export const POLICY_FUNCTIONS = {
  createPolicy(port: NativePort, admin: Address, type: bigint): bigint {
    checkCreation(admin, type, true)
    return create(port, admin, type)
  },
  createPolicyWithAccounts(port: NativePort, admin: Address, type: bigint, accounts: readonly Address[]) {
    checkCreation(admin, type, true)
    checkBatch(accounts)
    const id = create(port, admin, type)
    setMembers(port, id, true, accounts)
    return id
  },
  createCompositePolicy(port: NativePort, admin: Address, type: bigint, children: readonly bigint[]) {
    checkCreation(admin, type, false)
    checkChildren(port, children)
    const id = create(port, admin, type)
    setChildren(port, id, children)
    return id
  },
  updateComposite(port: NativePort, id: bigint, children: readonly bigint[]): void {
    const word = existing(port, id)
    if (!isComposite(id)) throw fail('IncompatiblePolicyType')
    requireAdmin(port, word)
    checkChildren(port, children)
    setChildren(port, id, children)
  },
  updateAllowlist: updateMembers(ALLOWLIST),
  updateBlocklist: updateMembers(BLOCKLIST),
  stageUpdateAdmin(port: NativePort, id: bigint, admin: Address): void {
    requireAdmin(port, existing(port, id))
    port.store(POLICY_REGISTRY, slotOf(id, PENDING_ADMINS), BigInt(admin))
    tell(port, 'PolicyAdminStaged', id, port.caller, admin)
  },
  finalizeUpdateAdmin(port: NativePort, id: bigint): void {
    const word = existing(port, id)
    const pending = addressIn(port.load(POLICY_REGISTRY, slotOf(id, PENDING_ADMINS)))
    if (pending === ZERO_ADDRESS) throw fail('NoPendingAdmin')
    if (pending !== port.caller) throw fail('Unauthorized')
    passOn(port, id, addressIn(word), pending)
  },
  renounceAdmin(port: NativePort, id: bigint): void {
    requireAdmin(port, existing(port, id))
    passOn(port, id, port.caller, ZERO_ADDRESS)
  },
  isAuthorized,
  policyExists,
  policyAdmin(port: NativePort, given: bigint): Address {
    const id = baseOf(port, given)
    return isWellFormed(port, id) ? addressIn(wordOf(port, id)) : ZERO_ADDRESS
  },
  pendingPolicyAdmin(port: NativePort, given: bigint): Address {
    const id = baseOf(port, given)
    if (!isWellFormed(port, id) || isBuiltIn(id)) return ZERO_ADDRESS
    return addressIn(port.load(POLICY_REGISTRY, slotOf(id, PENDING_ADMINS)))
  },
  compositePolicyChildIds(port: NativePort, given: bigint): bigint[] {
    const id = baseOf(port, given)
    return isComposite(id) ? loadIds(port, POLICY_REGISTRY, slotOf(id, CHILDREN)) : []
  },
  MIN_COMPOSITE_CHILD_POLICIES: (): bigint => FEWEST_CHILDREN,
  MAX_COMPOSITE_CHILD_POLICIES: (): bigint => MOST_CHILDREN,
  invertedPolicyId: (_: NativePort, id: bigint): bigint => id ^ INVERTED,
}
