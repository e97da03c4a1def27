// Words as Solidity's contracts keep them.

import { bytesToBigInt, utf8ToBytes } from '../../primitives/hex.ts'

/** A text of up to 32 bytes in a word, from the left. */
export function shortText(text: string): bigint {
  const word = new Uint8Array(32)
  word.set(utf8ToBytes(text))
  return bytesToBigInt(word)
}
