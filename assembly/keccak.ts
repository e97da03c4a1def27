// The KECCAK256 opcode, with the permutation of assembly/crypto.

import { absorb, begin, finish, INPUT, RATE } from './crypto/keccak'
import { setWord } from './word'

/** Writes the hash of `length` bytes at `from` into the word at `x`. */
export function keccak256(x: usize, from: usize, length: usize): void {
  const blocks = length / <usize>RATE
  const rest = length % <usize>RATE
  begin()
  if (blocks != 0) absorb(from, <i32>blocks)
  // Copied before padding, which would overwrite the memory after the message.
  memory.copy(INPUT, from + length - rest, rest)
  finish(INPUT, <i32>rest)
  const high = bswap(load<u64>(INPUT))
  setWord(x, bswap(load<u64>(INPUT, 24)), bswap(load<u64>(INPUT, 16)), bswap(load<u64>(INPUT, 8)), high)
}
