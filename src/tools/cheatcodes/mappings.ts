// Slots of mappings, found while code hashes their keys and writes to them.

import type { ObservedStep } from '../../core/execution/trace/observer.ts'
import { keccak256 } from '../../core/primitives/crypto.ts'
import { bytesToHex, toWord } from '../../core/primitives/hex.ts'
import type { Mappings } from './cheat-state.ts'

const KECCAK256 = 0x20
const SSTORE = 0x55
const KEY_AND_SLOT = 64

/** Recordings that can be continued while these stay. */
export function copyMappings(mappings: Mappings): Mappings {
  const copies = [...mappings].map(([address, { hashes, written }]) => {
    return [address, { hashes: new Map(hashes), written: new Map(written) }] as const
  })
  return new Map(copies)
}

/** Notes a hash of a key and a slot, and a write to such a hash. */
export function noteMapping(mappings: Mappings, { opcode, address, peek, memory }: ObservedStep): void {
  if (opcode === KECCAK256 && peek(1) === BigInt(KEY_AND_SLOT)) {
    const own = mappings.get(address) ?? { hashes: new Map(), written: new Map() }
    mappings.set(address, own)
    const at = Number(peek(0))
    const data = memory(at, at + KEY_AND_SLOT)
    const [key, parent] = [bytesToHex(data.subarray(0, 32)), bytesToHex(data.subarray(32))]
    const slot = bytesToHex(keccak256(data))
    own.hashes.set(slot, { slot, parent, key })
  }
  const own = opcode === SSTORE ? mappings.get(address) : undefined
  if (own === undefined) return
  // The slot of a mapping may be one of another mapping.
  let mapped = own.hashes.get(toWord(peek(0) ?? 0n))
  while (mapped !== undefined && !own.written.has(mapped.slot)) {
    own.written.set(mapped.slot, mapped)
    mapped = own.hashes.get(mapped.parent)
  }
}
