// Places of mappings and dynamic arrays that are named without the executions that wrote them: those of likely keys.

import { keccak256 } from '../../../core/primitives/crypto.ts'
import { type Address, concatBytes, hexToBytes, padLeft, toWord } from '../../../core/primitives/hex.ts'
import type { StorageLayout, StorageType } from '../model/contract.ts'
import { type Preimages, preimagesOf } from './storage-names.ts'

/** The most keys of one mapping. */
const MOST_KEYS = 128
/** Whole numbers that are tried as keys. */
const NUMBERS = 16

function keysOf(type: StorageType | undefined, addresses: readonly Address[]): Uint8Array[] {
  if (type === undefined || type.encoding !== 'inplace') return []
  if (/^(?:address|contract)\b/.test(type.label))
    return addresses.slice(0, MOST_KEYS).map((address) => padLeft(hexToBytes(address), 32))
  if (!/^u?int\d*$|^bool$|^enum\b/.test(type.label)) return []
  return Array.from({ length: NUMBERS }, (_, key) => hexToBytes(toWord(BigInt(key))))
}

/** The messages whose hashes are the places of a variable's elements, and one level deeper. */
function messagesAt(
  layout: StorageLayout,
  type: StorageType | undefined,
  slot: Uint8Array,
  addresses: readonly Address[],
  depth: number,
): Uint8Array[] {
  if (type === undefined || depth > 1) return []
  if (type.encoding === 'dynamic_array' || type.encoding === 'bytes') return [slot]
  if (type.encoding !== 'mapping') return []
  const value = layout.types.get(type.value ?? '')
  return keysOf(layout.types.get(type.key ?? ''), addresses).flatMap((key) => {
    const message = concatBytes(key, slot)
    return [message, ...messagesAt(layout, value, keccak256(message), addresses, depth + 1)]
  })
}

/** Preimages for the mappings of a layout: its keys are among these addresses and the first whole numbers. */
export function likelyPreimages(layout: StorageLayout, addresses: readonly Address[]): Preimages {
  const messages = layout.variables.flatMap(({ type, slot }) =>
    messagesAt(layout, layout.types.get(type), hexToBytes(toWord(slot)), addresses, 0),
  )
  return preimagesOf(messages)
}
