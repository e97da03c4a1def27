// B20 tokens: what moves balances, makes and destroys them.

import type { AbiValue } from '../../primitives/abi.ts'
import { type Address, type Hash, ZERO_ADDRESS } from '../../primitives/hex.ts'
import { overflow } from './abi.ts'
import { isB20 } from './addresses.ts'
import { isAuthorized } from './policies.ts'
import { POLICY_SCOPES, ROLES } from './roles.ts'
import { ID_BITS, mapped, part } from './slots.ts'
import {
  BURN,
  balanceSlot,
  checkPolicy,
  FIELDS,
  fail,
  loadField,
  MAX_WORD,
  plus,
  policyId,
  requireHeld,
  requireMinting,
  requirePolicy,
  requireRole,
  requireRunning,
  SEIZE,
  storeField,
  type TokenCall,
  TRANSFER,
  tell,
} from './token.ts'

function allowanceSlot(owner: Address, spender: Address): Hash {
  return mapped(spender, mapped(owner, FIELDS.allowances))
}

/** Refuses an account that cannot have tokens: from version 3 on, tokens cannot. */
function requireReceiver({ port }: TokenCall, to: Address): void {
  if (to === ZERO_ADDRESS || (port.version > 2 && isB20(to))) throw fail('InvalidReceiver', to)
}

function requireParties(call: TokenCall, from: Address, to: Address): void {
  requireReceiver(call, to)
  if (from === ZERO_ADDRESS) throw fail('InvalidSender', from)
}

function take(call: TokenCall, from: Address, amount: bigint): void {
  const slot = balanceSlot(from)
  const balance = loadField(call, slot)
  if (balance < amount) throw fail('InsufficientBalance', from, balance, amount)
  storeField(call, slot, balance - amount)
}

function give(call: TokenCall, to: Address, amount: bigint): void {
  const slot = balanceSlot(to)
  storeField(call, slot, plus(loadField(call, slot), amount))
}

function move(call: TokenCall, from: Address, to: Address, amount: bigint): void {
  take(call, from, amount)
  give(call, to, amount)
  tell(call, 'Transfer', from, to, amount)
}

const { TRANSFER_SENDER_POLICY, TRANSFER_RECEIVER_POLICY, TRANSFER_EXECUTOR_POLICY } = POLICY_SCOPES

/** The policies of a transfer: in version 1 each is read by itself, later one word has them all. */
function checkTransfer(call: TokenCall, from: Address, to: Address, isByOther: boolean): void {
  const { port, caller, isPrivileged } = call
  if (isPrivileged) return
  if (port.version === 1) {
    if (isByOther && caller !== from) checkPolicy(call, TRANSFER_EXECUTOR_POLICY, caller)
    checkPolicy(call, TRANSFER_SENDER_POLICY, from)
    checkPolicy(call, TRANSFER_RECEIVER_POLICY, to)
    return
  }
  const word = loadField(call, FIELDS.transferPolicies)
  const [sender, executor] = [part(word, 0, ID_BITS), part(word, 2 * ID_BITS, ID_BITS)]
  const isExecutorAsked = port.version > 2 || (isByOther && caller !== from)
  if (isExecutorAsked) requirePolicy(call, TRANSFER_EXECUTOR_POLICY, executor, caller)
  // The same question about the same account has been answered.
  const isSenderAnswered = port.version > 2 && caller === from && executor === sender
  if (!isSenderAnswered) requirePolicy(call, TRANSFER_SENDER_POLICY, sender, from)
  requirePolicy(call, TRANSFER_RECEIVER_POLICY, part(word, ID_BITS, ID_BITS), to)
}

function transfer(call: TokenCall, to: Address, amount: bigint): boolean {
  const { caller } = call
  requireRunning(call, TRANSFER)
  requireParties(call, caller, to)
  checkTransfer(call, caller, to, false)
  move(call, caller, to, amount)
  return true
}

function transferFrom(call: TokenCall, from: Address, to: Address, amount: bigint): boolean {
  const { caller } = call
  requireRunning(call, TRANSFER)
  requireParties(call, from, to)
  const slot = allowanceSlot(from, caller)
  const allowance = loadField(call, slot)
  if (allowance < amount) throw fail('InsufficientAllowance', caller, allowance, amount)
  checkTransfer(call, from, to, true)
  move(call, from, to, amount)
  if (allowance !== MAX_WORD) storeField(call, slot, allowance - amount)
  return true
}

