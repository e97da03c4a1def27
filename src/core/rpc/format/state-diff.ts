// The difference of two states in the shape of OpenEthereum's `stateDiff`: '=' for what is equal, '*' for what changed,
// '+' and '-' for what an account has that was made or deleted.

import {
  type Address,
  bytesToHex,
  EMPTY_BYTES,
  type Hash,
  type Hex,
  toQuantity,
} from '../../primitives/hex.ts'
import { type Account, EMPTY_ACCOUNT } from '../../state/account.ts'
import type { WorldState } from '../../state/world-state.ts'

type RpcDelta =
  | '='
  | { readonly '*': { readonly from: Hex; readonly to: Hex } }
  | { readonly '+': Hex }
  | { readonly '-': Hex }

interface RpcAccountDiff {
  readonly balance: RpcDelta
  readonly code: RpcDelta
  readonly nonce: RpcDelta
  /** Changed slots. */
  readonly storage: Readonly<Record<Hash, RpcDelta>>
}

export type RpcStateDiff = Readonly<Record<Address, RpcAccountDiff>>

/** The delta of a value of an account; an account that does not exist has none. */
function delta(from: Hex | undefined, to: Hex | undefined): RpcDelta {
  if (from === to) return '='
  if (from === undefined) return { '+': to as Hex }
  return to === undefined ? { '-': from } : { '*': { from, to } }
}

function word(value: Uint8Array): Hash {
  return `0x${bytesToHex(value).slice(2).padStart(64, '0')}`
}

function diffStorage(before: Account | undefined, after: Account | undefined): Record<Hash, RpcDelta> {
  const from = (before ?? EMPTY_ACCOUNT).storage
  const to = (after ?? EMPTY_ACCOUNT).storage
  const slots: [Hash, RpcDelta][] = []
  from.visitChanges(to, (slot, old = EMPTY_BYTES, now = EMPTY_BYTES) => {
    const [first, last] = [before && word(old), after && word(now)]
    if (first !== last) slots.push([slot, delta(first, last)])
  })
  return Object.fromEntries(slots.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function diffAccount(before: Account | undefined, after: Account | undefined): RpcAccountDiff {
  return {
    balance: delta(before && toQuantity(before.balance), after && toQuantity(after.balance)),
    code: delta(before && bytesToHex(before.code.bytes), after && bytesToHex(after.code.bytes)),
    nonce: delta(before && toQuantity(before.nonce), after && toQuantity(after.nonce)),
    storage: diffStorage(before, after),
  }
}

function isSame({ balance, code, nonce, storage }: RpcAccountDiff): boolean {
  return balance === '=' && code === '=' && nonce === '=' && Object.keys(storage).length === 0
}

/** The accounts that differ, by address. */
export function formatStateDiff(before: WorldState, after: WorldState): RpcStateDiff {
  const accounts: [Address, RpcAccountDiff][] = []
  before.visitChanges(after, (address, old, now) => {
    const diff = diffAccount(old, now)
    if (!isSame(diff)) accounts.push([address, diff])
  })
  return Object.fromEntries(accounts.sort(([a], [b]) => (a < b ? -1 : 1)))
}
