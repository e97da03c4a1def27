// Balances and nonces that cheatcodes have set, which stay when a frame around them fails, as in forge.

import type { Address } from '../../core/primitives/hex.ts'
import type { StateWriter } from '../../core/state/state-writer.ts'
import { type Account, updateAccount } from '../../core/state/world-state.ts'

type Changes = Partial<Pick<Account, 'balance' | 'nonce'>>

export class LastingChanges {
  private readonly writer: StateWriter
  private readonly made: (readonly [Address, Changes])[] = []
  /** For each message that is open, the number of changes before it. */
  private readonly starts: number[] = []

  constructor(writer: StateWriter) {
    this.writer = writer
  }

  make(address: Address, changes: Changes): void {
    this.made.push([address, changes])
    this.write(address, changes)
  }

  enter(): void {
    this.starts.push(this.made.length)
  }

  exit(hasFailed: boolean): void {
    const start = this.starts.pop() as number
    if (hasFailed) for (const [address, changes] of this.made.slice(start)) this.write(address, changes)
  }

  private write(address: Address, changes: Changes): void {
    this.writer.current = updateAccount(this.writer.current, address, changes)
  }
}
