// What cheatcodes act on: the execution in which one was called.

import type { SlotAccess } from '../../interpreter/slot-lists.ts'
import type { Address, Hex } from '../../primitives/hex.ts'
import type { Later } from '../../primitives/later.ts'
import type { Account } from '../../state/account.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { CallPattern } from './expected-calls.ts'
import type { EmitPattern } from './expected-emits.ts'
import type { RevertPattern } from './expected-revert.ts'
import type { Left } from './left.ts'
import type { Disguise } from './pranks.ts'

/** Who calls from here on. */
interface Callers {
  readonly mode: 'none' | 'prank' | 'lastingPrank'
  readonly sender: Address
  readonly origin: Address
}

export interface CheatSite {
  readonly prank: (disguise: Disguise, isLasting: boolean) => void
  readonly stopPrank: () => void
  readonly callers: () => Callers
  readonly expectRevert: (pattern: RevertPattern) => void
  readonly expectEmit: (pattern: EmitPattern) => void
  readonly expectCall: (pattern: CallPattern, count?: bigint) => void
  /** A revert of the next call is an assumption that does not hold. */
  readonly assumeNoRevert: () => void
  readonly account: (address: Address) => Account
  readonly update: (address: Address, changes: Partial<Pick<Account, 'nonce' | 'balance'>>) => void
  readonly etch: (address: Address, code: Uint8Array) => void
  readonly load: (address: Address, slot: Hex) => Later<Hex>
  readonly store: (address: Address, slot: Hex, value: Hex) => Later<void>
  readonly moveTo: (changes: Partial<BlockEnvironment>) => void
  readonly environment: () => BlockEnvironment
  /** Changes what the transaction says of itself. */
  readonly setTransaction: (changes: Pick<Partial<Left>, 'chainId' | 'gasPrice'>) => void
  readonly chainId: () => bigint
  readonly left: () => Left
  readonly leave: (changes: Partial<Pick<Left, 'mocks' | 'labels' | 'logs'>>) => void
  readonly recordAccesses: (isOn: boolean) => void
  readonly accesses: () => readonly SlotAccess[]
  /** Its number. */
  readonly snapshot: () => bigint
  /** False if there is none with that number. */
  readonly revertTo: (id: bigint) => Later<boolean>
  readonly deleteSnapshot: (id: bigint) => boolean
}
