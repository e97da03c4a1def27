// The accounts that a test signs for, as they stand on a fork.

import type { Address } from '../primitives/hex.ts'
import type { MapBase } from '../state/overlay-map.ts'
import { type Account, delegateOf, EMPTY_ACCOUNT, EMPTY_CODE, type WorldState } from '../state/world-state.ts'

/** The account with at least a balance, and without the code of a delegation. */
function fund(account: Account | undefined, least: bigint): Account | undefined {
  if (account === undefined) return least === 0n ? undefined : { ...EMPTY_ACCOUNT, balance: least }
  const isDelegated = delegateOf(account.code.bytes) !== undefined
  if (!isDelegated && account.balance >= least) return account
  const balance = account.balance < least ? least : account.balance
  const { nonce, code, storage } = account
  return { nonce, balance, code: isDelegated ? EMPTY_CODE : code, storage }
}

/**
 * A base in which accounts have at least a balance, and no delegation: the keys of test accounts are public, so on
 * live networks others have delegated them. Nonces are the upstream's, and nothing is asked before it is read.
 */
export function withFunded(
  base: MapBase<Address, Account>,
  balances: ReadonlyMap<Address, bigint>,
): MapBase<Address, Account> {
  if (balances.size === 0) return base
  const funded = new Map<Address, Account | undefined>()
  function get(address: Address): Account | undefined {
    const least = balances.get(address)
    const account = base.get(address)
    if (least === undefined) return account
    if (!funded.has(address)) funded.set(address, fund(account, least))
    return funded.get(address)
  }
  return {
    get,
    *known() {
      for (const [address] of base.known()) {
        const account = get(address)
        if (account !== undefined) yield [address, account]
      }
    },
  }
}

/** The same as writes to a state, whose roots then show them. */
export function fundIn(state: WorldState, balances: ReadonlyMap<Address, bigint>): WorldState {
  let funded = state
  for (const [address, least] of balances) {
    const before = funded.get(address)
    const after = fund(before, least)
    if (after !== before && after !== undefined) funded = funded.set(address, after)
  }
  return funded
}
