// The access list of a call (EIP-2930): what it touches beyond what a transaction finds warm. As geth makes it
// (eth_createAccessList): the list changes what the call costs and so what it does, so it is run until it is stable.

import { keccak256 } from '../../primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  bytesToHex,
  type Hash,
  hexToBytes,
  toWord,
} from '../../primitives/hex.ts'
import { encodeBytesList } from '../../primitives/rlp.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import { applyAuthorizations } from '../evm/authorizations.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { addressOfWord, type Step, watchSteps } from '../evm/watch-steps.ts'
import type { AccessListEntry } from '../transaction/transaction.ts'
import { type CallMessage, type CallResult, runCall } from './run-call.ts'

type Accesses = Map<Address, Set<Hash>>

/** Opcodes that look at an account, and where on the stack its address is. */
const ACCOUNT_OPCODES: ReadonlyMap<string, number> = new Map([
  ['BALANCE', 0],
  ['EXTCODESIZE', 0],
  ['EXTCODECOPY', 0],
  ['EXTCODEHASH', 0],
  ['SELFDESTRUCT', 0],
  ['CALL', 1],
  ['CALLCODE', 1],
  ['DELEGATECALL', 1],
  ['STATICCALL', 1],
])

function slotsOf(accesses: Accesses, address: Address): Set<Hash> {
  let slots = accesses.get(address)
  if (slots === undefined) {
    slots = new Set()
    accesses.set(address, slots)
  }
  return slots
}

/** What is warm without a list: listing such an address would cost gas and save none. Its slots are listed still. */
function warmWithoutList(context: ExecutionContext, state: WorldState, call: CallMessage): Set<Address> {
  const { rules } = context.evmPool
  const { nonce } = readAccount(state, call.from)
  // Yellow paper, section 7.
  const creation = (): Uint8Array => encodeBytesList([hexToBytes(call.from), bigIntToBytes(nonce)])
  const created = (): Address => bytesToHex(keccak256(creation()).subarray(12))
  const { authorities } = applyAuthorizations(rules, state, call.authorizationList)
  return new Set([call.from, call.to ?? created(), ...Object.values(precompilesOf(rules)), ...authorities])
}

function recordStep(
  accesses: Accesses,
  excluded: ReadonlySet<Address>,
  { opcode, address, peek }: Step,
): void {
  if (opcode === 'SLOAD' || opcode === 'SSTORE') {
    const slot = peek(0)
    if (slot !== undefined) slotsOf(accesses, address).add(toWord(slot))
    return
  }
  const position = ACCOUNT_OPCODES.get(opcode)
  const word = position === undefined ? undefined : peek(position)
  if (word === undefined) return
  const touched = addressOfWord(word)
  if (!excluded.has(touched)) slotsOf(accesses, touched)
}

function toAccesses(list: readonly AccessListEntry[], excluded: ReadonlySet<Address>): Accesses {
  const accesses: Accesses = new Map()
  for (const { address, storageKeys } of list) {
    if (excluded.has(address) && storageKeys.length === 0) continue
    for (const key of storageKeys) slotsOf(accesses, address).add(key)
    slotsOf(accesses, address)
  }
  return accesses
}

/** In the order of addresses and of slots, so that one set of accesses is one list. */
function toList(accesses: Accesses): AccessListEntry[] {
  return [...accesses.keys()]
    .sort()
    .map((address) => ({ address, storageKeys: [...slotsOf(accesses, address)].sort() }))
}

function countOf(list: readonly AccessListEntry[]): number {
  return list.reduce((count, { storageKeys }) => count + 1 + storageKeys.length, 0)
}

export interface CreatedAccessList {
  readonly accessList: readonly AccessListEntry[]
  /** The run with the list. */
  readonly result: CallResult
}

/** Makes the access list of a call, beginning with what it lists already; throws for what keeps it from starting. */
export async function createAccessList(
  context: ExecutionContext,
  state: WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
): Promise<CreatedAccessList> {
  const excluded = warmWithoutList(context, state, call)
  let accessList = toList(toAccesses(call.accessList, excluded))
  // Lists only grow, and each entry costs gas, so the gas of the call is the limit of this loop.
  for (;;) {
    const accesses = toAccesses(accessList, excluded)
    const result = await runCall(context, state, environment, { ...call, accessList }, (instance, run) =>
      watchSteps(instance, (step) => recordStep(accesses, excluded, step), run),
    )
    const found = toList(accesses)
    if (countOf(found) === countOf(accessList)) return { accessList, result }
    accessList = found
  }
}
