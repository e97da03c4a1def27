// The access list of a call (EIP-2930): the accounts and slots that it accesses and that are not warm anyway. As in
// geth (eth_createAccessList), the call runs until the list is stable, because the list changes its gas and so its
// path.

import { createAddress } from '../../primitives/crypto.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bytesToHex, type Hash, hexToBytes } from '../../primitives/hex.ts'
import { precompilesOf } from '../../rollup/precompiles.ts'
import { readAccount } from '../../state/world-state.ts'
import { applyAuthorizations } from '../evm/run-message.ts'
import { accessedAccount, accessedSlot, addAccess } from '../trace/accesses.ts'
import { observe } from '../trace/observe.ts'
import type { StateAccess } from '../trace/observer.ts'
import type { AccessListEntry } from '../transaction/transaction.ts'
import { type CallResult, type PlacedCall, runCall } from './run-call.ts'

type Accesses = Map<Address, Set<Hash>>

/** Each run takes all the gas of a call; code that depends on its gas can find a new slot in every run. */
const MAX_RUNS = 8

/** Addresses that are warm without a list. Listing one costs gas and saves none; its slots are listed all the same. */
function warmWithoutList({ execution, state, message }: PlacedCall): Set<Address> {
  const { rules } = execution.evmPool
  const { from, authorizationList } = message
  const { nonce } = readAccount(state, from)
  const to = message.to ?? bytesToHex(createAddress(hexToBytes(from), nonce))
  const { authorities } = applyAuthorizations(rules, state, authorizationList)
  return new Set([from, to, ...Object.values(precompilesOf(rules)), ...authorities])
}

function recordAccess(accesses: Accesses, excluded: ReadonlySet<Address>, access: StateAccess): void {
  const slot = accessedSlot(access)
  if (slot !== undefined) addAccess(accesses, access.address, [slot])
  const touched = accessedAccount(access)?.address
  if (touched !== undefined && !excluded.has(touched)) addAccess(accesses, touched)
}

function toAccesses(list: readonly AccessListEntry[], excluded: ReadonlySet<Address>): Accesses {
  const accesses: Accesses = new Map()
  for (const { address, storageKeys } of list) {
    if (!excluded.has(address) || storageKeys.length > 0) addAccess(accesses, address, storageKeys)
  }
  return accesses
}

/** Sorted by address and slot, so that equal accesses give equal lists. */
function toList(accesses: Accesses): AccessListEntry[] {
  const addresses = [...accesses.keys()].sort()
  return addresses.map((address) => ({ address, storageKeys: [...(accesses.get(address) ?? [])].sort() }))
}

function countOf(list: readonly AccessListEntry[]): number {
  return list.reduce((count, { storageKeys }) => count + 1 + storageKeys.length, 0)
}

export interface CreatedAccessList {
  readonly accessList: readonly AccessListEntry[]
  /** The result of the run with the list. */
  readonly result: CallResult
}

/** Creates the access list of a call, starting with the list that it has; throws if the call cannot start. */
export async function createAccessList(call: PlacedCall): Promise<CreatedAccessList> {
  const excluded = warmWithoutList(call)
  const { message } = call
  let accessList = toList(toAccesses(message.accessList, excluded))
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const accesses = toAccesses(accessList, excluded)
    const result = await runCall({ ...call, message: { ...message, accessList } }, (instance, run) =>
      observe(instance, { access: (access) => recordAccess(accesses, excluded, access) }, run),
    )
    const found = toList(accesses)
    if (countOf(found) === countOf(accessList)) return { accessList, result }
    accessList = found
  }
  throw failure('accessListUnstable', { runs: MAX_RUNS })
}
