// Slots of the ring buffers that every block writes to and nothing reads (EIP-2935, EIP-4788): their proofs are asked
// for by several blocks at a time. Which ones does not depend on what was asked before, so recordings stay the same.

import { type Address, type Hash, toWord } from '../primitives/hex.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, RING_SIZE } from '../rollup/system-contracts.ts'
import type { ForkHeader } from './header-fields.ts'
import type { Keys } from './known.ts'

/** Blocks whose slots are proven together. */
const BLOCKS = 8

/** The stretch of a ring that a position is in; empty if positions are not these steps apart. */
function stretchAround(position: number, first: number, step: number): number[] {
  if (!Number.isInteger(step) || step < 1) return []
  const distance = (((position - first) % RING_SIZE) + RING_SIZE) % RING_SIZE
  if (distance % step !== 0) return []
  const start = Math.floor(distance / step / BLOCKS) * BLOCKS
  return Array.from({ length: BLOCKS }, (_, index) => (first + (start + index) * step) % RING_SIZE)
}

/** The keys, with the slots of the blocks around those that write to a ring. */
export function withRings(
  keys: Keys,
  { number, timestamp }: Pick<ForkHeader, 'number' | 'timestamp'>,
  blockTimeS: number,
): Keys {
  const extended = new Map<Address, ReadonlySet<Hash>>(keys)
  const extend = (address: Address, slotsAround: (slot: number) => number[]): void => {
    const slots = keys.get(address)
    if (slots === undefined) return
    const around = [...slots].flatMap((slot) => slotsAround(Number(slot)))
    extended.set(address, new Set([...slots, ...around.map(toWord)]))
  }
  // The block after the fork writes the hash of the fork's.
  extend(HISTORY_STORAGE_ADDRESS, (slot) => stretchAround(slot, number % RING_SIZE, 1))
  extend(BEACON_ROOTS_ADDRESS, (slot) => {
    const times = stretchAround(slot, (timestamp + blockTimeS) % RING_SIZE, blockTimeS)
    return slot < RING_SIZE ? times.flatMap((time) => [time, time + RING_SIZE]) : []
  })
  return extended
}
