// Slots of mappings, found while code hashes their keys and writes to them.

import type { ObservedStep } from '../../core/execution/trace/observer.ts'
import { keccak256 } from '../../core/primitives/crypto.ts'
import { bytesToHex, type Hash, toWord } from '../../core/primitives/hex.ts'
import type { MappedSlot, Mappings } from './cheat-state.ts'

const KECCAK256 = 0x20
const SSTORE = 0x55
const KEY_AND_SLOT = 64

interface Noting {
  readonly cheats: { readonly mappings: Mappings | undefined }
  readonly change: (changes: { readonly mappings: Mappings }) => void
}

/** Notes a hash of a key and a slot, and a write to such a hash. */
export function noteMapping(run: Noting, { opcode, address, peek, memory }: ObservedStep): void {
  const { mappings } = run.cheats
  if (mappings === undefined) return
  const own = mappings.get(address) ?? { hashes: new Map<Hash, MappedSlot>(), written: [] }
  if (opcode === KECCAK256 && peek(1) === BigInt(KEY_AND_SLOT)) {
    const at = Number(peek(0))
    const data = memory(at, at + KEY_AND_SLOT)
    const [key, parent] = [bytesToHex(data.subarray(0, 32)), bytesToHex(data.subarray(32))]
    const slot = bytesToHex(keccak256(data))
    const hashes = new Map(own.hashes).set(slot, { slot, parent, key })
    run.change({ mappings: new Map(mappings).set(address, { ...own, hashes }) })
  }
  if (opcode !== SSTORE) return
  const written = [...own.written]
  // The slot of a mapping may be one of another mapping.
  for (
    let slot = own.hashes.get(toWord(peek(0) ?? 0n));
    slot !== undefined;
    slot = own.hashes.get(slot.parent)
  ) {
    if (written.includes(slot)) break
    written.push(slot)
  }
  if (written.length > own.written.length) {
    run.change({ mappings: new Map(mappings).set(address, { ...own, written }) })
  }
}
