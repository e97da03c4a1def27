// Storage of contracts in genesis states, as the Solidity compiler lays it out.

import { keccak256Hex } from '../../core/primitives/crypto.ts'
import { bigIntToBytes, concatBytes, type Hex, hexToBytes, toWord } from '../../core/primitives/hex.ts'
import { keccakOfText, shortText } from '../../core/rollup/op/solidity-words.ts'
import { EMPTY_STORAGE, type Storage } from '../../core/state/account.ts'

/** A slot's number and its content. */
export type Slot = readonly [slot: bigint, content: bigint]

/** Storage with these slots; zeros are absent. */
export function storageOf(slots: readonly Slot[]): Storage {
  let storage = EMPTY_STORAGE
  for (const [slot, content] of slots) {
    if (content !== 0n) storage = storage.set(toWord(slot), bigIntToBytes(content))
  }
  return storage
}

/** A slot that several variables share: each with its first byte, counted from the low end. */
export function packed(...variables: readonly (readonly [byte: number, value: bigint])[]): bigint {
  return variables.reduce((slot, [byte, value]) => slot | (value << BigInt(8 * byte)), 0n)
}

/** The slot of a mapping's value. */
export function mappingSlot(key: Hex | bigint, mapping: bigint): bigint {
  const preimage = concatBytes(hexToBytes(toWord(BigInt(key))), hexToBytes(toWord(mapping)))
  return BigInt(keccak256Hex(preimage))
}

/** A slot at the hash of a name. */
export function namedSlot(name: string): bigint {
  return BigInt(keccakOfText(name))
}

/** A slot before the hash of a name (ERC-1967). */
export function slotBefore(name: string): bigint {
  return namedSlot(name) - 1n
}

/** The content of an ASCII string of less than 32 bytes: left-aligned, and twice its length in the last byte. */
export function shortString(text: string): bigint {
  return shortText(text) | BigInt(2 * text.length)
}
