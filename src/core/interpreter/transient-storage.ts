// Transient storage of a transaction (EIP-1153), with checkpoints. Replaces that of @ethereumjs, which keeps a log entry
// with strings and byte arrays for every TSTORE: here a slot is logged once for each checkpoint.

import { type Address, bigIntToBytes, toWord } from '../primitives/hex.ts'
import type { WrittenSlot } from './slot-lists.ts'

interface Slot {
  value: bigint
  /** The checkpoint in which the slot was logged last. */
  loggedIn: number
}

/** The value of a slot at a checkpoint. */
interface Entry {
  readonly slot: Slot
  readonly value: bigint
}

export class TransientStorage {
  private slots = new Map<Address, Map<bigint, Slot>>()
  private readonly log: Entry[] = []
  /** The open checkpoints: where the log stood, and their numbers, of which none is used twice. */
  private readonly checkpoints: { readonly start: number; readonly number: number }[] = []
  private checkpointCount = 0

  read(address: Address, key: bigint): bigint {
    return this.slots.get(address)?.get(key)?.value ?? 0n
  }

  write(address: Address, key: bigint, value: bigint): void {
    const number = this.checkpoints.at(-1)?.number ?? 0
    let slots = this.slots.get(address)
    if (slots === undefined) {
      slots = new Map()
      this.slots.set(address, slots)
    }
    let slot = slots.get(key)
    if (slot === undefined) {
      slot = { value: 0n, loggedIn: -1 }
      slots.set(key, slot)
    }
    if (slot.loggedIn !== number) {
      this.log.push({ slot, value: slot.value })
      slot.loggedIn = number
    }
    slot.value = value
  }

  /** The slots that the transaction has written so far. */
  writtenSlots(): readonly WrittenSlot[] {
    return [...this.slots].flatMap(([address, slots]) =>
      [...slots].map(([key, { value }]) => ({
        ...{ isTransient: true, address, slot: toWord(key), value: bigIntToBytes(value) },
      })),
    )
  }

  checkpoint(): void {
    this.checkpointCount++
    this.checkpoints.push({ start: this.log.length, number: this.checkpointCount })
  }

  commit(): void {
    this.checkpoints.pop()
  }

  revert(): void {
    const start = this.checkpoints.pop()?.start ?? 0
    while (this.log.length > start) {
      const { slot, value } = this.log.pop() as Entry
      slot.value = value
    }
  }

  /** At the end of a transaction. */
  clear(): void {
    // See `cleanJournal` of journal.ts.
    if (this.slots.size > 0) this.slots = new Map()
    this.log.length = 0
  }
}
