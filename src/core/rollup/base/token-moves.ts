// B20 tokens: what moves balances, makes and destroys them.

import type { AbiValue } from '../../primitives/abi.ts'
import { type Address, type Hash, ZERO_ADDRESS } from '../../primitives/hex.ts'
import { overflow } from './abi.ts'
import { isAuthorized } from './policies.ts'
import { POLICY_SCOPES, ROLES } from './roles.ts'
import { ID_BITS, mapped, part } from './slots.ts'
import * as tokens from './token.ts'

function allowanceSlot(owner: Address, spender: Address): Hash {
  return mapped(spender, mapped(owner, tokens.FIELDS.allowances))
}

/** Refuses an account that cannot have tokens: from version 3 on, the token itself cannot. */
function requireReceiver({ port, token }: tokens.TokenCall, to: Address): void {
  if (to === ZERO_ADDRESS || (port.version > 2 && to === token)) throw tokens.fail('InvalidReceiver', to)
}

function requireParties(call: tokens.TokenCall, from: Address, to: Address): void {
  requireReceiver(call, to)
  if (from === ZERO_ADDRESS) throw tokens.fail('InvalidSender', from)
}

function take(call: tokens.TokenCall, from: Address, amount: bigint): void {
  const slot = tokens.balanceSlot(from)
  const balance = tokens.loadField(call, slot)
  if (balance < amount) throw tokens.fail('InsufficientBalance', from, balance, amount)
  tokens.storeField(call, slot, balance - amount)
}

function give(call: tokens.TokenCall, to: Address, amount: bigint): void {
  const slot = tokens.balanceSlot(to)
  tokens.storeField(call, slot, tokens.plus(tokens.loadField(call, slot), amount))
}

function move(call: tokens.TokenCall, from: Address, to: Address, amount: bigint): void {
  take(call, from, amount)
  give(call, to, amount)
  tokens.tell(call, 'Transfer', from, to, amount)
}

const { TRANSFER_SENDER_POLICY, TRANSFER_RECEIVER_POLICY, TRANSFER_EXECUTOR_POLICY } = POLICY_SCOPES

/** The policies of a transfer: in version 1 each is read by itself, later one word has them all. */
function checkTransfer(call: tokens.TokenCall, from: Address, to: Address, isByOther: boolean): void {
  const { port, caller, isPrivileged } = call
  if (isPrivileged) return
  if (port.version === 1) {
    if (isByOther && caller !== from) tokens.checkPolicy(call, TRANSFER_EXECUTOR_POLICY, caller)
    tokens.checkPolicy(call, TRANSFER_SENDER_POLICY, from)
    tokens.checkPolicy(call, TRANSFER_RECEIVER_POLICY, to)
    return
  }
  const word = tokens.loadField(call, tokens.FIELDS.transferPolicies)
  const [sender, executor] = [part(word, 0, ID_BITS), part(word, 2 * ID_BITS, ID_BITS)]
  const isExecutorAsked = port.version > 2 || (isByOther && caller !== from)
  if (isExecutorAsked) tokens.requirePolicy(call, TRANSFER_EXECUTOR_POLICY, executor, caller)
  // The same question about the same account has been answered.
  const isSenderAnswered = port.version > 2 && caller === from && executor === sender
  if (!isSenderAnswered) tokens.requirePolicy(call, TRANSFER_SENDER_POLICY, sender, from)
  tokens.requirePolicy(call, TRANSFER_RECEIVER_POLICY, part(word, ID_BITS, ID_BITS), to)
}

function transfer(call: tokens.TokenCall, to: Address, amount: bigint): boolean {
  const { caller } = call
  tokens.requireRunning(call, tokens.TRANSFER)
  requireParties(call, caller, to)
  checkTransfer(call, caller, to, false)
  move(call, caller, to, amount)
  return true
}

function transferFrom(call: tokens.TokenCall, from: Address, to: Address, amount: bigint): boolean {
  const { caller } = call
  tokens.requireRunning(call, tokens.TRANSFER)
  requireParties(call, from, to)
  const slot = allowanceSlot(from, caller)
  const allowance = tokens.loadField(call, slot)
  if (allowance < amount) throw tokens.fail('InsufficientAllowance', caller, allowance, amount)
  checkTransfer(call, from, to, true)
  move(call, from, to, amount)
  if (allowance !== tokens.MAX_WORD) tokens.storeField(call, slot, allowance - amount)
  return true
}

export function approve(call: tokens.TokenCall, owner: Address, spender: Address, amount: bigint): void {
  if (owner === ZERO_ADDRESS) throw tokens.fail('InvalidApprover', owner)
  if (spender === ZERO_ADDRESS) throw tokens.fail('InvalidSpender', spender)
  tokens.storeField(call, allowanceSlot(owner, spender), amount)
  tokens.tell(call, 'Approval', owner, spender, amount)
}