export function approve(call: TokenCall, owner: Address, spender: Address, amount: bigint): void {
  if (owner === ZERO_ADDRESS) throw fail('InvalidApprover', owner)
  if (spender === ZERO_ADDRESS) throw fail('InvalidSpender', spender)
  storeField(call, allowanceSlot(owner, spender), amount)
  tell(call, 'Approval', owner, spender, amount)
}

/** Mints without asking for the role. */
export function mintTo(call: TokenCall, to: Address, amount: bigint): void {
  requireReceiver(call, to)
  checkPolicy(call, POLICY_SCOPES.MINT_RECEIVER_POLICY, to)
  const supply = loadField(call, FIELDS.totalSupply)
  const cap = loadField(call, FIELDS.supplyCap)
  const attempted = plus(supply, amount)
  if (attempted > cap) throw fail('SupplyCapExceeded', cap, attempted)
  storeField(call, FIELDS.totalSupply, attempted)
  give(call, to, amount)
  tell(call, 'Transfer', ZERO_ADDRESS, to, amount)
}

function mint(call: TokenCall, to: Address, amount: bigint): void {
  requireMinting(call)
  mintTo(call, to, amount)
}

function destroy(call: TokenCall, from: Address, amount: bigint): void {
  take(call, from, amount)
  const supply = loadField(call, FIELDS.totalSupply)
  if (supply < amount) throw overflow()
  storeField(call, FIELDS.totalSupply, supply - amount)
  tell(call, 'Transfer', from, ZERO_ADDRESS, amount)
}

function burn(call: TokenCall, amount: bigint): void {
  requireRunning(call, BURN)
  // The factory holds nothing that it could burn.
  requireHeld(call, ROLES.BURN_ROLE)
  destroy(call, call.caller, amount)
}

/** The same call with a memo behind its arguments, which is told of at the end. */
function withMemo<Result>(run: (call: TokenCall, ...values: never[]) => Result) {
  return (call: TokenCall, ...values: readonly AbiValue[]): Result => {
    const result = run(call, ...(values.slice(0, -1) as never[]))
    tell(call, 'Memo', call.caller, values.at(-1) as Hash)
    return result
  }
}

function seize(call: TokenCall, from: Address, to: Address, amount: bigint, memo: Hash): void {
  requireRunning(call, SEIZE)
  requireHeld(call, ROLES.SEIZE_ROLE)
  requireParties(call, from, to)
  if (from === to) throw fail('InvalidReceiver', to)
  const { SEIZE_EXEMPT_POLICY, SEIZE_RECEIVER_POLICY } = POLICY_SCOPES
  if (isAuthorized(call.port, policyId(call, SEIZE_EXEMPT_POLICY), from))
    throw fail('AccountNotSeizable', from)
  checkPolicy(call, SEIZE_RECEIVER_POLICY, to)
  move(call, from, to, amount)
  tell(call, 'Memo', call.caller, memo)
  tell(call, 'Seized', call.caller, from, to, amount)
}

export const MOVING_FUNCTIONS = {
  totalSupply: (call: TokenCall): bigint => loadField(call, FIELDS.totalSupply),
  supplyCap: (call: TokenCall): bigint => loadField(call, FIELDS.supplyCap),
  balanceOf: (call: TokenCall, account: Address): bigint => loadField(call, balanceSlot(account)),
  allowance: (call: TokenCall, owner: Address, spender: Address): bigint =>
    loadField(call, allowanceSlot(owner, spender)),
  transfer,
  transferFrom,
  transferWithMemo: withMemo(transfer),
  transferFromWithMemo: withMemo(transferFrom),
  approve(call: TokenCall, spender: Address, amount: bigint): boolean {
    approve(call, call.caller, spender, amount)
    return true
  },
  mint,
  mintWithMemo: withMemo(mint),
  burn,
  burnWithMemo: withMemo(burn),
  burnBlocked(call: TokenCall, from: Address, amount: bigint): void {
    requireRunning(call, BURN)
    requireRole(call, ROLES.BURN_BLOCKED_ROLE)
    if (isAuthorized(call.port, policyId(call, TRANSFER_SENDER_POLICY), from))
      throw fail('AccountNotBlocked', from)
    destroy(call, from, amount)
    tell(call, 'BurnedBlocked', call.caller, from, amount)
  },
  seizeWithMemo: seize,
}
