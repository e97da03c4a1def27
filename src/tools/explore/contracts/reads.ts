// The accounts, slots and block that a call has read: it need not be executed again as long as they are the same.

import type { ReadLog, UsedSlots } from '../../../core/execution/evm/covered-evm.ts'
import type { BlockEnvironment } from '../../../core/execution/evm/environment.ts'
import { type Address, equalBytes, type Hash } from '../../../core/primitives/hex.ts'
import { type Account, delegateOf, EMPTY_ACCOUNT, type Storage } from '../../../core/state/account.ts'
import { readAccount, type WorldState } from '../../../core/state/world-state.ts'
import type { CheatState } from '../../cheatcodes/cheat-state.ts'
import type { Cheated } from '../../cheatcodes/execution.ts'

/** Where a sequence of calls stands: the state, the block, and what cheatcodes have set. */
export interface Position extends Cheated {
  readonly state: WorldState
  /** Reads of the invariants of contracts that hold here, in their order, as far as they are known. */
  held?: readonly (Reads | undefined)[]
}

interface ReadAccount {
  readonly address: Address
  readonly account: Account
  readonly slots: readonly Hash[]
}

export interface Reads {
  /** Present if anything of the block was read. */
  readonly environment: BlockEnvironment | undefined
  /** Any call reads them. */
  readonly cheats: CheatState
  readonly accounts: readonly ReadAccount[]
}

const NONE: readonly Hash[] = []

/** The reads of an execution; `undefined` if not all of them are known. */
export function readsOf(
  { state, environment, cheats }: Position,
  { accounts, isPartial, readsBlock }: ReadLog,
  used: readonly UsedSlots[] | undefined,
): Reads | undefined {
  if (isPartial || used === undefined) return undefined
  const read: ReadAccount[] = []
  let withSlots = 0
  for (const address of accounts) {
    const account = readAccount(state, address)
    // What it delegates to is not noted where a transaction calls it.
    if (delegateOf(account.code.bytes) !== undefined) return undefined
    const slots = used.find((each) => each.address === address)?.names
    if (slots !== undefined) withSlots++
    read.push({ address, account, slots: slots ?? NONE })
  }
  if (withSlots < used.length) return undefined
  return { environment: readsBlock ? environment : undefined, cheats, accounts: read }
}

function isSameStorage({ account, slots }: ReadAccount, storage: Storage): boolean {
  let isSame = true
  account.storage.visitWrites(storage, (name, before, now) => {
    if (!isSame || !slots.includes(name)) return
    // Of a fork, neither may be known.
    isSame = before !== undefined && now !== undefined && equalBytes(before, now)
  })
  return isSame
}

/** True if a position is the same in everything that was read. */
export function isSameFor(reads: Reads, { state, environment, cheats }: Position): boolean {
  if (reads.cheats !== cheats) return false
  if (reads.environment !== undefined && reads.environment !== environment) return false
  for (const read of reads.accounts) {
    const { address, account } = read
    const now = state.get(address) ?? EMPTY_ACCOUNT
    if (now === account) continue
    const isSame = now.code === account.code && now.balance === account.balance && now.nonce === account.nonce
    if (!isSame || !isSameStorage(read, now.storage)) return false
  }
  return true
}
