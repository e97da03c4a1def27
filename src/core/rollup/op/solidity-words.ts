// Words as Solidity's contracts keep and hash them.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { bytesToBigInt, type Hash, utf8ToBytes } from '../../primitives/hex.ts'

export function keccakOfText(text: string): Hash {
  return keccak256Hex(utf8ToBytes(text))
}

/** A text of up to 32 bytes in a word, from the left. */
export function shortText(text: string): bigint {
  const word = new Uint8Array(32)
  word.set(utf8ToBytes(text))
  return bytesToBigInt(word)
}
