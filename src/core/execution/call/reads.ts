// What a call has read, so that it need not be executed again as long as that is the same.

import type { ReadLog } from '../../interpreter/host.ts'
import type { UsedSlots } from '../../interpreter/slot-lists.ts'
import { type Address, equalBytes, type Hash } from '../../primitives/hex.ts'
import { type Account, delegateOf, EMPTY_ACCOUNT, type Storage } from '../../state/account.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { Left } from '../cheatcodes/left.ts'
import type { BlockEnvironment } from '../evm/environment.ts'

interface ReadAccount {
  readonly address: Address
  readonly account: Account
  readonly slots: readonly Hash[]
}

/** The state, block and cheats that a call may read. */
export interface ReadMoment {
  readonly state: WorldState
  readonly environment: BlockEnvironment
  /** The state that cheatcodes have left behind, which any call reads. */
  readonly left: Left
}

export interface Reads {
  /** If anything of the block was read. */
  readonly environment: BlockEnvironment | undefined
  readonly left: Left
  readonly accounts: readonly ReadAccount[]
}

const NONE: readonly Hash[] = []

/** The reads of an execution; `undefined` if they are not known as a whole. */
export function readsOf(
  { state, environment, left }: ReadMoment,
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
  return { environment: readsBlock ? environment : undefined, left, accounts: read }
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

/** True if a moment is the same in all that was read. */
export function isSameFor(reads: Reads, { state, environment, left }: ReadMoment): boolean {
  if (reads.left !== left) return false
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
