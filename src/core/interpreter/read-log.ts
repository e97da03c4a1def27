// What an execution has read of the state and of its block: as long as that stays the same, so does the execution. Only of
// executions whose coverage is recorded, and if it is wanted.

import type { Address } from '../primitives/hex.ts'

export class ReadLog {
  isOn = false
  /** Whether the execution has read something that is not told here. */
  isPartial = false
  readsBlock = false
  readonly accounts = new Set<Address>()
  /** The precompiles that say themselves whether they read something, by their addresses without prefix. */
  readonly tellers = new Set<string>()

  begin(account: Address): void {
    this.isOn = true
    this.isPartial = false
    this.readsBlock = false
    this.accounts.clear()
    this.accounts.add(account)
  }
}