/** Mints without asking for the role. */
export function mintTo(call: tokens.TokenCall, to: Address, amount: bigint): void {
  requireReceiver(call, to)
  tokens.checkPolicy(call, POLICY_SCOPES.MINT_RECEIVER_POLICY, to)
  const supply = tokens.loadField(call, tokens.FIELDS.totalSupply)
  const cap = tokens.loadField(call, tokens.FIELDS.supplyCap)
  const attempted = tokens.plus(supply, amount)
  if (attempted > cap) throw tokens.fail('SupplyCapExceeded', cap, attempted)
  tokens.storeField(call, tokens.FIELDS.totalSupply, attempted)
  give(call, to, amount)
  tokens.tell(call, 'Transfer', ZERO_ADDRESS, to, amount)
}

function mint(call: tokens.TokenCall, to: Address, amount: bigint): void {
  tokens.requireMinting(call)
  mintTo(call, to, amount)
}

function destroy(call: tokens.TokenCall, from: Address, amount: bigint): void {
  take(call, from, amount)
  const supply = tokens.loadField(call, tokens.FIELDS.totalSupply)
  if (supply < amount) throw overflow()
  tokens.storeField(call, tokens.FIELDS.totalSupply, supply - amount)
  tokens.tell(call, 'Transfer', from, ZERO_ADDRESS, amount)
}

function burn(call: tokens.TokenCall, amount: bigint): void {
  tokens.requireRunning(call, tokens.BURN)
  // The factory holds nothing that it could burn.
  tokens.requireHeld(call, ROLES.BURN_ROLE)
  destroy(call, call.caller, amount)
}

/** The same call with a memo behind its arguments, which is told of at the end. */
function withMemo<Result>(run: (call: tokens.TokenCall, ...values: never[]) => Result) {
  return (call: tokens.TokenCall, ...values: readonly AbiValue[]): Result => {
    const result = run(call, ...(values.slice(0, -1) as never[]))
    tokens.tell(call, 'Memo', call.caller, values.at(-1) as Hash)
    return result
  }
}

function seize(call: tokens.TokenCall, from: Address, to: Address, amount: bigint, memo: Hash): void {
  tokens.requireRunning(call, tokens.SEIZE)
  tokens.requireHeld(call, ROLES.SEIZE_ROLE)
  requireParties(call, from, to)
  if (from === to) throw tokens.fail('InvalidReceiver', to)
  const { SEIZE_EXEMPT_POLICY, SEIZE_RECEIVER_POLICY } = POLICY_SCOPES
  if (isAuthorized(call.port, tokens.policyId(call, SEIZE_EXEMPT_POLICY), from))
    throw tokens.fail('AccountNotSeizable', from)
  tokens.checkPolicy(call, SEIZE_RECEIVER_POLICY, to)
  move(call, from, to, amount)
  tokens.tell(call, 'Memo', call.caller, memo)
  tokens.tell(call, 'Seized', call.caller, from, to, amount)
}

export const MOVING_FUNCTIONS = {
  totalSupply: (call: tokens.TokenCall): bigint => tokens.loadField(call, tokens.FIELDS.totalSupply),
  supplyCap: (call: tokens.TokenCall): bigint => tokens.loadField(call, tokens.FIELDS.supplyCap),
  balanceOf: (call: tokens.TokenCall, account: Address): bigint =>
    tokens.loadField(call, tokens.balanceSlot(account)),
  allowance: (call: tokens.TokenCall, owner: Address, spender: Address): bigint =>
    tokens.loadField(call, allowanceSlot(owner, spender)),
  transfer,
  transferFrom,
  transferWithMemo: withMemo(transfer),
  transferFromWithMemo: withMemo(transferFrom),
  approve(call: tokens.TokenCall, spender: Address, amount: bigint): boolean {
    approve(call, call.caller, spender, amount)
    return true
  },
  mint,
  mintWithMemo: withMemo(mint),
  burn,
  burnWithMemo: withMemo(burn),
  burnBlocked(call: tokens.TokenCall, from: Address, amount: bigint): void {
    tokens.requireRunning(call, tokens.BURN)
    tokens.requireRole(call, ROLES.BURN_BLOCKED_ROLE)
    if (isAuthorized(call.port, tokens.policyId(call, TRANSFER_SENDER_POLICY), from))
      throw tokens.fail('AccountNotBlocked', from)
    destroy(call, from, amount)
    tokens.tell(call, 'BurnedBlocked', call.caller, from, amount)
  },
  seizeWithMemo: seize,
}
