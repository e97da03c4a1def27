// The touched accounts as they were before an execution, and what it changed.

import { type Address, bytesToHex, equalBytes, type Hash } from '../../primitives/hex.ts'
import { type Account, EMPTY_ACCOUNT } from '../../state/account.ts'
import { readStorage, type WorldState } from '../../state/world-state.ts'
import type { TouchedState } from './touched-state.ts'

/** Parts of an account; what is absent is not told. */
export interface AccountPart {
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Uint8Array
  readonly codeHash?: Hash
  /** Slot → value without leading zeros. */
  readonly storage?: ReadonlyMap<Hash, Uint8Array>
}

export type PartialState = ReadonlyMap<Address, AccountPart>

/** What to leave out of the accounts, or to keep. */
export interface StateSelection {
  readonly code: boolean
  readonly storage: boolean
  /** Accounts without balance, nonce and code. */
  readonly empty: boolean
}

export interface StateDiff {
  readonly pre: PartialState
  readonly post: PartialState
}

function isEmpty({ nonce, balance, code }: Account): boolean {
  return nonce === 0n && balance === 0n && code.bytes.length === 0
}

function hasCode({ code }: Account): boolean {
  return code.bytes.length > 0
}

function fullPart(account: Account, select: StateSelection): AccountPart {
  const { balance, nonce, code } = account
  return {
    balance,
    ...(nonce === 0n ? {} : { nonce }),
    ...(hasCode(account) && select.code ? { code: code.bytes } : {}),
    ...(hasCode(account) ? { codeHash: bytesToHex(code.hash) } : {}),
  }
}

function slotsOf(
  state: WorldState,
  address: Address,
  slots: Iterable<Hash>,
  isKept: (slot: Hash, value: Uint8Array) => boolean,
): Pick<AccountPart, 'storage'> {
  const storage = new Map<Hash, Uint8Array>()
  for (const slot of slots) {
    const value = readStorage(state, address, slot)
    if (isKept(slot, value)) storage.set(slot, value)
  }
  return storage.size === 0 ? {} : { storage }
}

/** The touched accounts and slots before an execution: enough to execute it again. */
export function touchedBefore(
  touched: TouchedState,
  before: WorldState,
  select: StateSelection,
): PartialState {
  const accounts = new Map<Address, AccountPart>()
  for (const [address, slots] of touched) {
    const account = before.get(address) ?? EMPTY_ACCOUNT
    if (isEmpty(account) && !select.empty) continue
    const storage = select.storage ? slotsOf(before, address, slots, () => true) : {}
    accounts.set(address, { ...fullPart(account, select), ...storage })
  }
  return accounts
}

/** The fields of an account that have changed. */
function changedPart(old: Account, now: Account, select: StateSelection): AccountPart {
  const isCodeChanged = !equalBytes(old.code.hash, now.code.hash)
  return {
    ...(now.balance === old.balance ? {} : { balance: now.balance }),
    ...(now.nonce === old.nonce ? {} : { nonce: now.nonce }),
    ...(isCodeChanged && select.code ? { code: now.code.bytes } : {}),
    ...(isCodeChanged ? { codeHash: bytesToHex(now.code.hash) } : {}),
  }
}

/** What has changed: the values before, and after. A deleted account is only in `pre`, with all touched slots. */
export function diffTouched(
  touched: TouchedState,
  before: WorldState,
  after: WorldState,
  select: StateSelection,
): StateDiff {
  const pre = new Map<Address, AccountPart>()
  const post = new Map<Address, AccountPart>()
  for (const [address, all] of touched) {
    const old = before.get(address) ?? EMPTY_ACCOUNT
    const slots = select.storage ? all : []
    if (!after.has(address)) {
      if (!isEmpty(old))
        pre.set(address, { ...fullPart(old, select), ...slotsOf(before, address, slots, () => true) })
      continue
    }
    const now = after.get(address) as Account
    const isChanged = (slot: Hash): boolean =>
      !equalBytes(readStorage(before, address, slot), readStorage(after, address, slot))
    const changed = [...slots].filter(isChanged)
    const part = changedPart(old, now, select)
    if (changed.length === 0 && Object.keys(part).length === 0) continue
    const isSet = (_: Hash, value: Uint8Array): boolean => value.length > 0
    if (!isEmpty(old))
      pre.set(address, { ...fullPart(old, select), ...slotsOf(before, address, changed, isSet) })
    post.set(address, { ...part, ...slotsOf(after, address, changed, isSet) })
  }
  return { pre, post }
}
