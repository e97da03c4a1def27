// Snapshots of Foundry's cheatcodes: the state in the middle of an execution. What code has written to storage is in the
// module until the execution ends, and transient storage is in no state, so a snapshot holds them beside it.

import type { WrittenSlot } from '../../interpreter/slot-lists.ts'
import { type Address, bytesToBigInt, EMPTY_BYTES, type Hex, toWord } from '../../primitives/hex.ts'
import { readStorage, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'

export interface Snapshot {
  readonly state: WorldState
  /** What the execution has written so far. */
  readonly written: readonly WrittenSlot[]
  readonly environment: BlockEnvironment
  /** As far as cheatcodes have changed it. The price of gas stays as it is. */
  readonly chainId: bigint | undefined
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
  readonly isTransient: boolean
  readonly address: Address
  readonly slot: Hex
  readonly value: Hex
}

function valueAt({ state, written }: Snapshot, { isTransient, address, slot }: WrittenSlot): Uint8Array {
  const known = written.find(
    (each) => each.slot === slot && each.address === address && each.isTransient === isTransient,
  )
  if (known !== undefined) return known.value
  return isTransient ? EMPTY_BYTES : readStorage(state, address, slot)
}

/** What to write to slots, after `written`, to be back at a snapshot. */
export function changesTo(snapshot: Snapshot, written: readonly WrittenSlot[]): readonly SlotChange[] {
  return written.flatMap((each) => {
    const { isTransient, address, slot } = each
    const value = toWord(bytesToBigInt(valueAt(snapshot, each)))
    return value === toWord(bytesToBigInt(each.value)) ? [] : [{ isTransient, address, slot, value }]
  })
}
