// Snapshots of Foundry's cheatcodes: the state in the middle of an execution. What code has written to storage is in the
// module until the execution ends, so a snapshot holds it beside the state.

import type { WrittenSlot } from '../../interpreter/slot-lists.ts'
import { type Address, bytesToBigInt, type Hex, toWord } from '../../primitives/hex.ts'
import { readStorage, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'

export interface Snapshot {
  readonly state: WorldState
  /** What the execution has written so far. */
  readonly written: readonly WrittenSlot[]
  readonly environment: BlockEnvironment
}

/** By their numbers. They end with the transaction. */
export class Snapshots extends Map<bigint, Snapshot> {
  private next = 0n

  /** Returns its number. */
  add(snapshot: Snapshot): bigint {
    this.set(this.next, snapshot)
    return this.next++
  }

  begin(): void {
    this.clear()
    this.next = 0n
  }
}

/** A slot that has to be written for the state to be that of a snapshot. */
export interface SlotChange {
  readonly address: Address
  readonly slot: Hex
  readonly value: Hex
}

function valueIn(slots: readonly WrittenSlot[], { address, slot }: WrittenSlot): Uint8Array | undefined {
  return slots.find((each) => each.address === address && each.slot === slot)?.value
}

/** What to write to slots, after `written`, to be back at a snapshot. */
export function changesTo(snapshot: Snapshot, written: readonly WrittenSlot[]): readonly SlotChange[] {
  return written.flatMap((each) => {
    const { address, slot } = each
    const before = valueIn(snapshot.written, each) ?? readStorage(snapshot.state, address, slot)
    const [value, now] = [toWord(bytesToBigInt(before)), toWord(bytesToBigInt(each.value))]
    return value === now ? [] : [{ address, slot, value }]
  })
}
