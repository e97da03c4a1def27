// Balances and nonces that cheatcodes have set, which stay when a frame around them fails, as in forge.

import type { Address } from '../../core/primitives/hex.ts'
import { type Account, readAccount, type StateWriter, updateAccount } from '../../core/state/world-state.ts'

type Changes = Partial<Pick<Account, 'balance' | 'nonce'>>

interface LastingChange {
  readonly address: Address
  readonly changes: Changes
  /** True if the account was a contract: its nonce goes with the contract, if the frame has created that. */
  readonly isContract: boolean
}

export class LastingChanges {
  private readonly writer: StateWriter
  private readonly made: (LastingChange | undefined)[] = []
  /** For each message that is open, the number of changes before it. */
  private readonly starts: number[] = []

  constructor(writer: StateWriter) {
    this.writer = writer
  }

  get count(): number {
    return this.made.length
  }

  make(address: Address, changes: Changes): void {
    this.made.push({ address, changes, isContract: this.isContract(address) })
    this.write(address, changes)
  }

  /** Forgets the changes after the first so many, for a snapshot that is restored. */
  forgetSince(count: number): void {
    this.made.fill(undefined, count)
  }

  enter(): void {
    this.starts.push(this.made.length)
  }

  exit(hasFailed: boolean): void {
    const start = this.starts.pop() as number
    if (!hasFailed) return
    for (const change of this.made.slice(start)) {
      if (change === undefined) continue
      const { address, changes, isContract } = change
      const isGone = isContract && !this.isContract(address)
      this.write(address, isGone && changes.nonce !== undefined ? { ...changes, nonce: 0n } : changes)
    }
  }

  private isContract(address: Address): boolean {
    return readAccount(this.writer.current, address).code.bytes.length > 0
  }

  private write(address: Address, changes: Changes): void {
    this.writer.current = updateAccount(this.writer.current, address, changes)
  }
}
